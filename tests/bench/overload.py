"""What is still answered when three times as much is asked as can be, and how fast the rest is refused.

usage: overload.py [--rounds N] [--seconds N]
"""

import argparse
import http.client
import json
import os
import threading
import time
import urllib.parse
from pathlib import Path

from call import question_call, register
from measure import (LOAD_CORE, TEST_CORE, Gateway, Scratch, free_port, loaded, median, need, percentile, report,
                     verdict)

TIMES = 3
# Thousands of connections are made in these seconds, some only when a lost packet was sent again.
WARM = 4
BAR_GOODPUT, BAR_REFUSED_MS = 0.8, 100.0
# The gateway's own words for "not now"; each comes with Retry-After.
REFUSALS = {"503 overloaded", "503 agent_busy", "429 caller_busy"}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--rounds", type=int, default=3, help="of capacity and overload in turn (3)")
    options.add_argument("--seconds", type=float, default=10, help="of one run (10)")
    options = options.parse_args()
    need("wrk", "taskset")
    with Scratch() as scratch:
        port = free_port()
        scratch.agent(port)
        gateway = scratch.gateway("gateway", TEST_CORE)
        gateway.wait_until_ready()
        os.sched_setaffinity(0, {LOAD_CORE})
        cases = prepare(scratch.path, gateway.url, f"http://127.0.0.1:{port}")
        for number in range(options.rounds):
            for case in cases:
                case["capacity"].append(run(gateway, case, case["connections"], 0, options.seconds))
                case["overload"].append(overload(gateway, case, options.seconds))
            print(f"round {number + 1} of {options.rounds} done")
    tell(cases, options)


def prepare(folder: Path, url: str, agent: str) -> list[dict]:
    """What can be the bottleneck: the gateway's core, one agent's share of it, its places as a whole."""
    keys = [register(url, {"agent_id": f"bench-caller-{number}"}) for number in range(8)]
    slow = [f"bench-slow-{number}" for number in range(12)]
    for name in ["bench-agent", *slow]:
        address = f"{agent}/slow/{200 if name == 'bench-agent' else 2000}"
        register(url, {"agent_id": name, "endpoint_url": address, "a2a_compliant": True, "a2a_version": "1.0"})

    def case(name: str, agents: list[str], keys: list[str], connections: int, service: float) -> dict:
        bodies, known = folder / f"{connections}.bodies", folder / f"{connections}.keys"
        bodies.write_text("".join(json.dumps(question_call(agent, 1042)) + "\n" for agent in agents))
        known.write_text("\n".join(keys) + "\n")
        return {"name": name, "bodies": bodies, "keys": known, "connections": connections, "service_s": service,
                "probes": [], "capacity": [], "overload": []}

    return [
        case("the gateway's core: hosted echo", ["guildhall-echo"], keys, 64, 0.0),
        case("one agent's places: 256, 0.2 s each", ["bench-agent"], keys, 256, 0.2),
        # Their own places are 12 times 256, and 8 callers may have 512 each: the gateway's 2,048 are fewer.
        case("the gateway's places: 2,048, 2 s each", slow, keys, 2048, 2.0),
    ]


def run(gateway: Gateway, case: dict, connections: int, wait_ms: float, seconds: float) -> dict:
    before, began = gateway.cpu(), time.monotonic()
    seen = loaded(f"{gateway.url}/call", case["bodies"], case["keys"], connections, wait_ms, seconds, WARM)
    seen["core"] = (gateway.cpu() - before) / (time.monotonic() - began)
    seen["good"] = seen["answers"].get("200", 0) / seen["seconds"]
    return seen


def overload(gateway: Gateway, case: dict, seconds: float) -> dict:
    """Three times the capacity of this round, from clients that wait a while between two requests."""
    asked = TIMES * case["capacity"][-1]["good"]
    # A connection asks once in this time: its pause, and the answers as a third of them are good.
    wait = 0.4
    turn = wait + case["service_s"] / TIMES
    connections = min(12_000, max(TIMES * case["connections"], round(asked * turn)))
    if case["service_s"] == 0:
        # A machine's sockets are fewer than so fast a gateway could answer: they ask more often.
        connections = min(connections, 3_000)
        wait = connections / asked
    probes: list[tuple[str, float]] = []
    stop = threading.Event()
    prober = threading.Thread(target=probe, args=(gateway, case, probes, stop))
    prober.start()
    seen = run(gateway, case, connections, wait * 1000, seconds)
    stop.set()
    prober.join()
    case["probes"] += probes
    part = seen["good"] * TIMES / asked
    if case["service_s"] == 0:
        # Good answers for each second of CPU: other work of the machine must not pass for the gateway's.
        part *= case["capacity"][-1]["core"] / seen["core"]
    return {**seen, "connections": connections, "asked_per_second": asked, "part": part}


def probe(gateway: Gateway, case: dict, probes: list[tuple[str, float]], stop: threading.Event) -> None:
    """One more client, a request each 10 ms: what it is told, and after how many milliseconds."""
    address = urllib.parse.urlsplit(gateway.url)
    bodies = case["bodies"].read_text().splitlines()
    key = case["keys"].read_text().splitlines()[0]
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {key}"}
    connection = http.client.HTTPConnection(address.hostname, address.port, timeout=30)
    number = 0
    stop.wait(WARM)
    while not stop.wait(0.01):
        began = time.monotonic()
        number += 1
        connection.request("POST", "/call", bodies[number % len(bodies)], headers)
        answer = connection.getresponse()
        body = answer.read()
        took = (time.monotonic() - began) * 1000
        code = "" if answer.status == 200 else f" {json.loads(body).get('code', 'no code')}"
        probes.append((f"{answer.status}{code}", took))
    connection.close()


def tell(cases: list[dict], options: argparse.Namespace) -> None:
    rows, verdicts, data = [], [], {}
    for case in cases:
        capacity, part = median(case["capacity"], "good"), median(case["overload"], "part")
        answers: dict[str, int] = {}
        for one in case["overload"]:
            for kind, count in one["answers"].items():
                answers[kind] = answers.get(kind, 0) + count
        refused = {kind: count for kind, count in answers.items() if kind != "200"}
        strange = {kind: count for kind, count in refused.items() if kind not in REFUSALS}
        broken = sum(one["broken"] + one["timeouts"] for one in case["capacity"] + case["overload"])
        no, yes = ([ms for kind, ms in case["probes"] if (kind == "200") == good] for good in (False, True))
        seen = {
            "capacity": capacity,
            "asked": sum(one["counted"] / one["seconds"] for one in case["overload"]) / len(case["overload"]),
            "connections": case["overload"][-1]["connections"],
            "goodput": median(case["overload"], "good"),
            "part": part,
            "core": f"{median(case['capacity'], 'core'):.0%} {median(case['overload'], 'core'):.0%}",
            "good_p99_ms": percentile(yes, 0.99),
            "refused": sum(refused.values()) / max(1, sum(answers.values())),
            "refused_p50_ms": percentile(no, 0.5) if no else "",
            "refused_p99_ms": percentile(no, 0.99) if no else "",
        }
        rows.append([case["name"], *seen.values()])
        verdicts.append(verdict(f"{case['name']}: goodput to capacity", part, BAR_GOODPUT, "x", least=True))
        if no:
            verdicts.append(verdict(f"{case['name']}: refusals at p99", percentile(no, 0.99), BAR_REFUSED_MS, "ms"))
        verdicts.append(verdict(f"{case['name']}: answers that are no coded refusal", sum(strange.values()), 0, ""))
        verdicts.append(verdict(f"{case['name']}: connections broken, answers late", broken, 0, ""))
        rounds = {name: case[name] for name in ("capacity", "overload")}
        data[case["name"]] = {**seen, "answers": answers, "strange": strange, "rounds": rounds}
        verdicts.append(f"     refused with: {', '.join(f'{k}: {n:,}' for k, n in refused.items()) or 'nothing'}")
    columns = ["bottleneck", "capacity/s", "answers/s", "conns", "good/s", "x capacity", "core used", "good p99 ms", "refused",
               "p50 ms", "p99 ms"]
    notes = [
        f"Medians of {options.rounds} interleaved rounds of {options.seconds:g} s. Capacity is what a closed loop of as",
        f"many connections as there are places is answered; then {TIMES} times that is asked by clients that pause between",
        "two requests. The times are those of one more client that asks each 10 ms, on the core of the load.",
        "Where the gateway's core is the bottleneck, x capacity compares good answers for each second of its CPU.",
        "Core used: what the gateway had of its core, at capacity and overloaded; less than 100 % there means that the load",
        "or other work of the machine was the bottleneck.",
        "",
        *verdicts,
    ]
    report("overload", "Three times what can be answered", columns, rows, notes, {"cases": data, "verdicts": verdicts})


if __name__ == "__main__":
    main()
