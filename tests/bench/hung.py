"""What an agent that never answers costs the callers of one that does.

usage: hung.py [--rounds N] [--seconds N]
"""

import argparse
import json
import os
import subprocess
import time
from pathlib import Path

from call import nginx, question_call, register, said_by_agent
from measure import HERE, LOAD_CORE, TEST_CORE, Gateway, Scratch, ask, free_port, loaded, median, need, report, verdict

# The healthy agent is asked at a pace that keeps no queue, so that its p99 shows what is in its way.
HEALTHY, PAUSE_MS = 32, 40
# More than the 256 that one agent may hold, each asking again a while after it was refused.
HUNG, HUNG_PAUSE_MS = 400, 500
# As shipped: how long an agent may take; five such calls, and it is left alone.
PATIENCE = 30

BAR_RATIO = 1.25


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--rounds", type=int, default=4, help="of all phases in turn (4)")
    options.add_argument("--seconds", type=float, default=8, help="of one run (8)")
    options = options.parse_args()
    need("nginx", "wrk", "taskset")
    if 2 * options.seconds > PATIENCE - 6:
        raise SystemExit("a run must end before the hung agent's calls do: at most 12 seconds")
    phases = {name: [] for name in ("alone", "alone again", "the other one hangs", "the other one is left alone")}
    with Scratch() as scratch:
        gateway, files = prepare(scratch)
        os.sched_setaffinity(0, {LOAD_CORE})
        for number in range(options.rounds):
            # Twice: a ratio means nothing below the difference of two equal runs.
            phases["alone"].append(run(gateway, files, options.seconds))
            phases["alone again"].append(run(gateway, files, options.seconds))
            hammer = start_hammer(gateway, files)
            began = time.monotonic()
            time.sleep(3)
            held = in_flight(gateway)
            phases["the other one hangs"].append({**run(gateway, files, options.seconds), "held": held})
            time.sleep(max(0.0, began + PATIENCE + 2 - time.monotonic()))
            refused = refusal(gateway, files)
            left = run(gateway, files, options.seconds)
            phases["the other one is left alone"].append({**left, "held": in_flight(gateway), "refusal": refused})
            hammer.terminate()
            hammer.wait()
            # It is tried again ten seconds after it failed; the next round starts with a clean slate.
            time.sleep(1)
            print(f"round {number + 1} of {options.rounds} done")
    tell(phases, options)


def prepare(scratch: Scratch) -> tuple[Gateway, dict[str, Path]]:
    healthy_port, hung_port = free_port(), free_port()
    answer = json.dumps(said_by_agent(840), separators=(",", ":"))
    nginx(scratch, "healthy", LOAD_CORE, healthy_port, "", f"location / {{ return 200 '{answer}'; }}")
    scratch.agent(hung_port)
    gateway = scratch.gateway("gateway", TEST_CORE)
    gateway.wait_until_ready()
    # One caller for both: the worst case, since it shares its own places with the calls that hang.
    key = register(gateway.url, {"agent_id": "bench-caller"})
    addresses = {"healthy": f"http://127.0.0.1:{healthy_port}/", "hung": f"http://127.0.0.1:{hung_port}/hang"}
    files = {"keys": scratch.path / "keys"}
    files["keys"].write_text(key + "\n")
    for name, address in addresses.items():
        agent = {"agent_id": f"bench-{name}", "endpoint_url": address, "a2a_compliant": True, "a2a_version": "0.3"}
        register(gateway.url, agent)
        files[name] = scratch.path / f"{name}.bodies"
        files[name].write_text(json.dumps(question_call(f"bench-{name}", 1042), separators=(",", ":")) + "\n")
    return gateway, files


def run(gateway: Gateway, files: dict[str, Path], seconds: float) -> dict:
    before = gateway.cpu()
    seen = loaded(f"{gateway.url}/call", files["healthy"], files["keys"], HEALTHY, PAUSE_MS, seconds)
    seen["cpu_us"] = (gateway.cpu() - before) * 1e6 / seen["requests"]
    seen["failed"] = seen["broken"] + seen["timeouts"] + seen["requests"] - seen["answers"].get("200", 0)
    return seen


def start_hammer(gateway: Gateway, files: dict[str, Path]) -> subprocess.Popen:
    command = ["taskset", "-c", str(LOAD_CORE), "wrk", "-t1", f"-c{HUNG}", "-d600s", "--timeout", "60s"]
    command += ["-s", str(HERE / "loaded.lua"), f"{gateway.url}/call", "--", str(files["hung"]), str(files["keys"])]
    return subprocess.Popen([*command, str(HUNG_PAUSE_MS), "0"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def in_flight(gateway: Gateway) -> int:
    page = ask(f"{gateway.url}/metrics")[1].decode()
    lines = [line for line in page.splitlines() if line.startswith("guildhall_requests_in_flight ")]
    return round(float(lines[0].split()[1])) if lines else -1


def refusal(gateway: Gateway, files: dict[str, Path]) -> str:
    """What a caller of the hung agent is told."""
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {files['keys'].read_text().strip()}"}
    status, answer = ask(f"{gateway.url}/call", files["hung"].read_bytes().strip(), headers)
    try:
        return f"{status} {json.loads(answer).get('code', '')}".strip()
    except ValueError:
        return str(status)


def tell(phases: dict[str, list[dict]], options: argparse.Namespace) -> None:
    # Each round is compared with the mean of its own two runs alone: a busy minute hits all of them.
    alone = [{part: (a[part] + b[part]) / 2 for part in ("p50_us", "p99_us")}
             for a, b in zip(phases["alone"], phases["alone again"])]
    rows, verdicts, data = [], [], {}
    for name, rounds in phases.items():
        pairs = [{"p50": one["p50_us"] / base["p50_us"], "p99": one["p99_us"] / base["p99_us"]}
                 for one, base in zip(rounds, alone)]
        ratio = {part: median(pairs, part) for part in ("p50", "p99")}
        failed = sum(one["failed"] for one in rounds)
        held = max(one.get("held", 0) for one in rounds)
        rows.append([name, sum(one["requests"] / one["seconds"] for one in rounds) / len(rounds),
                     median(rounds, "cpu_us"), median(rounds, "p50_us"), ratio["p50"], median(rounds, "p99_us"),
                     ratio["p99"], failed, held])
        data[name] = {"ratio": ratio, "rounds": rounds}
        if name.startswith("the other"):
            verdicts.append(verdict(f"p99 of the healthy agent while {name}, to alone", ratio["p99"], BAR_RATIO, "x"))
            verdicts.append(verdict(f"failed calls of the healthy agent while {name}", failed, 0, ""))
    told = sorted({one["refusal"] for one in phases["the other one is left alone"]})
    columns = ["the healthy agent", "calls/s", "CPU us", "p50 us", "x alone", "p99 us", "x alone", "failed", "in flight"]
    notes = [
        f"Medians of {options.rounds} interleaved rounds of {options.seconds:g} s; {HEALTHY} connections that pause"
        f" {PAUSE_MS} ms on average.",
        f"Beside them {HUNG} connections of the same caller ask an agent that never answers; refused, they ask again",
        f"after {HUNG_PAUSE_MS} ms. CPU us is the whole gateway's, for each call of the healthy agent.",
        "x alone is to the mean of both runs alone; how far those are from 1 is how far to trust the others.",
        f"After {PATIENCE} s a caller of the hung agent is told: {', '.join(told)}.",
        "",
        *verdicts,
    ]
    report("hung", "One agent hangs", columns, rows, notes, {"phases": data, "verdicts": verdicts})


if __name__ == "__main__":
    main()
