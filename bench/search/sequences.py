"""FASTA files read, and databases of random proteins with planted homologs: the same bytes for the same seed.

In:  a file of real proteins, which gives lengths and letters; queries, of which mutated copies are planted; a seed.
Out: a FASTA file, one line per sequence. Homologs are named `homolog-N-of-QUERY-SHARE`, the others `random-N`.

    python3 sequences.py --like db.fasta.gz --queries q.fasta --residues 50000000 --seed 1 --out large.fasta
"""

import argparse
import gzip
import os
import pathlib
import random
import sys

DIVERGENCES = (0.2, 0.4, 0.6, 0.8)  # share of letters drawn anew; a twentieth of it begins a gap
COPIES = 4  # of each query at each of them
CHUNK = 1 << 20


def read_fasta(path):
    """(name, letters) of each record; the name is the header's first word."""
    opened = gzip.open(path, "rt") if str(path).endswith(".gz") else open(path)
    name, parts = None, []
    with opened as lines:
        for line in lines:
            if line.startswith(">"):
                if name is not None:
                    yield name, "".join(parts)
                name, parts = line[1:].split(None, 1)[0], []
            else:
                parts.append(line.strip())
    if name is not None:
        yield name, "".join(parts)


class Letters:
    """Letters as the given ones occur. A byte stands for a letter; what 256 cannot share out is drawn for each chunk,
    so that shares are right over many chunks."""

    def __init__(self, counts, dice):
        total = sum(counts.values())
        self.dice = dice
        self.shares = {letter: 256 * n / total for letter, n in sorted(counts.items())}
        self.rest, self.at = b"", 0

    def chunk(self):
        table = "".join(letter * int(share) for letter, share in self.shares.items())
        parts = [share - int(share) for share in self.shares.values()]
        table += "".join(self.dice.choices(list(self.shares), parts, k=256 - len(table)))
        return self.dice.randbytes(CHUNK).translate(table.encode())

    def take(self, n):
        while len(self.rest) - self.at < n:
            self.rest, self.at = self.rest[self.at :] + self.chunk(), 0
        self.at += n
        return self.rest[self.at - n : self.at].decode()


def mutated(letters, divergence, source, dice):
    """A copy, each letter drawn anew with this probability; gaps of 3 letters on average."""
    out, gap = [], 0
    for letter in letters:
        if gap:
            gap -= 1
            continue
        if dice.random() < divergence / 20:
            length = 1 + int(dice.expovariate(1 / 2.0))
            if dice.random() < 0.5:
                gap = length
            else:
                out.append(source.take(length))
        out.append(source.take(1) if dice.random() < divergence else letter)
    return "".join(out)


def homologs(queries, source, dice):
    """Copies inside random letters, as domains are."""
    for name, letters in queries:
        for divergence in DIVERGENCES:
            for copy in range(1, COPIES + 1):
                middle = mutated(letters, divergence, source, dice)
                around = [source.take(dice.randrange(200)) for _ in range(2)]
                yield f"homolog-{copy}-of-{name}-{divergence}", around[0] + middle + around[1]


def random_database(like, queries, residues, seed, out, lengths=None):
    """Writes `residues` letters or a few more, beside and then renamed. `lengths`: draws a length from the dice; else
    those of `like`. Returns (sequences, residues)."""
    dice = random.Random(seed)
    counts, own_lengths = {}, []
    for _, letters in read_fasta(like):
        own_lengths.append(len(letters))
        for letter in set(letters):
            counts[letter] = counts.get(letter, 0) + letters.count(letter)
    source = Letters(counts, dice)
    lengths = lengths or (lambda dice: dice.choice(own_lengths))
    planted = list(homologs(queries, source, dice))
    dice.shuffle(planted)
    every = residues / (len(planted) + 1)  # letters from one of them to the next
    n = written = 0
    planted_at = every
    beside = pathlib.Path(f"{out}.part")
    with beside.open("w") as file:
        while written < residues or planted:
            if planted and (written >= residues or written >= planted_at):
                name, letters = planted.pop()
                planted_at += every
            else:
                name, letters = f"random-{n + 1}", source.take(lengths(dice))
            file.write(f">{name}\n{letters}\n")
            n += 1
            written += len(letters)
    os.replace(beside, out)
    return n, written


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--like", required=True, help="FASTA, plain or gzip: whose lengths and letters are taken")
    parser.add_argument("--queries", required=True, help="FASTA: whose homologs are planted")
    parser.add_argument("--residues", type=lambda text: int(float(text)), required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", required=True)
    given = parser.parse_args()
    n, written = random_database(given.like, list(read_fasta(given.queries)), given.residues, given.seed, given.out)
    print(f"sequences={n} residues={written}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
