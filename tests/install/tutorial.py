"""Does what a page of documentation says, and compares.

Usage: tutorial.py PAGE BUILD
A code block whose first line is ```console holds commands after "$ " and, below each, what it prints on both streams;
"..." stands for anything within a line or, alone in a line, for any lines. A block with a language and a file's name
is that file. Blocks run in order in one shell, in a home of their own that begins in a folder with `build` in it.
"""
import os
import re
import subprocess
import sys
import tempfile


def blocks(page):
    """Yields (line number, info words, lines) of each fenced block."""
    info, lines, start = None, [], 0
    for number, line in enumerate(open(page, encoding="utf-8"), 1):
        line = line.rstrip("\n")
        if info is None and line.startswith("```"):
            info, lines, start = line[3:].split(), [], number
        elif info is not None and line == "```":
            yield start, info, lines
            info = None
        elif info is not None:
            lines.append(line)
    if info is not None:
        sys.exit(f"{page}:{start}: the block has no end")


class Shell:
    """One bash that keeps its folder and variables from command to command."""

    def __init__(self, folder, environment):
        self.process = subprocess.Popen(["bash", "--norc"], cwd=folder, env=environment, text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def run(self, command):
        end = "--- end of command ---"
        self.process.stdin.write(f"{command}\nprintf '\\n%s\\n' '{end}'\n")
        self.process.stdin.flush()
        out = ""
        for line in self.process.stdout:
            if line == end + "\n":
                return out[:-1].splitlines()  # less the line break before the end
            out += line
        sys.exit(f"the shell ended in: {command}")


def matches(expected, got):
    pattern = ""
    for line in expected:
        pattern += "(?:.*\n)*" if line == "..." else ".*".join(map(re.escape, line.split("..."))) + "\n"
    return re.fullmatch(pattern, "".join(line + "\n" for line in got)) is not None


def main():
    page, build = sys.argv[1:]
    commands = files = 0
    with tempfile.TemporaryDirectory() as home:
        start = os.path.join(home, "alnsmith-source")
        os.mkdir(start)
        os.symlink(os.path.abspath(build), os.path.join(start, "build"))
        environment = dict(os.environ, HOME=home, LC_ALL="C.UTF-8", ALNSMITH_CACHE=os.path.join(home, "cache"))
        for name in ("ALNSMITH_ISA", "CMAKE_PREFIX_PATH", "DESTDIR", "ALNSMITH_GENERATE_EXECUTABLE"):
            environment.pop(name, None)
        shell = Shell(start, environment)
        for number, info, lines in blocks(page):
            if len(info) == 2:
                said = shell.run(f"cat >{info[1]} <<'END OF FILE'\n" + "\n".join(lines) + "\nEND OF FILE")
                if said:
                    sys.exit(f"{page}:{number}: {said}")
                files += 1
            elif info == ["console"]:
                steps = []
                for line in lines:
                    if line.startswith("$ "):
                        steps.append((line[2:], []))
                    elif not steps:
                        sys.exit(f"{page}:{number}: the block begins with no command")
                    else:
                        steps[-1][1].append(line)
                for command, expected in steps:
                    got = shell.run(command)
                    if not matches(expected, got):
                        sys.exit(f"{page}:{number}: {command}\nprints:\n" + "\n".join(got) + "\nthe page says:\n"
                                 + "\n".join(expected))
                    commands += 1
            else:
                sys.exit(f"{page}:{number}: a block of neither commands nor a file: {info}")
    print(f"{commands} commands, {files} files")
    if not commands or not files:
        sys.exit(f"{page}: nothing to do")


main()
