"""Programs timed from the outside, in turns; what the machine is, how loaded it was, what power it took.

Wall time is from the start of a program to its end. CPU time is the program's own and its children's: on a machine
that others load the two differ, and a program of one thread should be compared by both.
"""

import ctypes
import os
import pathlib
import platform
import statistics
import subprocess
import time

POWER = pathlib.Path("/sys/class/powercap")


class Failed(Exception):
    """A program that could not be run or exited with an error: one line."""


def machine():
    """CPU, as /proc/cpuinfo says: virtual machines give family and model where they hide the name."""
    facts = {}
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        key, _, value = line.partition(":")
        facts.setdefault(key.strip(), value.strip())
    return {
        "cpu": facts.get("model name", "unknown"),
        "family": facts.get("cpu family", "unknown"),
        "model": facts.get("model", "unknown"),
        "cpus": os.cpu_count(),
        "kernel": platform.release(),
        "virtual": "hypervisor" in facts.get("flags", "").split(),
    }


class Energy:
    """Joules that packages (RAPL) and NVIDIA GPUs (NVML) have counted; `why` says why there are none."""

    def __init__(self, powercap=POWER, nvml="libnvidia-ml.so.1"):
        self.files = sorted(p for p in powercap.glob("intel-rapl:*/energy_uj") if p.parent.name.count(":") == 1)
        self.files = [p for p in self.files if os.access(p, os.R_OK)]
        self.devices = []
        try:
            self.nvml = ctypes.CDLL(nvml)
            if self.nvml.nvmlInit_v2() == 0:
                count = ctypes.c_uint()
                self.nvml.nvmlDeviceGetCount_v2(ctypes.byref(count))
                for i in range(count.value):
                    handle = ctypes.c_void_p()
                    if self.nvml.nvmlDeviceGetHandleByIndex_v2(i, ctypes.byref(handle)) == 0:
                        self.devices.append(handle)
        except (OSError, AttributeError):
            pass
        self.why = "" if self.files or self.devices else f"no readable energy_uj below {powercap}, no NVML"

    def read(self):
        """(counter, its range) of each, in joules; a range of None never wraps."""
        out = []
        for path in self.files:
            limit = path.parent / "max_energy_range_uj"
            out.append((int(path.read_text()) * 1e-6, int(limit.read_text()) * 1e-6 if limit.exists() else None))
        for handle in self.devices:
            millijoules = ctypes.c_ulonglong()
            if self.nvml.nvmlDeviceGetTotalEnergyConsumption(handle, ctypes.byref(millijoules)) == 0:
                out.append((millijoules.value * 1e-3, None))
        return out

    @staticmethod
    def joules(before, after):
        """What was used between two readings; None where there is no counter."""
        if not before or len(before) != len(after):
            return None
        used = 0.0
        for (first, limit), (last, _) in zip(before, after):
            used += last - first if last >= first or limit is None else last - first + limit
        return used


def timed(words, out=None, environment=None, first_line=False, energy=None):
    """One run: seconds, cpu_seconds, peak_bytes, stderr, joules; `first_line`: seconds until stdout had a line that is
    no header too. stdout goes to `out`. Raises Failed."""
    before = energy.read() if energy else []
    errors = pathlib.Path(f"{out}.stderr")
    with open(out, "wb") as output, open(errors, "wb") as complaints:
        start = time.perf_counter()
        try:
            child = subprocess.Popen(
                [str(word) for word in words],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE if first_line else output,
                stderr=complaints,
                env={**os.environ, **(environment or {})},
            )
        except OSError as why:
            raise Failed(f"{words[0]}: {why.strerror}") from why
        until_first = None
        try:
            for line in child.stdout or ():
                if until_first is None and not line.startswith((b"#", b"@")):
                    until_first = time.perf_counter() - start
                output.write(line)
            _, status, usage = os.wait4(child.pid, 0)
        except KeyboardInterrupt:
            child.kill()
            child.wait()
            raise
        seconds = time.perf_counter() - start
        child.returncode = os.waitstatus_to_exitcode(status)
    said = errors.read_text(errors="replace")
    errors.unlink()
    if child.returncode != 0:
        lines = said.strip().splitlines() or ["nothing on stderr"]
        raise Failed(f"{' '.join(str(word) for word in words)}: exit status {child.returncode}: {lines[-1]}")
    result = {
        "seconds": seconds,
        "cpu_seconds": usage.ru_utime + usage.ru_stime,
        "peak_bytes": usage.ru_maxrss * 1024,
        "stderr": said,
        "joules": Energy.joules(before, energy.read()) if energy else None,
    }
    if first_line:
        if until_first is None:
            raise Failed(f"{words[0]}: printed no hit")
        result["first_line_seconds"] = until_first
    return result


def in_turns(runs, repeats, once=()):
    """name -> list of results: repeat by repeat, each in its turn, the order turned round every other time. `runs`: name
    -> function; those of `once` in the last repeat alone. Interrupted, what has run so far is given. The load average
    stands beside each."""
    results = {name: [] for name in runs}
    try:
        for repeat in range(repeats):
            for name in list(runs) if repeat % 2 == 0 else list(runs)[::-1]:
                if name in once and repeat < repeats - 1:
                    continue
                result = runs[name]()
                result["load"] = round(os.getloadavg()[0], 1)
                results[name].append(result)
    except KeyboardInterrupt:
        if not any(results.values()):
            raise
    return {name: own for name, own in results.items() if own}


def summary(results, cells):
    """The line of a contender: all times, their medians, GCUPS of the median. `cells`: of the case, not those that a
    contender says it computed."""
    line = {"cells": cells}
    for key in ("seconds", "cpu_seconds", "first_line_seconds"):
        if key in results[0]:
            line[key] = [round(result[key], 6) for result in results]
            line["median_" + key] = round(statistics.median(line[key]), 6)
    line["gcups"] = round(cells * 1e-9 / line["median_seconds"], 3)
    line["cpu_gcups"] = round(cells * 1e-9 / max(line["median_cpu_seconds"], 1e-6), 3)
    line["peak_bytes"] = max(result["peak_bytes"] for result in results)
    line["load"] = [result["load"] for result in results]
    joules = [result["joules"] for result in results if result["joules"] is not None]
    line["gcups_per_watt"] = round(cells * 1e-9 / statistics.median(joules), 4) if joules else None
    return line
