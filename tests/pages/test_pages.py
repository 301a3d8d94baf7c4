"""Links between the pages lead somewhere, and the two container recipes take the same steps."""
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("*/README.md"), *ROOT.glob("*/*/README.md")])
PAGES = [page for page in PAGES if not page.relative_to(ROOT).parts[0].startswith("build")]


def anchor(heading):
    """As GitHub makes it of a heading."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def broken_links(page, text):
    found = []
    prose = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", prose):
        if re.match(r"[a-z]+:", target):
            continue  # elsewhere
        path, _, section = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        if not file.exists():
            found.append(target)
        elif section and file.suffix == ".md":
            headings = re.findall(r"^#+ (.*)$", file.read_text() if path else text, flags=re.MULTILINE)
            if section not in map(anchor, headings):
                found.append(target)
    return found


class Links(unittest.TestCase):
    def test_every_link_leads_somewhere(self):
        self.assertGreater(len(PAGES), 20)
        for page in PAGES:
            self.assertEqual(broken_links(page, page.read_text()), [], page.relative_to(ROOT))

    def test_a_broken_one_is_found(self):
        page = ROOT / "docs/spec.md"
        text = "# A heading\n[a](none.md) [b](#a-heading) [c](#none) [d](spec.md#every-key) [e](https://x.y/z)\n"
        self.assertEqual(broken_links(page, text), ["none.md", "#none"])


class Containers(unittest.TestCase):
    def steps(self, text):
        lines = [step.strip() for step in re.split(r"\n|&&", text.replace("\\\n", " "))]
        known = ("tools/setup", "cmake", "ldconfig", "rm ")
        return [line.replace("ALNSMITH_CUDA_DIR=/usr/local/share/alnsmith/cuda ", "") for line in lines
                if line.replace("ALNSMITH_CUDA_DIR=/usr/local/share/alnsmith/cuda ", "").startswith(known)]

    def test_both_recipes_take_the_same_steps(self):
        docker = (ROOT / "tools/containers/Dockerfile").read_text()
        apptainer = (ROOT / "tools/containers/alnsmith.def").read_text()
        run = re.search(r"^RUN (.*?)(?<!\\)\n", docker, flags=re.DOTALL | re.MULTILINE).group(1)
        post = re.search(r"^%post\n(.*?)^%", apptainer, flags=re.DOTALL | re.MULTILINE).group(1)
        self.assertGreaterEqual(len(self.steps(run)), 6)
        self.assertEqual(self.steps(run), self.steps(post))
        self.assertEqual(re.search(r"^FROM (.*)$", docker, re.MULTILINE).group(1),
                         re.search(r"^From: (.*)$", apptainer, re.MULTILINE).group(1))


if __name__ == "__main__":
    unittest.main()
