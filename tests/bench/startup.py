"""How fast the program is ready on an empty store, and what it holds when idle.

usage: startup.py [--rounds N] [--idle SECONDS]
"""

import argparse
import os
import shutil
import time

from measure import TEST_CORE, Scratch, guildhall, median, need, report


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--rounds", type=int, default=11, help="starts of each kind (11)")
    options.add_argument("--idle", type=float, default=5, help="seconds before memory is read (5)")
    options = options.parse_args()
    need("taskset")
    empty, again = [], []
    with Scratch() as scratch:
        for number in range(options.rounds):
            shutil.rmtree(scratch.path / "data", ignore_errors=True)
            last = number == options.rounds - 1
            empty.append(start(scratch, f"empty-{number}", options.idle if last else 0))
            again.append(start(scratch, f"again-{number}", 0))
    size = os.path.getsize(guildhall()) / 2**20
    rows = [
        ["ready on an empty store, ms", median(empty, "ready_ms"), "300"],
        ["slowest of them, ms", max(one["ready_ms"] for one in empty), ""],
        ["ready on the store made so, ms", median(again, "ready_ms"), ""],
        [f"resident memory after {options.idle:g} s, MiB", empty[-1]["rss_mib"], "60 MB"],
        ["the program, MiB", size, ""],
    ]
    notes = [f"Medians of {options.rounds} starts on one core, from the start of the process to the first 200 of /ready."]
    report("startup", "Start", ["figure", "seen", "bar"], rows, notes, {"empty": empty, "again": again, "size_mib": size})


def start(scratch: Scratch, name: str, idle: float) -> dict:
    gateway = scratch.gateway(name, TEST_CORE)
    seen = {"ready_ms": gateway.wait_until_ready() * 1000}
    time.sleep(idle)
    seen["rss_mib"] = gateway.rss()
    gateway.stop()
    return seen


if __name__ == "__main__":
    main()
