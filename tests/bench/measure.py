"""What every bench needs: pinned programs, their CPU time and memory, wrk, and a place for results.

Only the standard library, so that a bench runs with any Python 3.11.
"""

import json
import os
import platform
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
RESULTS = HERE / "results"
TICKS = os.sysconf("SC_CLK_TCK")

# The generator and the agent elsewhere share the first core; what is measured has the last alone.
CORES = sorted(os.sched_getaffinity(0))
LOAD_CORE, TEST_CORE = CORES[0], CORES[-1]


def need(*programs: str) -> None:
    """Ends with a sentence when a program is missing."""
    missing = [name for name in programs if shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin") is None]
    if missing:
        sys.exit(f"missing: {', '.join(missing)} (on Debian: apt-get install nginx-light haproxy wrk)")
    if LOAD_CORE == TEST_CORE:
        sys.exit("a bench needs two cores: one for the load, one for what is measured")


def guildhall() -> str:
    """The release program; GUILDHALL names another one."""
    program = os.environ.get("GUILDHALL", str(ROOT / "target/release/guildhall"))
    if not os.access(program, os.X_OK):
        sys.exit(f"no {program}: cargo build --release --workspace")
    return program


class Scratch:
    """A temporary folder and the programs started in it; both are gone at the end."""

    def __init__(self, keep: Path | None = None):
        self.keep = keep
        self.path = keep or Path(tempfile.mkdtemp(prefix="guildhall-bench."))
        self.path.mkdir(parents=True, exist_ok=True)
        self.path.chmod(0o755)
        self.running: list[Program] = []

    def __enter__(self) -> "Scratch":
        return self

    def __exit__(self, *_: object) -> None:
        for program in self.running:
            program.stop()
        if self.keep is None:
            shutil.rmtree(self.path, ignore_errors=True)

    def start(self, name: str, command: list[str], core: int, env: dict[str, str] | None = None) -> "Program":
        program = Program(self.path / f"{name}.log", command, core, env or {}, self.path)
        self.running.append(program)
        return program

    def agent(self, port: int) -> "Program":
        """The agent of the load benches, beside the load."""
        agent = self.start("agent", [sys.executable, str(HERE / "agent.py"), str(port)], LOAD_CORE)
        for _ in range(500):
            if ask(f"http://127.0.0.1:{port}/open")[0] == 200:
                return agent
            time.sleep(0.01)
        agent.died()
        raise AssertionError("unreachable")

    def gateway(self, name: str, core: int, env: dict[str, str] | None = None) -> "Gateway":
        gateway = Gateway(self.path / f"{name}.log", core, env or {}, self.path)
        self.running.append(gateway)
        return gateway


class Program:
    """A program pinned to one core."""

    def __init__(self, log: Path, command: list[str], core: int, env: dict[str, str], folder: Path):
        self.log = log
        clean = {"PATH": os.environ["PATH"] + ":/usr/sbin", "HOME": str(folder), **env}
        with log.open("wb") as out:
            self.started = time.monotonic()
            self.process = subprocess.Popen(
                ["taskset", "-c", str(core), *command], cwd=folder, env=clean, stdout=out, stderr=out
            )

    def tree(self) -> list[int]:
        """The program and everything it started."""
        parents = {}
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit() and (fields := stat_of(int(entry.name))):
                parents[int(entry.name)] = int(fields[1])
        found = [self.process.pid]
        for pid in found:
            found += [child for child, parent in parents.items() if parent == pid]
        return found

    def cpu(self) -> float:
        """Seconds of CPU so far, of ended threads too."""
        used = (stat_of(pid) for pid in self.tree())
        return sum((int(fields[11]) + int(fields[12])) / TICKS for fields in used if fields)

    def rss(self) -> float:
        """Resident memory in MiB."""
        total = 0
        for pid in self.tree():
            for line in Path(f"/proc/{pid}/status").read_text().splitlines():
                if line.startswith("VmRSS:"):
                    total += int(line.split()[1])
        return total / 1024

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(30)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    def died(self) -> None:
        tail = "\n".join(self.log.read_text(errors="replace").splitlines()[-20:])
        sys.exit(f"{self.log.name} ended:\n{tail}")


class Gateway(Program):
    """`guildhall serve` on a free port, with limits that work but are never reached."""

    def __init__(self, log: Path, core: int, env: dict[str, str], folder: Path):
        limits = ("REGISTER_PER_MINUTE", "READ_PER_MINUTE", "CALL_PER_MINUTE", "AGENT_PER_MINUTE")
        settings = {
            "GUILDHALL_LISTEN": "127.0.0.1:0",
            "GUILDHALL_DATA_DIR": str(folder / "data"),
            "GUILDHALL_ALLOW_PRIVATE_TARGETS": "true",
            **{f"GUILDHALL_LIMITS_{name}": "4000000000" for name in limits},
            **env,
        }
        super().__init__(log, [guildhall(), "serve"], core, settings, folder)
        self.url = self.wait_for_url()

    def wait_for_url(self, seconds: float = 60) -> str:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for line in self.log.read_text(errors="replace").splitlines():
                if line.startswith("listening on http"):
                    return line.split()[2].rstrip("/")
            if self.process.poll() is not None:
                self.died()
            time.sleep(0.001)
        self.died()
        raise AssertionError("unreachable")

    def wait_until_ready(self, seconds: float = 1800) -> float:
        """Seconds from the start of the program until `/ready` said yes."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if ask(f"{self.url}/ready")[0] == 200:
                return time.monotonic() - self.started
            if self.process.poll() is not None:
                self.died()
            time.sleep(0.001)
        sys.exit(f"the gateway was not ready after {seconds} s")


def stat_of(pid: int) -> list[str] | None:
    """The fields of /proc/PID/stat after the name, or nothing when it is gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return None


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def ask(url: str, body: bytes | None = None, headers: dict[str, str] | None = None) -> tuple[int, bytes]:
    """One request; status 0 when nobody answered."""
    request = urllib.request.Request(url, data=body, headers=headers or {})
    try:
        with urllib.request.urlopen(request, timeout=30) as response:
            return response.status, response.read()
    except urllib.error.HTTPError as refused:
        return refused.code, refused.read()
    except OSError:
        return 0, b""


def wrk(url: str, bodies: Path, connections: int, seconds: float, key: str = "") -> dict:
    """Load from one pinned thread. Ends the bench when an answer was no success: errors look fast."""
    command = ["taskset", "-c", str(LOAD_CORE), "wrk", "-t1", f"-c{connections}", f"-d{max(1, round(seconds))}s"]
    command += ["--timeout", "30s", "-s", str(HERE / "post.lua"), url, "--", str(bodies), key]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    seen = json.loads(next(line for line in said.splitlines() if line.startswith("{")))
    if seen["failed"] or not seen["requests"]:
        sys.exit(f"{url}: {seen['failed']} failures in {seen['requests']} requests")
    return seen


def loaded(url: str, bodies: Path, keys: Path, connections: int, wait_ms: float, seconds: float,
           warm: float = 0) -> dict:
    """Load from one pinned thread that pauses between two requests, and counts what it is answered by kind, after
    some seconds more to get warm."""
    command = ["taskset", "-c", str(LOAD_CORE), "wrk", "-t1", f"-c{connections}", f"-d{round(warm + seconds)}s"]
    command += ["--timeout", "60s", "-s", str(HERE / "loaded.lua"), url, "--"]
    command += [str(bodies), str(keys), str(wait_ms), str(warm)]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    seen = json.loads(next(line for line in said.splitlines() if line.startswith("{")))
    seen["seconds"] -= warm
    seen["counted"] = sum(seen["answers"].values())
    return seen


def median(rounds: list[dict], field: str) -> float:
    return statistics.median(one[field] for one in rounds)


def percentile(values: list[float], part: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))] if ordered else float("nan")


def verdict(what: str, seen: float, bar: float, unit: str, least: bool = False) -> str:
    """One sentence: whether the bar was met, else by how much it was missed."""
    met = seen >= bar if least else seen <= bar
    figure = f"{show(float(seen))} {unit}".strip() + f", bar {show(float(bar))} {unit}".rstrip()
    if met:
        return f"met: {what}: {figure}"
    by = f" (missed by {abs(seen - bar) / bar:.0%})" if bar else ""
    return f"MISSED: {what}: {figure}{by}"


def machine() -> dict:
    """What a figure cannot be read without."""
    cpu = next((line.split(":")[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines()
                if line.startswith("model name")), platform.machine())
    return {"cpu": cpu, "cores": len(CORES), "load_average": os.getloadavg()[0], "kernel": platform.release()}


def report(name: str, title: str, columns: list[str], rows: list[list[object]], notes: list[str], data: dict) -> None:
    """Prints one table, and keeps it beside the same as JSON."""
    cells = [columns] + [[show(cell) for cell in row] for row in rows]
    widths = [max(len(row[i]) for row in cells) for i in range(len(columns))]
    lines = [title, ""]
    for number, row in enumerate(cells):
        lines.append("  ".join([row[0].ljust(widths[0])] + [c.rjust(w) for c, w in zip(row[1:], widths[1:])]).rstrip())
        if number == 0:
            lines.append("  ".join("-" * width for width in widths))
    here = machine()
    lines += ["", *notes, f"{here['cpu']}, {here['cores']} cores, load average {here['load_average']:.2f} at the end"]
    text = "\n".join(lines) + "\n"
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"{name}.txt").write_text(text)
    (RESULTS / f"{name}.json").write_text(json.dumps({"machine": here, **data}, indent=1) + "\n")
    print(text)
    print(f"kept in tests/bench/results/{name}.txt and {name}.json")


def show(cell: object) -> str:
    if isinstance(cell, float):
        return f"{cell:,.0f}" if cell >= 1000 else f"{cell:.3g}"
    return f"{cell:,}" if isinstance(cell, int) else str(cell)
