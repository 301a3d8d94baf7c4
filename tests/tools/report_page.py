"""The page as a test sees it, and what did not hold so far."""

import json

failures = []


def check(held, *words):
    if not held:
        failures.append(" ".join(str(word) for word in words)[:600])


def same(got, want, what):
    check(got == want, what, "is", repr(got)[:250], "but should be", repr(want)[:250])


class Page:
    def __init__(self, chromium):
        self.chromium = chromium

    def all(self, selector):
        """Attributes, text and form of each element: a dict each."""
        return self.chromium.evaluate(
            f"[...document.querySelectorAll({json.dumps(selector)})].map((e) => Object.assign(Object.fromEntries("
            "[...e.attributes].map((a) => [a.name, a.value])), {text: e.textContent}))"
        )

    def choose(self, selector, label):
        self.chromium.evaluate(
            f"(() => {{ const s = document.querySelector({json.dumps(selector)});"
            f"s.value = [...s.options].find((o) => o.textContent === {json.dumps(label)}).value;"
            "s.dispatchEvent(new Event('change')); })()"
        )

    def options(self, selector):
        return self.chromium.evaluate(
            f"[...document.querySelector({json.dumps(selector)}).options].map((o) => o.textContent)"
        )
