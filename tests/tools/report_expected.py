"""What the report's page must show of a recording: read here by other code than the report's."""

import json
import os


def text_of(configuration):
    return " ".join(f"{name}={value}" for name, value in sorted(configuration.items()))


def gcups_of(line):
    return measured(line, "gcups")


def measured(line, name):
    return next((m["value"] for m in line["measurements"] if m["name"] == name), None)


class Expected:
    """What the page must show of a recording with one run."""

    def __init__(self, path):
        with open(path, encoding="utf-8", newline="\n") as text:
            self.records = [json.loads(line) for line in text.read().split("\n")[:-1]]
        self.name = os.path.basename(path)
        self.lines = [line for line in self.records if line.get("search", {}).get("strategy") != "final"]
        self.final = ([line for line in self.records if line not in self.lines] or [None])[-1]
        self.candidates = {}
        for line in self.lines:
            self.candidates.setdefault(text_of(line["configuration"]), []).append(line)
        self.correct, self.kinds, self.shown = {}, {}, {}
        for text, lines in self.candidates.items():
            good = sorted((line for line in lines if line["invalidity"] == "correct"), key=gcups_of)
            bad = [line for line in lines if line["invalidity"] != "correct"]
            wrong = [line for line in bad if line["invalidity"] == "correctness"]
            if good and not wrong:
                self.shown[text] = good[(len(good) - 1) // 2]
                self.correct[text] = gcups_of(self.shown[text])
                self.kinds[text] = "correct"
            else:
                self.kinds[text] = (wrong or bad[-1:])[0]["invalidity"]
        # Compared by how they stood to the model's choice in their own group, if all say so; else by speed.
        relative = {text: measured(line, "relative") for text, line in self.shown.items()}
        self.score = self.correct if None in relative.values() else relative
        self.drawn = self.score  # what charts show
        self.best = max(self.score, key=self.score.get) if self.score else None
        self.model = next(
            (t for t, lines in self.candidates.items() if any(l.get("search", {}).get("model") for l in lines)), None
        )

    def as_measured(self):
        """What charts show then."""
        self.drawn = self.correct

    def drawn_limit(self, text):
        """Where a limit stands: the configuration keeps its share of it."""
        return self.limit(text) and self.limit(text) * self.drawn[text] / self.correct[text]

    def parameter(self, text, name):
        return self.candidates[text][0]["configuration"].get(name)

    def limit(self, text):
        return self.shown[text].get("limit", {}).get("value")

    def varied(self):
        names = sorted({name for line in self.lines for name in line["configuration"]})
        return [n for n in names if len({self.parameter(t, n) for t in self.candidates}) > 1]
