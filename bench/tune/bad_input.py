#!/usr/bin/env python3
"""Tunes services that cannot be tuned as they are, and looks whether each gets one clear message.

    ./mvnw package && bench/tune/bad_input.py [--case script] [--java JAVA]

A launch script that hands no flags on, a service that starts slowly, one that leaks until it dies, one whose
port is taken, one that answers wrongly with a knob, knobs that contradict each other, a budget too short for
one comparison. After each, nothing may be left running. About six minutes.
"""
import argparse
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
SERVICE = "dev.jdyno.lab.memory.Memory"
SHORT = """\
warmup: {atLeast: 1s, atMost: 1s}
rounds: {length: 2s, settle: 200ms, concurrency: [1, 4]}
evidence: {window: 1s, dumps: 4}
look: {profile: false}
"""
PAGE = "http://127.0.0.1:{port}/memory?bytes=1k&holdMs=20"


class Case:
    def __init__(self, name, code, says, page=PAGE, launch="{java} -Xmx128m -cp {jar} {main} --port {port}", knobs="", options=()):
        self.name, self.code, self.says = name, code, says
        self.page, self.launch, self.knobs, self.options = page, launch, knobs, list(options)


CASES = [
    Case("budget", 2, ["--budget", "too short"], options=["--budget", "1m"]),
    Case(
        "knobs",
        2,
        ["contradicts", "fewer than two"],
        knobs="""knobs:
  - {name: threads, values: ["2", "16"], arg: "--max-threads {}"}
  - {name: workers, range: 8..256, arg: "--max-threads {}"}
  - {name: one, values: ["2"], env: "A={}"}
""",
    ),
    Case("port", 1, ["in use"], page="http://127.0.0.1:18999/memory?bytes=1k", launch="{java} -Xmx64m -cp {jar} {main} --port 18999"),
    Case(
        "script",
        0,
        ["hands no flags on", "threads=16"],
        launch="{folder}/script.sh {port}",
        knobs="""knobs:
  - {name: threads, values: ["2", "16"], env: "THREADS={}"}
  - {name: inline, values: ["35", "70"], flag: "-XX:MaxInlineSize={}"}
""",
    ),
    Case("slow", 0, ["There is no setting to try"], launch="sleep 20; exec {java} -Xmx128m -cp {jar} {main} --port {port}", options=["--dry-run"]),
    Case(
        "wrong",
        0,
        ["infeasible", "answers wrongly"],
        knobs="""knobs:
  - {name: other, values: [memory.Memory, traffic.Traffic], arg: "dev.jdyno.lab.{}"}
""",
    ),
    Case("leak", 1, ["heap was full"], page="http://127.0.0.1:{port}/memory?bytes=256k&chunk=16k&holdMs=1&keep=256k&keepMs=60000", launch="{java} -Xmx64m -XX:+ExitOnOutOfMemoryError -cp {jar} {main} --port {port}"),
]


def written(case, given, folder):
    places = {"java": given.java, "jar": given.jar, "main": SERVICE, "folder": str(folder)}
    launch = case.launch
    for name, value in places.items():
        launch = launch.replace("{" + name + "}", value)
    script = folder / "script.sh"
    script.write_text(f"#!/bin/sh\nunset JDK_JAVA_OPTIONS\nexec {given.java} -Xmx128m -cp {given.jar} {SERVICE} --max-threads ${{THREADS:-2}} --port $1\n")
    script.chmod(0o700)
    plan = folder / f"{case.name}.yaml"
    plan.write_text(f'url: "{case.page}"\ntarget: {{launch: "{launch}"}}\n{SHORT}{case.knobs}')
    return plan


def holding(port):
    """Listens there and answers nothing good, as another service would."""
    server = socket.create_server(("127.0.0.1", port))

    def answer():
        while True:
            try:
                connection, _ = server.accept()
            except OSError:
                return
            with connection:
                connection.recv(4096)
                connection.sendall(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")

    threading.Thread(target=answer, daemon=True).start()
    return server


def left():
    found = subprocess.run(["pgrep", "-f", SERVICE], capture_output=True, text=True)
    return [p for p in found.stdout.split() if p != str(os.getpid())]


def main():
    sys.stdout.reconfigure(line_buffering=True)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--case", choices=[c.name for c in CASES])
    parser.add_argument("--java", default="java")
    parser.add_argument("--jar", default=str(ROOT / "lab/target/jdyno-lab.jar"))
    given = parser.parse_args()
    command = os.environ.get("JDYNO", str(ROOT / "jdyno")).split()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="jdyno-bad-input-"))
    before = set(left())
    failed = 0
    for case in CASES:
        if given.case not in (None, case.name):
            continue
        plan = written(case, given, folder)
        server = holding(18999) if case.name == "port" else None
        begun = time.monotonic()
        run = subprocess.run(
            command + ["tune", str(plan), "--no-store", "--quiet", "--block", "1s", "--warmup", "1s", "--out", str(folder / case.name), *(case.options or ["--budget", "10m"])],
            capture_output=True,
            text=True,
        )
        if server:
            server.close()
        said = run.stdout + run.stderr
        missing = [s for s in case.says if s not in " ".join(said.split())]
        running = set(left()) - before
        good = run.returncode == case.code and not missing and not running
        failed += not good
        print(f"{case.name}: exit {run.returncode} in {time.monotonic() - begun:.0f} s, {'as it should be' if good else f'NOT AS IT SHOULD BE: exit {case.code}, missing {missing}, left running {running}'}")
        print("".join(f"    {line}\n" for line in said.splitlines()[-12:]), end="")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
