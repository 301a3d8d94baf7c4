"""tools/gpu-check over the fake CUDA driver: a tiny folder runs, its result keeps the schema, and a wrong score, a
kernel that does not start and a lost device are named and end in exit status 1.

Usage: fake_test.py SOURCE BUILD
"""
import hashlib
import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile

try:
    import jsonschema
except ImportError:
    print("skipped: no python3-jsonschema")
    sys.exit(77)

source, build = map(pathlib.Path, sys.argv[1:3])
schema = json.loads((source / "tools/gpu_check/result.schema.json").read_text())
work = pathlib.Path(tempfile.mkdtemp(prefix="gpu-check-"))
counter = 0
SPECS = ("anyseq-global-linear", "papara-eq1", "check-sg-db-b62-aff11-1")


def environment(**fake):
    # What the driver compiles it keeps: every run of the folder starts from the same kernel texts.
    values = dict(os.environ, ALNSMITH_BUILD=str(build), LD_LIBRARY_PATH=str(build / "fake"),
                  SIMT_FAKE_CACHE=str(build / "simt-cache"))
    values.update({f"SIMT_FAKE_{name}": value for name, value in fake.items()})
    return values


def run(folder, expected_status, **fake):
    """The result of one run, which must end in this status."""
    global counter
    counter += 1
    out = work / f"result-{counter}.json"
    command = [source / "tools/gpu-check", "run", folder, "--out", out, "--date", "2000-01-02", "--limit", "1500"]
    done = subprocess.run(command, env=environment(**fake), capture_output=True, text=True)
    assert done.returncode == expected_status, (done.returncode, done.stdout[-3000:], done.stderr[-3000:])
    result = json.loads(out.read_text())
    jsonschema.validate(result, schema)
    return result, done.stdout


def spoil(folder, listed=True):
    """One expected score less by one; `listed`: as if prepared so."""
    path = sorted((folder / "expected").glob("test-check-nw-*.bin"))[0]
    bytes_ = bytearray(path.read_bytes())
    struct.pack_into("<i", bytes_, 0, struct.unpack_from("<i", bytes_, 0)[0] - 1)
    path.write_bytes(bytes_)
    if listed:
        index = json.loads((folder / "index.json").read_text())
        index["files"][path.relative_to(folder).as_posix()] = hashlib.sha256(bytes_).hexdigest()
        (folder / "index.json").write_text(json.dumps(index))
    return path.stem.removeprefix("test-")


try:
    folder = work / "folder"
    done = subprocess.run(
        [source / "tools/gpu-check", "prepare", folder, "--fake", "--specs", ",".join(SPECS), "--matrix", "2"],
        env=dict(os.environ, ALNSMITH_BUILD=str(build)), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    assert sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) < 40 << 20

    # It lies elsewhere than it was made.
    moved = work / "moved"
    folder.rename(moved)
    result, text = run(moved, 0)
    assert result["complete"] and not result["failures"], result["failures"]
    assert result["pipes"]["status"] == "unavailable"
    kernels = [test["kernel"] for test in result["tests"]]
    assert len(kernels) == len(set(kernels)) >= 12, kernels
    assert all(test["status"] == "ok" for test in result["tests"])
    assert {test["spec"] for test in result["tests"]} >= {"anyseq-global-linear"} and len({t["spec"] for t in result["tests"]}) == 5
    assert sum(test["compared"] for test in result["tests"]) > 500
    # A band of each alignment's own, flags as a state more, and a block whose borders lie in shared memory together.
    for part in ("papara_eq1", "check_sg_db_b62_aff11_1"):
        assert any(part in kernel and "_block_" in kernel for kernel in kernels), kernels
    # Every third point of the matrix is whole alignments: by codes of all cells, borders and sections.
    assert {test["ways"] for test in result["tests"]} == {1, 3}, result["tests"]
    chosen = [bench for bench in result["benches"] if bench["chosen"]]
    assert {"linear-512", "linear-4096", "linear-long-reads", "placement-eq1"} <= {bench["name"] for bench in chosen}
    assert all(bench["status"] == "ok" and bench["compared"] > 0 and bench["tcups"] > 0 for bench in chosen)
    assert "linear-512" in text and "passed" in text

    # What follows is about failures: one bench is enough to be lost in, and the matrix's points with a kernel each.
    index = json.loads((moved / "index.json").read_text())
    index["benches"] = [bench for bench in index["benches"] if bench["name"] == "linear-150"]
    assert len(index["benches"]) == 1
    index["tests"] = [test for test in index["tests"] if test["spec"] not in SPECS]
    assert len(index["tests"]) == 2
    (moved / "index.json").write_text(json.dumps(index))

    # A wrong score is named by its kernels; the others still pass.
    spoiled = work / "spoiled"
    shutil.copytree(moved, spoiled)
    spec = spoil(spoiled)
    result, text = run(spoiled, 1)
    wrong = {test["spec"] for test in result["tests"] if test["status"] == "wrong"}
    assert wrong == {spec}, wrong
    assert any(test["status"] == "ok" for test in result["tests"])
    assert all(test["kernel"] in text for test in result["tests"] if test["status"] == "wrong")
    shutil.rmtree(spoiled)

    # What `prepare` did not write is not read, nor what others may write to.
    shutil.copytree(moved, spoiled)
    spoil(spoiled, listed=False)
    result, text = run(spoiled, 1)
    assert any("does not have its hash" in failure for failure in result["failures"]), result["failures"]
    assert not result["tests"] and "does not have its hash" in text, text
    shutil.rmtree(spoiled)
    shutil.copytree(moved, spoiled)
    for part in (spoiled / "kernels").iterdir():
        part.chmod(0o666)
    result, text = run(spoiled, 1)
    assert all("others" in failure for failure in result["failures"]) and result["failures"], result["failures"]
    shutil.rmtree(spoiled)

    # A launch that fails costs one kernel, a device that is lost costs one and starts the program again.
    result, text = run(moved, 1, FAIL_LAUNCH="2")
    failed = [test for test in result["tests"] if test["status"] == "failed"]
    assert len(failed) == 1 and failed[0]["kernel"] in text, result["failures"]
    result, text = run(moved, 1, LOST="200")
    assert 2 <= len(result["failures"]) <= 3 and "lost" in text, result["failures"]
    assert any(test["status"] == "ok" for test in result["tests"])

    # No device: one line, exit status 1.
    done = subprocess.run([moved / "gpu-check-run", moved], env=environment(DEVICES="0"), capture_output=True, text=True)
    assert done.returncode == 1 and done.stderr.count("\n") == 1 and "cuda:0" in done.stderr, done.stderr
    print("passed")
finally:
    shutil.rmtree(work, ignore_errors=True)
