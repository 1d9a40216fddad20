"""How fast `/match` finds among many agents, and what the index costs.

usage: match.py [--agents N] [--seconds N] [--rounds N] [--questions N] [--folder DIR]

With --folder the store is kept there and used again when it is already filled.
"""

import argparse
import json
import os
import subprocess
import time
from pathlib import Path

import corpus
from measure import TEST_CORE, Scratch, ask, guildhall, median, need, report, wrk


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--agents", type=int, default=500_000, help="listings (500000)")
    options.add_argument("--questions", type=int, default=1_000, help="different questions, in turn (1000)")
    options.add_argument("--seconds", type=float, default=10, help="of one run (10)")
    options.add_argument("--rounds", type=int, default=3, help="of each kind (3)")
    options.add_argument("--folder", type=Path, help="keep the store in this folder")
    options = options.parse_args()
    need("wrk", "taskset")
    with Scratch(options.folder) as scratch:
        bodies = prepare(scratch.path, options)
        index = start_and_build(scratch)
        restarts = [restart(scratch, number) for number in range(options.rounds)]
        gateway = scratch.gateway("serving", TEST_CORE)
        gateway.wait_until_ready()
        found = check(gateway.url, bodies)
        wrk(f"{gateway.url}/match", bodies, 8, 3)
        rounds: dict[int, list[dict]] = {1: [], 8: []}
        for _ in range(options.rounds):
            for connections, seen in rounds.items():
                seen.append(run(gateway, bodies, connections, options.seconds))
        health = json.loads(ask(f"{gateway.url}/health")[1])
        index["index_mib"] = health["index"]["bytes_on_disk"] / 2**20
        tell(options, found, index, restarts, rounds)


def prepare(folder: Path, options: argparse.Namespace) -> Path:
    """A filled store without an index, and a file of questions."""
    bodies = folder / "questions"
    filled = folder / "filled"
    if filled.exists() and filled.read_text() == f"{options.agents} {options.questions}":
        print(f"using the store in {folder}")
        return bodies
    env = {**os.environ, "GUILDHALL_DATA_DIR": str(folder / "data")}
    subprocess.run([guildhall(), "migrate", "up"], check=True, env=env, stdout=subprocess.DEVNULL)
    began = time.monotonic()
    asked = corpus.fill(folder / "data/guildhall.db", options.agents, options.questions)
    bodies.write_text("".join(json.dumps(question) + "\n" for question in asked))
    filled.write_text(f"{options.agents} {options.questions}")
    print(f"wrote {options.agents} agents in {time.monotonic() - began:.0f} s")
    return bodies


def start_and_build(scratch: Scratch) -> dict:
    """The first start makes the index, unless a kept folder has one."""
    gateway = scratch.gateway("building", TEST_CORE)
    built = gateway.wait_until_ready()
    print(f"ready after {built:.1f} s")
    figures = {"first_ready_s": built, "rss_after_building_mib": gateway.rss()}
    gateway.stop()
    figures["database_mib"] = (scratch.path / "data/guildhall.db").stat().st_size / 2**20
    return figures


def restart(scratch: Scratch, number: int) -> dict:
    gateway = scratch.gateway(f"restart-{number}", TEST_CORE)
    seen = {"ready_s": gateway.wait_until_ready(), "rss_mib": gateway.rss()}
    gateway.stop()
    return seen


def check(url: str, bodies: Path) -> dict:
    """Every question is answered, by agents that pass its filters; counts what came."""
    hits = []
    sizes = []
    for line in bodies.read_bytes().splitlines()[:200]:
        status, answer = ask(f"{url}/match", line, {"Content-Type": "application/json"})
        if status != 200:
            raise SystemExit(f"/match: {status} {answer[:300]!r}")
        items = json.loads(answer)["items"]
        for item in items:
            agent = item["agent"]
            if agent["message_protocol"] != "a2a" or "x402" not in agent["settlement_rail"]:
                raise SystemExit(f"/match gave an agent that the filters exclude: {agent['agent_id']}")
        hits.append(len(items))
        sizes.append(len(answer))
    if not any(hits):
        raise SystemExit("no question found an agent")
    return {
        "hits_mean": sum(hits) / len(hits),
        "questions_without_a_hit": hits.count(0) / len(hits),
        "answer_bytes_mean": sum(sizes) / len(sizes),
    }


def run(gateway, bodies: Path, connections: int, seconds: float) -> dict:
    before = gateway.cpu()
    seen = wrk(f"{gateway.url}/match", bodies, connections, seconds)
    seen["cpu_us"] = (gateway.cpu() - before) * 1e6 / seen["requests"]
    seen["rss_mib"] = gateway.rss()
    seen["per_second"] = seen["requests"] / seen["seconds"]
    return seen


def tell(options: argparse.Namespace, found: dict, index: dict, restarts: list[dict], rounds: dict) -> None:
    single, busy = rounds[1], rounds[8]
    rows = [
        ["p50 at one connection, ms", median(single, "p50_us") / 1000, "3"],
        ["p99 at one connection, ms", median(single, "p99_us") / 1000, "12"],
        ["answers per core second, by CPU", 1e6 / median(busy, "cpu_us"), "700"],
        ["answers per second seen, one core, 8 connections", median(busy, "per_second"), ""],
        ["index on disk, MiB", index["index_mib"], "200 MB"],
        ["restart to ready, s", median(restarts, "ready_s"), "2"],
        ["resident memory when ready, MiB", median(restarts, "rss_mib"), "500"],
        ["resident memory after the load, MiB", max(one["rss_mib"] for one in single + busy), ""],
        ["first start to ready (makes the index), s", index["first_ready_s"], ""],
        ["database, MiB", index["database_mib"], ""],
        ["hits of a question, mean", found["hits_mean"], ""],
        ["bytes of an answer, mean", found["answer_bytes_mean"], ""],
    ]
    notes = [
        f"{options.agents:,} agents; {options.questions:,} questions of three words and two filters, limit 20, in turn.",
        f"Medians of {options.rounds} rounds of {options.seconds:g} s over HTTP; the gateway has one core alone.",
    ]
    data = {"agents": options.agents, "found": found, "index": index, "restarts": restarts, "rounds": rounds}
    report("match", "Finding agents", ["figure", "seen", "bar"], rows, notes, data)


if __name__ == "__main__":
    main()
