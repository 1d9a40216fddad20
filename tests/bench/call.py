"""What a call costs, beside nginx and HAProxy passing the same body with a key check to the same agent.

usage: call.py [--seconds N] [--rounds N]
"""

import argparse
import json
import time

from measure import LOAD_CORE, TEST_CORE, Program, Scratch, ask, free_port, median, need, report, wrk

KEY = "bench-key-0123456789abcdef0123456789abcdef"

# Both run as one worker that keeps its connections and writes no access log.
NGINX = """
worker_processes 1;
pid {name}.pid;
error_log {name}.error.log error;
events {{ worker_connections 4096; }}
http {{
    access_log off;
    keepalive_requests 1000000000;
    map_hash_bucket_size 128;
    client_body_buffer_size 64k;
    client_body_temp_path {name}.body; proxy_temp_path {name}.proxy; fastcgi_temp_path {name}.fastcgi;
    uwsgi_temp_path {name}.uwsgi; scgi_temp_path {name}.scgi;
    default_type application/json;
    {http}
    server {{ listen 127.0.0.1:{port} reuseport; {server} }}
}}
"""

HAPROXY = """
global
    nbthread 1
    maxconn 4096
defaults
    mode http
    timeout connect 5s
    timeout client 60s
    timeout server 60s
frontend door
    bind 127.0.0.1:{port}
    http-request deny deny_status 401 unless {{ req.hdr(authorization) -m str "Bearer {key}" }}
    default_backend agent
backend agent
    http-reuse always
    server agent 127.0.0.1:{agent_port} pool-max-conn 256
"""


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--seconds", type=float, default=5, help="of one run (5)")
    options.add_argument("--rounds", type=int, default=5, help="of all targets in turn (5)")
    options = options.parse_args()
    need("nginx", "haproxy", "wrk", "taskset")
    with Scratch() as scratch:
        targets = prepare(scratch)
        check(targets)
        seen: dict[tuple[str, int], list[dict]] = {}
        for target in targets:
            wrk(target["url"], target["bodies"], 32, 1, target["key"])
        for number in range(options.rounds):
            for connections in (32, 1):
                for target in targets:
                    one = run(target, connections, options.seconds)
                    seen.setdefault((target["name"], connections), []).append(one)
            print(f"round {number + 1} of {options.rounds} done")
        tell(targets, seen, options)


def prepare(scratch: Scratch) -> list[dict]:
    """Starts the agent, nginx and HAProxy before it, and a gateway; gives what is measured, the anchors first."""
    agent_port, nginx_port, haproxy_port = free_port(), free_port(), free_port()
    # One answer for all, 840 bytes: what an agent would say in 0.3.
    answer = json.dumps(said_by_agent(840), separators=(",", ":"))
    nginx(scratch, "agent", LOAD_CORE, agent_port, "", f"location / {{ return 200 '{answer}'; }}")
    proxied = (
        f"upstream agent {{ server 127.0.0.1:{agent_port}; keepalive 256; }}\n"
        f'    map $http_authorization $known {{ default 0; "Bearer {KEY}" 1; }}'
    )
    server = (
        "location / { if ($known = 0) { return 401; } proxy_pass http://agent; proxy_http_version 1.1;"
        ' proxy_set_header Connection ""; }'
    )
    proxy = nginx(scratch, "nginx", TEST_CORE, nginx_port, proxied, server)
    other = haproxy(scratch, TEST_CORE, haproxy_port, agent_port)
    gateway = scratch.gateway("gateway", TEST_CORE)
    gateway.wait_until_ready()
    caller = register(gateway.url, {"agent_id": "bench-caller"})
    address = f"http://127.0.0.1:{agent_port}/"
    upstream = {"agent_id": "bench-agent", "endpoint_url": address, "a2a_compliant": True, "a2a_version": "0.3"}
    register(gateway.url, upstream)

    def bodies(name: str, body: dict) -> object:
        path = scratch.path / f"{name}.bodies"
        path.write_text(json.dumps(body, separators=(",", ":")) + "\n")
        return path

    rpc = bodies("rpc", question_rpc(1042))
    hosted = bodies("hosted", question_call("guildhall-echo", 1042))
    elsewhere = bodies("elsewhere", question_call("bench-agent", 1042))
    rows = [
        ("the agent, asked directly", None, address, rpc, ""),
        ("nginx proxy, key check", proxy, f"http://127.0.0.1:{nginx_port}/", rpc, KEY),
        ("HAProxy, key check", other, f"http://127.0.0.1:{haproxy_port}/", rpc, KEY),
        ("/call, agent elsewhere", gateway, f"{gateway.url}/call", elsewhere, caller),
        ("A2A door, agent elsewhere", gateway, f"{gateway.url}/agents/bench-agent", rpc, caller),
        ("/call, hosted echo", gateway, f"{gateway.url}/call", hosted, caller),
    ]
    return [dict(zip(("name", "program", "url", "bodies", "key"), row)) for row in rows]


def nginx(scratch: Scratch, name: str, core: int, port: int, http: str, server: str) -> Program:
    conf = scratch.path / f"{name}.conf"
    conf.write_text(NGINX.format(name=scratch.path / name, http=http, port=port, server=server))
    program = scratch.start(name, ["nginx", "-p", str(scratch.path), "-c", str(conf), "-g", "daemon off;"], core)
    return answering(program, port)


def haproxy(scratch: Scratch, core: int, port: int, agent_port: int) -> Program:
    conf = scratch.path / "haproxy.conf"
    conf.write_text(HAPROXY.format(port=port, agent_port=agent_port, key=KEY))
    return answering(scratch.start("haproxy", ["haproxy", "-db", "-f", str(conf)], core), port)


def answering(program: Program, port: int) -> Program:
    for _ in range(500):
        if ask(f"http://127.0.0.1:{port}/")[0]:
            return program
        time.sleep(0.01)
    program.died()
    raise AssertionError("unreachable")


def check(targets: list[dict]) -> None:
    """Each answers a good key and refuses a wrong one and none; else a figure means nothing."""
    for target in targets:
        body = target["bodies"].read_bytes().strip()
        target["request_bytes"] = len(body)
        expected = [(target["key"], 200)]
        if target["program"]:
            expected.append(("wrong", 401))
            # Nobody may speak to a free agent at its own door.
            if "/agents/" not in target["url"]:
                expected.append(("", 401))
        for key, wanted in expected:
            headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {key}"} if key else {})
            status, answer = ask(target["url"], body, headers)
            if status != wanted or (wanted == 200 and b"parts" not in answer):
                raise SystemExit(f"{target['name']}, key {key!r}: {status} instead of {wanted}: {answer[:300]!r}")
            if wanted == 200:
                target["answer_bytes"] = len(answer)


def run(target: dict, connections: int, seconds: float) -> dict:
    program = target["program"]
    before = program.cpu() if program else 0.0
    seen = wrk(target["url"], target["bodies"], connections, seconds, target["key"])
    if program:
        seen["cpu_us"] = (program.cpu() - before) * 1e6 / seen["requests"]
        seen["rss_mib"] = program.rss()
    seen["per_second"] = seen["requests"] / seen["seconds"]
    return seen


def tell(targets: list[dict], seen: dict, options: argparse.Namespace) -> None:
    direct = median(seen[targets[0]["name"], 1], "p50_us")
    anchor = targets[1]["name"]
    anchor_cpu = median(seen[anchor, 32], "cpu_us")
    anchor_added = median(seen[anchor, 1], "p50_us") - direct
    rows, data = [], {}
    for target in targets:
        busy, single = seen[target["name"], 32], seen[target["name"], 1]
        p50 = median(single, "p50_us")
        measured = target["program"] is not None
        cpu = median(busy, "cpu_us") if measured else None
        figures = {
            "cpu_us": cpu,
            "cpu_to_nginx": cpu / anchor_cpu if measured else None,
            "calls_per_core_second": 1e6 / cpu if measured else None,
            "per_second_seen": median(busy, "per_second"),
            "p99_us_32": median(busy, "p99_us"),
            "p50_us_1": p50,
            "added_us_1": p50 - direct if measured else None,
            "added_to_nginx": (p50 - direct) / anchor_added if measured else None,
            "rss_mib": max(one["rss_mib"] for one in busy + single) if measured else None,
            "request_bytes": target["request_bytes"],
            "answer_bytes": target["answer_bytes"],
        }
        rows.append([target["name"], *("" if value is None else value for value in figures.values())])
        data[target["name"]] = {**figures, "rounds_32": busy, "rounds_1": single}
    columns = ["target", "CPU us", "x nginx", "/core-s", "req/s", "p99 us", "p50 us", "added us", "x nginx", "RSS MiB",
               "asked B", "said B"]
    notes = [
        f"Medians of {options.rounds} interleaved rounds of {options.seconds:g} s. CPU, req/s and p99 at 32 connections;",
        "p50 and added delay at one. The load and the agent share one core, what is measured has another alone.",
    ]
    report("call", "A call, beside nginx and HAProxy", columns, rows, notes, {"seconds": options.seconds, "targets": data})


def register(url: str, body: dict) -> str:
    body = {"contact_email": "owner@example.org", "name": "Bench", **body}
    status, answer = ask(f"{url}/register", json.dumps(body).encode(), {"Content-Type": "application/json"})
    if status != 201:
        raise SystemExit(f"/register: {status} {answer[:300]!r}")
    return json.loads(answer)["api_key"]


def message(role: str, text: str) -> dict:
    parts = [{"kind": "text", "text": text}]
    return {"kind": "message", "messageId": "bench-0001", "role": role, "parts": parts}


def padded(build, size: int) -> dict:
    """What `build` makes of a text long enough that the JSON has `size` bytes."""
    missing = size - len(json.dumps(build(""), separators=(",", ":")))
    return build(("lorem ipsum " * (size // 12))[:missing])


def said_by_agent(size: int) -> dict:
    return padded(lambda text: {"jsonrpc": "2.0", "id": "bench", "result": message("agent", text)}, size)


def question_rpc(size: int) -> dict:
    rpc = {"jsonrpc": "2.0", "id": "bench", "method": "message/send"}
    return padded(lambda text: {**rpc, "params": {"message": message("user", text)}}, size)


def question_call(agent: str, size: int) -> dict:
    return padded(lambda text: {"agent_id": agent, "message": message("user", text)}, size)


if __name__ == "__main__":
    main()
