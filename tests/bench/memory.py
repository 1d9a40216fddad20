"""Whether the gateway's memory stays flat under calls of all kinds.

usage: memory.py [--seconds N] [--workers N]
"""

import argparse
import asyncio
import itertools
import json
import os
import time

from call import nginx, padded, question_call, register, said_by_agent
from measure import LOAD_CORE, TEST_CORE, Gateway, Scratch, free_port, need, report, verdict

BAR_GROWTH = 1.05


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--seconds", type=float, default=600, help="of the run (600)")
    options.add_argument("--workers", type=int, default=32, help="connections (32)")
    options = options.parse_args()
    need("nginx", "taskset")
    with Scratch() as scratch:
        gateway, kinds = prepare(scratch)
        os.sched_setaffinity(0, {LOAD_CORE})
        samples, counts = asyncio.run(load(gateway, kinds, options))
    tell(samples, counts, options)


def prepare(scratch: Scratch) -> tuple[Gateway, list[tuple[str, bytes, set[int], bool]]]:
    """The kinds of request in the order they are made: name, bytes, the statuses it may have, and whether it is left."""
    port, agent_port = free_port(), free_port()
    answer = json.dumps(said_by_agent(840), separators=(",", ":"))
    nginx(scratch, "plain", LOAD_CORE, port, "", f"location / {{ return 200 '{answer}'; }}")
    scratch.agent(agent_port)
    gateway = scratch.gateway("gateway", TEST_CORE)
    gateway.wait_until_ready()
    key = register(gateway.url, {"agent_id": "bench-caller"})
    streams = f"http://127.0.0.1:{agent_port}/stream"
    addresses = {
        "bench-agent": (f"http://127.0.0.1:{port}/", "0.3"),
        "bench-late": (f"http://127.0.0.1:{agent_port}/slow/20", "1.0"),
        "bench-words": (f"{streams}/5/5", "1.0"),
        "bench-long": (f"{streams}/20/1000", "1.0"),
        # Nobody listens at the port of discarding.
        "bench-gone": ("http://127.0.0.1:9/", "1.0"),
    }
    for name, (address, version) in addresses.items():
        agent = {"agent_id": name, "endpoint_url": address, "a2a_compliant": True, "a2a_version": version}
        register(gateway.url, agent)

    def request(name: str, path: str, body: object, wanted: set[int], key: str = key, left: bool = False) -> tuple:
        text = body if isinstance(body, bytes) else json.dumps(body, separators=(",", ":")).encode()
        method = "POST" if text else "GET"
        version = "A2A-Version: 1.0\r\n" if path.startswith("/agents/") and text else ""
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: {gateway.url.removeprefix('http://')}\r\n{version}"
            f"Authorization: Bearer {key}\r\nContent-Type: application/json\r\nContent-Length: {len(text)}\r\n\r\n"
        )
        return name, head.encode() + text, wanted, left

    words = {"query": "lorem ipsum echo", "limit": 5}
    hosted = request("/call, hosted echo", "/call", question_call("guildhall-echo", 1042), {200})
    elsewhere = request("/call, agent elsewhere", "/call", question_call("bench-agent", 1042), {200})
    return gateway, [
        hosted, elsewhere, hosted, elsewhere,
        request("/call, 60 KB", "/call", question_call("guildhall-echo", 60_000), {200}),
        request("/call, late agent", "/call", question_call("bench-late", 1042), {200}),
        request("/call, nobody there", "/call", question_call("bench-gone", 1042), {502, 503}),
        request("/call, unknown agent", "/call", question_call("bench-nobody", 1042), {404}),
        request("/call, wrong key", "/call", question_call("bench-agent", 1042), {401}, key="wrong"),
        request("/call, no JSON", "/call", b'{"agent_id": ', {400}),
        request("A2A, agent elsewhere", "/agents/bench-late", rpc("SendMessage", 1042), {200}),
        request("A2A, hosted echo", "/agents/guildhall-echo", rpc("SendMessage", 1042), {200}),
        request("A2A, stream to its end", "/agents/bench-words", rpc("SendStreamingMessage", 1042), {200}),
        request("A2A, stream left", "/agents/bench-long", rpc("SendStreamingMessage", 1042), {200}, left=True),
        request("/match", "/match", words, {200}),
        request("/agents/{id}", "/agents/bench-agent", b"", {200}),
    ]


def rpc(method: str, size: int) -> dict:
    def build(text: str) -> dict:
        message = {"messageId": "bench-0001", "role": "ROLE_USER", "parts": [{"text": text}]}
        return {"jsonrpc": "2.0", "id": "bench", "method": method, "params": {"message": message}}

    return padded(build, size)


async def load(gateway: Gateway, kinds: list, options: argparse.Namespace) -> tuple[list, dict[str, dict[str, int]]]:
    """Runs the mix; gives resident memory in MiB for each second, and the answers of each kind by status."""
    counts: dict[str, dict[str, int]] = {name: {} for name, *_ in kinds}
    host, _, port = gateway.url.removeprefix("http://").partition(":")
    began = time.monotonic()
    end = began + options.seconds

    async def worker(number: int) -> None:
        pair = None
        # Each starts elsewhere in the order, so that all kinds run at once.
        for name, request, wanted, left in itertools.islice(itertools.cycle(kinds), number, None):
            if time.monotonic() > end:
                break
            pair = pair or await asyncio.open_connection(host, int(port))
            status, kept = await one(pair, request, left)
            counts[name][str(status)] = counts[name].get(str(status), 0) + 1
            if status not in wanted:
                counts[name]["wrong"] = counts[name].get("wrong", 0) + 1
            if not kept:
                pair[1].transport.abort()
                pair = None
        if pair:
            pair[1].close()

    workers = [asyncio.create_task(worker(number)) for number in range(options.workers)]
    samples = []
    while time.monotonic() < end:
        await asyncio.sleep(1)
        samples.append((time.monotonic() - began, gateway.rss()))
        if len(samples) % 60 == 0:
            print(f"{len(samples)} s: {samples[-1][1]:.0f} MiB", flush=True)
    await asyncio.gather(*workers)
    return samples, counts


async def one(pair: tuple, request: bytes, left: bool) -> tuple[int, bool]:
    """The status of one request, and whether its connection can be used again."""
    reader, writer = pair
    writer.write(request)
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
    status = int(head.split(" ", 2)[1])
    if left:
        await reader.readuntil(b"\n\n")
        return status, False
    if "transfer-encoding: chunked" in head:
        while size := int((await reader.readline()).split(b";")[0], 16):
            await reader.readexactly(size + 2)
        await reader.readline()
    else:
        length = [line for line in head.split("\r\n") if line.startswith("content-length:")]
        await reader.readexactly(int(length[0].split(":")[1]) if length else 0)
    return status, "connection: close" not in head


def tell(samples: list[tuple[float, float]], counts: dict, options: argparse.Namespace) -> None:
    quarters = []
    for number in range(4):
        low, high = options.seconds * number / 4, options.seconds * (number + 1) / 4
        mine = [rss for moment, rss in samples if low <= moment < high]
        quarters.append(sum(mine) / max(1, len(mine)))
    growth = quarters[3] / quarters[1]
    wrong = sum(answers.get("wrong", 0) for answers in counts.values())
    made = sum(count for answers in counts.values() for kind, count in answers.items() if kind != "wrong")
    names = ("first", "second", "third", "last")
    rows = [[f"mean RSS of the {name} quarter, MiB", mib, ""] for name, mib in zip(names, quarters)]
    rows += [
        ["highest RSS, MiB", max(rss for _, rss in samples), ""],
        ["last quarter to second", growth, f"<= {BAR_GROWTH:g}"],
        ["MiB for a million calls, second quarter to last", (quarters[3] - quarters[1]) / (made / 2) * 1e6, ""],
        ["requests", made, ""],
        ["answers that were not the wanted one", wrong, "0"],
    ]
    verdicts = [verdict("memory, last quarter to second", growth, BAR_GROWTH, "x"), verdict("wrong answers", wrong, 0, "")]
    notes = [f"{options.seconds:g} s of {options.workers} connections and {len(counts)} kinds of request in turn:"]
    notes += [f"  {name}: {' '.join(f'{kind}: {count:,}' for kind, count in answers.items())}"
              for name, answers in counts.items()]
    data = {"quarters_mib": quarters, "growth": growth, "samples": samples, "answers": counts, "verdicts": verdicts}
    report("memory", "Memory under mixed calls", ["figure", "seen", "bar"], rows, [*notes, "", *verdicts], data)


if __name__ == "__main__":
    main()
