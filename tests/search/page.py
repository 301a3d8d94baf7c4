"""Runs the commands of docs/search.md and compares what they print with the page.

usage: page.py PROGRAM PAGE DATA [--update]

A block of the page that begins with `$ ` holds commands; the lines behind a command are its stdout, and a line of three
dots stands for any number of lines. Commands run in order in one folder that has proteins.fa.gz and adh.fa. Exit status
77 where the data is not there.
"""
import gzip
import os
import re
import shutil
import subprocess
import sys
import tempfile

DOTS = "..."


def inputs(data, folder):
    """The page's inputs: real proteins, and one query."""
    shutil.copy(os.path.join(data, "protein", "db.fasta.gz"), os.path.join(folder, "proteins.fa.gz"))
    with open(os.path.join(data, "protein", "queries_cudasw20.fasta"), encoding="ascii") as queries:
        records = re.split(r"(?m)^>", queries.read())
    with open(os.path.join(folder, "adh.fa"), "w", encoding="ascii") as out:
        out.writelines(">" + record for record in records if "ADH1A_HUMAN" in record)


def matches(wanted, got):
    """Whether lines are those of the page, dots standing for any."""
    if not wanted:
        return not got
    if wanted[0] == DOTS:
        return any(matches(wanted[1:], got[i:]) for i in range(len(got) + 1))
    return bool(got) and wanted[0] == got[0] and matches(wanted[1:], got[1:])


def run(command, folder, program):
    words = re.sub(r"\balnsmith (?=search|merge|makedb|stats|place)", program + " ", command)
    done = subprocess.run(["bash", "-c", words], cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{command}\nends with {done.returncode}: {done.stderr}")
    return done.stdout.rstrip("\n").splitlines()


def run_page(program, page, inputs, update):
    """Runs a page's commands in a folder that `inputs` fills; the exit status."""
    with open(page, encoding="utf-8") as file:
        blocks = re.split(r"(?m)^(```.*)$", file.read())
    ran, wrong = 0, []
    with tempfile.TemporaryDirectory() as folder:
        inputs(folder)
        for at in range(2, len(blocks), 4):  # text, fence, block, fence
            lines = blocks[at].strip("\n").split("\n")
            if not lines[0].startswith("$ "):
                if lines[0].startswith("# ") and lines[0].endswith(".yaml"):
                    with open(os.path.join(folder, lines[0][2:]), "w", encoding="ascii") as out:
                        out.write("\n".join(lines) + "\n")
                continue
            out = []
            while lines:
                command = lines.pop(0)
                while command.endswith("\\"):
                    command += "\n" + lines.pop(0)
                wanted = []
                while lines and not lines[0].startswith("$ "):
                    wanted.append(lines.pop(0))
                while wanted and not wanted[-1]:
                    wanted.pop()
                got = run(command[2:], folder, os.path.abspath(program))
                ran += 1
                if not matches(wanted, got):
                    wrong.append("\n".join([command, "prints", *got, "and the page says", *wanted]))
                shown = wanted if DOTS in wanted and matches(wanted, got) else got
                out += [command, *shown]
            blocks[at] = "\n" + "\n".join(out) + "\n"
    if update:
        with open(page, "w", encoding="utf-8") as file:
            file.write("".join(blocks))
        return 0
    print(f"{ran} commands of {page}")
    if wrong:
        print("\n\n".join(wrong))
    return 1 if wrong or ran < 8 else 0


def main():
    program, page, data = sys.argv[1:4]
    if not os.path.exists(os.path.join(data, "protein", "db.fasta.gz")):
        print("the page's proteins are not here:", data)
        return 77
    return run_page(program, page, lambda folder: inputs(data, folder), "--update" in sys.argv)


if __name__ == "__main__":
    sys.exit(main())
