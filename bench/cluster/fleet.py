"""The processes of this folder's scripts."""
import os
import re
import subprocess
import sys
import tempfile

PACKAGE = "dev.jdyno.bench.cluster."


def heading(options):
    """What a figure needs beside it; the class path is long and says nothing."""
    said = subprocess.run([options.java, "-version"], capture_output=True, text=True, check=True).stderr.splitlines()[0]
    words = [w for w in sys.argv if w not in ("--classpath", getattr(options, "classpath", ""))]
    print(f"{said} · {os.cpu_count()} cores · {' '.join(words)}", flush=True)


class Java:
    """A Java process that is spoken to by lines, on a host (a network namespace) or on this one."""

    def __init__(self, options, main, *args, host=None, heap="256m"):
        where = ["ip", "netns", "exec", host] if host else []
        self.says = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(
            where + [options.java, "--enable-native-access=ALL-UNNAMED", "-Xmx" + heap, "-cp", options.classpath, PACKAGE + main, *map(str, args)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.says, text=True)

    @property
    def pid(self):
        return self.process.pid

    def line(self):
        line = self.process.stdout.readline().strip()
        if not line:
            self.says.seek(0)
            raise RuntimeError(f"{' '.join(self.process.args[-6:])} has ended: {self.says.read()}")
        return line

    def say(self, text):
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()

    def asked(self, text):
        self.say(text)
        return self.line()

    def end(self):
        self.process.stdin.close()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def agents(options, count, address="127.0.0.1", allowed=(), host=None, heap="256m"):
    """A process with so many agents, and where each listens."""
    process = Java(options, "FleetProcess", "agents", count, address, *allowed, host=host, heap=heap)
    return process, [f"{address}:{process.line()}" for _ in range(count)]


def tcp_bytes(pid):
    """Bytes that a process has received and sent on the TCP connections it has now."""
    text = subprocess.run(["ss", "-tinpH"], capture_output=True, text=True, check=True).stdout
    mine = [line for line in re.sub(r"\n\s+", " ", text).splitlines() if f"pid={pid}," in line]
    return tuple(sum(int(n) for line in mine for n in re.findall(rf"\b{what}:(\d+)", line)) for what in ("bytes_received", "bytes_sent"))


def thread_seconds(pid):
    """CPU seconds of a process's threads by their name without numbers; one that has ended since is missing."""
    seconds = {}
    for task in os.listdir(f"/proc/{pid}/task"):
        try:
            with open(f"/proc/{pid}/task/{task}/comm", encoding="utf-8") as f:
                name = re.split(r"[-#, ]+\d", f.read().strip())[0]
            with open(f"/proc/{pid}/task/{task}/schedstat", encoding="ascii") as f:
                seconds[name] = seconds.get(name, 0) + int(f.read().split()[0]) / 1e9
        except (FileNotFoundError, ProcessLookupError):
            continue
    return seconds
