"""What the gateway adds to an event of a stream, how many streams it holds, and that it lets go of them.

usage: stream.py [--rounds N] [--seconds N] [--streams N] [--hold SECONDS]
"""

import argparse
import asyncio
import gc
import json
import os
import re
import resource
import statistics
import sys
import time

from call import nginx, register
from measure import LOAD_CORE, TEST_CORE, Gateway, Scratch, ask, free_port, need, percentile, report, verdict

STAMP = re.compile(rb"at=(\d+);")
# Few enough that neither the agent nor the clients, both Python on one core, are what is measured.
BESIDE, EVERY_MS = 8, 20
# A held stream says something now and then, so that a dead one is seen.
HELD_EVERY_MS = 10_000
OPENING = 100
# What a gateway has open besides its streams: its store, its index, kept connections.
BESIDES = 200

BAR_ADDED_MS, BAR_RSS_MIB, BAR_FREED_S = 1.0, 1024, 1.0


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--rounds", type=int, default=5, help="of direct, through nginx and through the gateway in turn (5)")
    options.add_argument("--seconds", type=float, default=10, help="of one run (10)")
    options.add_argument("--streams", type=int, default=10_000, help="held at once (10000)")
    options.add_argument("--hold", type=float, default=20, help="seconds that they are held (20)")
    options = options.parse_args()
    need("nginx", "taskset")
    with Scratch() as scratch:
        port = free_port()
        scratch.agent(port)
        # The shares of one agent and one caller are lifted: a bench is one of each.
        shares = ("CALL_AGENT_IN_FLIGHT", "CALL_CALLER_IN_FLIGHT")
        env = {f"GUILDHALL_{name}": "0" for name in shares} | {"GUILDHALL_SERVER_CONNECTIONS": "100000"}
        gateway = scratch.gateway("gateway", TEST_CORE, env)
        gateway.wait_until_ready()
        key = register(gateway.url, {"agent_id": "bench-caller"})
        direct, through = f"http://127.0.0.1:{port}", gateway.url
        for name, every in (("bench-words", EVERY_MS), ("bench-held", HELD_EVERY_MS)):
            address = f"{direct}/stream/{every}/1000000"
            register(through, {"agent_id": name, "endpoint_url": address, "a2a_compliant": True, "a2a_version": "1.0"})
        os.sched_setaffinity(0, {LOAD_CORE})
        # What any hop adds here and now: the same in nginx, on the gateway's core.
        nginx_port = free_port()
        passing = f"location / {{ proxy_pass {direct}; proxy_http_version 1.1; proxy_buffering off; }}"
        nginx(scratch, "nginx", TEST_CORE, nginx_port, "", passing)
        places = [
            ("direct", f"{direct}/stream/{EVERY_MS}/1000000", ""),
            ("through nginx", f"http://127.0.0.1:{nginx_port}/stream/{EVERY_MS}/1000000", ""),
            ("through the gateway", f"{through}/agents/bench-words", key),
        ]
        delays = asyncio.run(added(places, options))
        most = possible(options.streams)
        held = [asyncio.run(hold(gateway, direct, key, most, options.hold)) for _ in range(2)]
    tell(options, places, delays, most, held)


def possible(wanted: int) -> int:
    """As many streams as the machine's limit of open files allows: the gateway has two sockets for each."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    able = (most - BESIDES) // 2
    if able < wanted:
        print(f"{able} streams instead of {wanted}: no program may have more than {most} files open here")
    return min(wanted, able)


class Stream(asyncio.Protocol):
    """One client: it asks for a stream and notes how long each event was under way, in milliseconds."""

    def __init__(self, request: bytes, delays: list[float]):
        loop = asyncio.get_running_loop()
        self.request, self.delays = request, delays
        self.begun, self.over = loop.create_future(), loop.create_future()
        self.rest = b""
        self.events = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport
        transport.write(self.request)

    def data_received(self, data: bytes) -> None:
        now = time.monotonic_ns()
        data = self.rest + data
        end = 0
        for stamp in STAMP.finditer(data):
            self.delays.append((now - int(stamp.group(1))) / 1e6)
            self.events += 1
            end = stamp.end()
        if not self.begun.done() and b"data:" in data:
            good = data.startswith(b"HTTP/1.1 200") and b'"task"' in data
            self.begun.set_result(good or data[:600])
        # A stamp may come in two pieces, and so may the head.
        self.rest = data[max(end, len(data) - 32):] if self.begun.done() else data

    def connection_lost(self, _: Exception | None) -> None:
        if not self.begun.done():
            self.begun.set_result(self.rest or b"nothing")
        if not self.over.done():
            self.over.set_result(None)


def stream_request(url: str, key: str) -> tuple[str, int, bytes]:
    """Where to connect, and the bytes to send."""
    host, _, path = url.removeprefix("http://").partition("/")
    message = {"messageId": "bench-0001", "role": "ROLE_USER", "parts": [{"text": "lorem ipsum"}]}
    rpc = {"jsonrpc": "2.0", "id": "bench", "method": "SendStreamingMessage", "params": {"message": message}}
    body = json.dumps(rpc, separators=(",", ":")).encode()
    bearer = f"Authorization: Bearer {key}\r\n" if key else ""
    head = (
        f"POST /{path} HTTP/1.1\r\nHost: {host}\r\n{bearer}A2A-Version: 1.0\r\nAccept: text/event-stream\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    name, _, port = host.partition(":")
    return name, int(port), head.encode() + body


async def open_stream(url: str, key: str, delays: list[float]) -> Stream:
    """A stream whose first item has come."""
    host, port, request = stream_request(url, key)
    _, stream = await asyncio.get_running_loop().create_connection(lambda: Stream(request, delays), host, port)
    begun = await asyncio.wait_for(stream.begun, 120)
    if begun is not True:
        sys.exit(f"{url}: no stream: {begun!r}")
    return stream


async def added(places: list[tuple[str, str, str]], options: argparse.Namespace) -> dict[str, list[list[float]]]:
    """The delays of each place, one list a round."""
    seen: dict[str, list[list[float]]] = {name: [] for name, _, _ in places}
    for number in range(options.rounds):
        for name, url, key in places:
            delays: list[float] = []
            streams = []
            for _ in range(BESIDE):
                streams.append(await open_stream(url, key, delays))
                await asyncio.sleep(EVERY_MS / 1000 / BESIDE)
            delays.clear()
            gc.collect()
            gc.disable()
            await asyncio.sleep(options.seconds)
            gc.enable()
            seen[name].append(delays.copy())
            for stream in streams:
                stream.transport.abort()
            await asyncio.sleep(0.2)
        print(f"round {number + 1} of {options.rounds} done")
    return seen


async def hold(gateway: Gateway, direct: str, key: str, most: int, seconds: float) -> dict:
    """Opens the streams, holds them, drops them all, and looks when the gateway has let go."""
    pid, url = gateway.process.pid, f"{gateway.url}/agents/bench-held"
    delays: list[float] = []
    streams: list[Stream] = []
    seen = {"streams": most, "files_before": files(pid), "rss_before_mib": gateway.rss()}
    began = time.monotonic()

    async def opener() -> None:
        while len(streams) + waiting["now"] < most:
            waiting["now"] += 1
            stream = await open_stream(url, key, delays)
            waiting["now"] -= 1
            streams.append(stream)

    waiting = {"now": 0}
    await asyncio.gather(*(opener() for _ in range(OPENING)))
    seen["opened_s"] = time.monotonic() - began
    # Only what comes while nothing is being opened says how late an event is.
    delays.clear()
    cpu, peak, end = gateway.cpu(), 0.0, time.monotonic() + seconds
    while time.monotonic() < end:
        await asyncio.sleep(1)
        peak = max(peak, gateway.rss())
    seen["cpu_us_per_event"] = (gateway.cpu() - cpu) * 1e6 / max(1, len(delays))
    seen["rss_mib"], seen["files"] = peak, files(pid)
    seen["alive"] = sum(not stream.over.done() for stream in streams)
    seen["silent"] = sum(stream.events == 0 for stream in streams) if seconds * 1000 > 1.5 * HELD_EVERY_MS else 0
    seen["events"], seen["p99_ms"] = len(delays), percentile(delays, 0.99)
    for stream in streams:
        stream.transport.abort()
    # The sockets are closed in the next turn of the loop.
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    left = time.monotonic()
    seen["freed_s"] = await until(lambda: files(pid) <= seen["files_before"] + 64, 30)
    seen["agent_free_s"] = await until(lambda: open_at(direct) == 0, 30, since=left)
    for moment in (1, 5, 15):
        await asyncio.sleep(max(0.0, left + moment - time.monotonic()))
        seen[f"rss_{moment}s_mib"], seen[f"files_{moment}s"] = gateway.rss(), files(pid)
    print(f"held {most} streams: {json.dumps(seen)}")
    return seen


async def until(done, most: float, since: float | None = None) -> float:
    """Seconds until it is so; infinite when it was not in time."""
    began = since or time.monotonic()
    while time.monotonic() - began < most:
        if done():
            return time.monotonic() - began
        await asyncio.sleep(0.02)
    return float("inf")


def files(pid: int) -> int:
    return len(os.listdir(f"/proc/{pid}/fd"))


def open_at(direct: str) -> int:
    return int(ask(f"{direct}/open")[1] or -1)


def tell(options: argparse.Namespace, places: list, delays: dict, most: int, held: list[dict]) -> None:
    direct, beside, through = (name for name, _, _ in places)
    figures = {name: [percentile(one, 0.99) for one in rounds] for name, rounds in delays.items()}
    halves = {name: [percentile(one, 0.5) for one in rounds] for name, rounds in delays.items()}
    added_rounds = {name: [b - a for a, b in zip(figures[direct], figures[name])] for name in (beside, through)}
    p99_added = statistics.median(added_rounds[through])
    rows = [[f"p50 of an event, {name}, ms", statistics.median(rounds), ""] for name, rounds in halves.items()]
    rows += [[f"p99 of an event, {name}, ms", statistics.median(rounds), ""] for name, rounds in figures.items()]
    for name, rounds in added_rounds.items():
        bar = f"<= {BAR_ADDED_MS:g}" if name == through else ""
        rows.append([f"added at p99, {name}, ms", statistics.median(rounds), bar])
        rows.append([f"the same, best and worst round, {name}, ms", f"{min(rounds):.3g} {max(rounds):.3g}", ""])
    for number, one in enumerate(held, 1):
        rows += [
            [f"{number}. streams held", one["alive"], f"{options.streams:,}"],
            [f"{number}. opened in, s", one["opened_s"], ""],
            [f"{number}. RSS before, MiB", one["rss_before_mib"], ""],
            [f"{number}. RSS with them, MiB", one["rss_mib"], f"<= {BAR_RSS_MIB:,}"],
            [f"{number}. KiB for a stream", (one["rss_mib"] - one["rss_before_mib"]) * 1024 / most, ""],
            [f"{number}. p99 of an event, ms", one["p99_ms"], ""],
            [f"{number}. files open before, with them", f"{one['files_before']} {one['files']}", ""],
            [f"{number}. files closed after, s", one["freed_s"], f"<= {BAR_FREED_S:g}"],
            [f"{number}. agent's streams closed after, s", one["agent_free_s"], f"<= {BAR_FREED_S:g}"],
            [f"{number}. RSS 1, 5, 15 s after, MiB", " ".join(f"{one[f'rss_{s}s_mib']:.0f}" for s in (1, 5, 15)), ""],
        ]
    again = held[-1]["rss_mib"] / held[0]["rss_mib"]
    rows.append(["RSS of the second time to the first", again, "<= 1.1"])
    worst = {name: max(one[name] for one in held) for name in ("rss_mib", "freed_s", "agent_free_s", "silent")}
    # A machine that allows fewer streams is held to the memory of so many.
    bar_rss = BAR_RSS_MIB * most / options.streams
    verdicts = [
        verdict("added delay of an event at p99", p99_added, BAR_ADDED_MS, "ms"),
        verdict(f"memory with {most:,} streams", worst["rss_mib"], bar_rss, "MiB"),
        verdict("files of the gateway closed", worst["freed_s"], BAR_FREED_S, "s"),
        verdict("streams of the agent closed", worst["agent_free_s"], BAR_FREED_S, "s"),
        verdict("memory the second time, to the first", again, 1.1, "x"),
        verdict("streams that broke or fell silent", most - min(one["alive"] for one in held) + worst["silent"], 0, ""),
    ]
    notes = [
        f"Events: {BESIDE} streams of one event each {EVERY_MS} ms; medians of {options.rounds} interleaved rounds of"
        f" {options.seconds:g} s.",
        f"Held: {most:,} streams of one event each {HELD_EVERY_MS / 1000:g} s for {options.hold:g} s, twice; then all"
        " clients are gone at once.",
        "",
        *verdicts,
    ]
    if most < options.streams:
        notes.insert(2, f"{options.streams:,} were wanted: the limit of open files of this machine allows {most:,}.")
    data = {"p99_ms": figures, "p50_ms": halves, "added_p99_ms": added_rounds, "held": held, "verdicts": verdicts}
    report("stream", "Streams", ["figure", "seen", "bar"], rows, notes, data)


if __name__ == "__main__":
    main()
