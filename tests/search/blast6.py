"""Reads blast6 with Biopython's parser and compares with the JSON Lines of the same search.

usage: blast6.py PROGRAM QUERIES TARGETS

Exit status 77 where Biopython is not installed (Debian: python3-biopython).
"""
import io
import json
import subprocess
import sys

try:
    from Bio import SearchIO
except ImportError:
    print("Biopython is not here")
    sys.exit(77)


def search(program, queries, targets, *options):
    command = [program, "search", "--spec", "protein-local-blosum62", "--query", queries, "--db", targets,
               "--evalue", "100", "--quiet", *options]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def main():
    program, queries, targets = sys.argv[1:4]
    table = search(program, queries, targets, "--format", "blast6")
    wanted = [json.loads(line) for line in search(program, queries, targets, "--format", "jsonl").splitlines()]
    got = []
    for result in SearchIO.parse(io.StringIO(table), "blast-tab"):
        for hit in result:
            for hsp in hit:
                got.append((hsp.query_id, hsp.hit_id, hsp.query_start, hsp.query_end, hsp.hit_start, hsp.hit_end,
                            hsp.aln_span, hsp.mismatch_num, f"{hsp.evalue:.2e}", hsp.bitscore))
    own = [(hit["query"], hit["target"], hit["query_begin"], hit["query_end"] + 1, hit["target_begin"],
            hit["target_end"] + 1, hit["matches"] + hit["mismatches"] + hit["gaps"], hit["mismatches"],
            f"{hit['evalue']:.2e}", round(hit["bits"], 1)) for hit in wanted]
    if len(own) < 10 or sorted(got) != sorted(own):
        print("differ:", [pair for pair in zip(sorted(got), sorted(own)) if pair[0] != pair[1]][:5], len(got), len(own))
        return 1
    print(f"{len(own)} hits read back")
    return 0


if __name__ == "__main__":
    sys.exit(main())
