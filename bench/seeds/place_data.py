"""Trees, alignments and reads drawn with a seed: the same files for the same numbers.

A birth tree (each tip splits as likely as any other), letters that change along its branches, gaps that are inherited:
some columns are gaps but below the branch that fills them, others are lost below some branch. No column is all gaps.
Reads are pieces of tips without gaps, a few letters of them drawn anew, left out or put in.
"""

import random

LETTERS = b"ACGT"
GAP = ord("-")
CHANGED = 1.0  # changes of a column along a branch of length 1
LOST = 0.02  # gaps that begin in a column along a branch of length 1
FILLED = 0.2  # share of columns that some branch fills
RUN = 8  # columns of a gap, on average
ERRORS = 0.03  # of a read's letters; a sixth of them left out, a sixth put in


class Node:
    def __init__(self, length):
        self.length, self.children, self.name = length, [], None


def birth_tree(tips, dice):
    """Three branches at the root; lengths of 0.02 to 0.08."""
    root = Node(0.0)
    root.children = [Node(dice.uniform(0.02, 0.08)) for _ in range(3)]
    ends = list(root.children)
    while len(ends) < tips:
        at = dice.randrange(len(ends))
        ends[at].children = [Node(dice.uniform(0.02, 0.08)) for _ in range(2)]
        ends[at], other = ends[at].children
        ends.append(other)
    for number, end in enumerate(ends):
        end.name = f"t{number}"
    return root


def in_order(root):
    """(node, parent), parents first; no recursion, as trees may be deep."""
    waiting = [(root, None)]
    while waiting:
        node, parent = waiting.pop()
        yield node, parent
        waiting.extend((child, node) for child in reversed(node.children))


def newick(root):
    texts = {}
    for node, parent in reversed(list(in_order(root))):
        inner = f"({','.join(texts.pop(id(child)) for child in node.children)})" if node.children else node.name
        texts[id(node)] = f"{inner}:{node.length:.5f}" if parent else f"{inner};"
    return texts[id(root)]


def often(mean, dice):
    """A whole number of this mean."""
    return int(mean) + (dice.random() < mean - int(mean))


def run_length(dice):
    return 1 + int(dice.expovariate(1 / RUN))


class Evolution:
    """Rows along a tree. `filled`: of a node, the columns (begin, end) that the branch above it fills."""

    def __init__(self, root, columns, dice):
        self.dice, self.columns = dice, columns
        below = [id(node) for node, parent in in_order(root) if parent]
        self.row = bytearray(dice.choices(LETTERS, k=columns))
        self.filled, at = {}, 0
        while at < columns:
            end = min(at + run_length(dice), columns)
            if dice.random() < FILLED:
                self.row[at:end] = bytes([GAP]) * (end - at)
                self.filled.setdefault(dice.choice(below), []).append((at, end))
            at = end
        self.kept = bytes(letter != GAP for letter in self.row)  # columns that may be lost: those the root has

    def below(self, row, node):
        row, random = bytearray(row), self.dice.random
        for _ in range(often(self.columns * node.length * CHANGED, self.dice)):
            at = int(random() * self.columns)
            if row[at] != GAP:
                row[at] = LETTERS[int(random() * 4)]
        for _ in range(often(self.columns * node.length * LOST / RUN, self.dice)):
            at = int(random() * self.columns)
            for column in range(at, min(at + run_length(self.dice), self.columns)):
                if self.kept[column]:
                    row[column] = GAP
        for begin, end in self.filled.get(id(node), ()):
            row[begin:end] = bytes(self.dice.choices(LETTERS, k=end - begin))
        return row


def write_references(folder, tips, columns, seed):
    """tree.nwk and reference.phy in `folder`; the tips' rows without gaps."""
    dice = random.Random(seed)
    root = birth_tree(tips, dice)
    (folder / "tree.nwk").write_text(newick(root) + "\n")
    evolution = Evolution(root, columns, dice)
    rows, bare = {}, []
    with open(folder / "reference.phy", "wb") as out:
        out.write(f"{tips} {columns}\n".encode())
        for node, parent in in_order(root):
            row = evolution.below(rows[id(parent)][0], node) if parent else evolution.row
            if parent:
                rows[id(parent)][1] -= 1
                if rows[id(parent)][1] == 0:
                    del rows[id(parent)]
            if node.children:
                rows[id(node)] = [row, len(node.children)]
            else:
                out.write(f"{node.name} ".encode() + row + b"\n")
                bare.append(bytes(row).replace(b"-", b""))
    return bare


def read_of(letters, length, dice):
    begin = dice.randrange(max(1, len(letters) - length))
    out = bytearray()
    for letter in letters[begin : begin + length]:
        what = dice.random() / ERRORS
        if what >= 1:
            out.append(letter)
        elif what < 1 / 6:
            continue
        else:
            out.append(dice.choice(LETTERS))
            if what < 1 / 3:
                out.append(letter)
    return bytes(out)


def write_reads(path, bare, reads, shortest, longest, seed):
    """Reads of lengths spread evenly, of tips drawn evenly."""
    dice = random.Random(seed)
    with open(path, "wb") as out:
        for number in range(reads):
            length = dice.randint(shortest, longest)
            out.write(b">r%d\n%s\n" % (number, read_of(dice.choice(bare), length, dice)))
