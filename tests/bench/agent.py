"""The agent of the load benches: A2A 1.0 over JSON-RPC, and its path says how it behaves.

usage: agent.py PORT

    POST /stream/MS/EVENTS   a task, then an event every MS milliseconds; the last one completes the task
    POST /slow/MS            a message after MS milliseconds
    POST /hang               takes the request and never answers
    GET  /open               how many streams are open now

Each event carries the moment it was written, as `at=NANOSECONDS;` of the machine's monotonic clock, so that another
process of the same machine can tell how long it was under way.
"""

import asyncio
import json
import re
import resource
import sys
import time

LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
STREAM_HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"

open_streams = 0
tasks = 0


class Agent(asyncio.Protocol):
    """One connection, one request at a time."""

    def __init__(self) -> None:
        self.buffer = b""
        self.transport: asyncio.Transport | None = None
        self.timer: asyncio.TimerHandle | None = None
        self.streams = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport

    def connection_lost(self, _: Exception | None) -> None:
        if self.timer:
            self.timer.cancel()
        self.count(False)

    def count(self, streams: bool) -> None:
        global open_streams
        open_streams += streams - self.streams
        self.streams = streams

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        head, found, rest = self.buffer.partition(b"\r\n\r\n")
        if not found:
            return
        length = LENGTH.search(head)
        wanted = int(length.group(1)) if length else 0
        if len(rest) < wanted:
            return
        self.buffer = rest[wanted:]
        path = head.split(b" ", 2)[1].decode().strip("/").split("/")
        self.answer(path, rest[:wanted])

    def answer(self, path: list[str], body: bytes) -> None:
        loop = asyncio.get_running_loop()
        if path[0] == "stream":
            self.begin(int(path[1]) / 1000, int(path[2]), json.loads(body)["id"])
        elif path[0] == "slow":
            self.timer = loop.call_later(int(path[1]) / 1000, self.say, json.loads(body).get("id"))
        elif path[0] == "open":
            self.write(str(open_streams).encode())
        elif path[0] != "hang":
            self.write(b"{}")

    def write(self, body: bytes) -> None:
        self.transport.write(HEAD % len(body) + body)

    def say(self, request: object) -> None:
        message = {"messageId": "said", "role": "ROLE_AGENT", "parts": [{"text": "lorem ipsum " * 50}]}
        self.write(json.dumps({"jsonrpc": "2.0", "id": request, "result": {"message": message}}).encode())

    def begin(self, interval: float, events: int, request: object) -> None:
        global tasks
        tasks += 1
        named = f"bench-task-{tasks}"
        self.count(True)
        self.transport.write(STREAM_HEAD)
        status = {"state": "TASK_STATE_WORKING"}
        self.event(request, {"task": {"id": named, "contextId": f"of-{named}", "status": status}})
        loop = asyncio.get_running_loop()
        self.timer = loop.call_later(interval, self.go_on, interval, events, request, named)

    def go_on(self, interval: float, left: int, request: object, named: str) -> None:
        task = {"taskId": named, "contextId": f"of-{named}"}
        if left == 0:
            self.event(request, {"statusUpdate": {**task, "status": {"state": "TASK_STATE_COMPLETED"}}})
            self.transport.write(b"0\r\n\r\n")
            self.count(False)
            return
        parts = [{"text": f"at={time.monotonic_ns()}; " + "lorem ipsum " * 8}]
        update = {**task, "artifact": {"artifactId": "words", "parts": parts}, "append": True}
        self.event(request, {"artifactUpdate": update})
        loop = asyncio.get_running_loop()
        self.timer = loop.call_later(interval, self.go_on, interval, left - 1, request, named)

    def event(self, request: object, result: dict) -> None:
        data = json.dumps({"jsonrpc": "2.0", "id": request, "result": result}, separators=(",", ":"))
        line = f"data: {data}\n\n".encode()
        self.transport.write(b"%x\r\n%s\r\n" % (len(line), line))


async def main() -> None:
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    server = await asyncio.get_running_loop().create_server(Agent, "127.0.0.1", int(sys.argv[1]), backlog=4096)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
