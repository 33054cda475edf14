#!/usr/bin/env python3
"""Verdict, knee and breakdown of the demo's service: run here, observed by an agent, loaded by one agent and by three.

    ./mvnw -DskipTests package
    bench/cluster/verdicts.py --java /usr/lib/jvm/temurin-25-jdk-amd64/bin/java --rounds 2 --out /tmp/verdicts

The service is that of `jdyno demo`: 10 ms of CPU and an 80 ms call per request. It is loaded until it is warm; then each round has each kind
once, every second round in reverse. All processes are on this machine. With --append, rounds of earlier calls in --out count, too.
Not run yet: its figures are not in the docs.
"""
import argparse
import json
import os
import re
import signal
import statistics
import subprocess
import sys
import time

from fleet import heading

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CAUSES = ["cpu", "runQueue", "downstream"]


class Processes:
    def __init__(self, java):
        self.java = java
        self.started = []

    def listening(self, *words):
        """Starts it; the port that its first line names."""
        process = subprocess.Popen([self.java, *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.started.append(process)
        return process.pid, int(re.findall(r"\d+", process.stdout.readline())[-1])

    def end(self):
        for process in self.started:
            process.terminate()
        for process in self.started:
            process.wait(40)


def figures(folder):
    with open(f"{folder}/result.json", encoding="utf-8") as f:
        result = json.load(f)
    knee, last = result["knee"], result["rounds"][-1]
    parts = last["anatomy"]["perRequestMs"] if last["anatomy"] else {}
    return {
        "verdict": result["verdict"]["bottleneck"],
        "confidence": result["verdict"]["confidence"],
        "knee": knee and [knee["concurrency"], *knee["ci95"]],
        "qps": max(r["qps"] for r in result["rounds"]),
        "rt": last["rtMs"]["mean"],
        "parts": {cause: parts.get(cause) for cause in CAUSES},
        "valid": result["validity"]["ok"],
        "warnings": [w["id"] for w in result["validity"]["warnings"]],
    }


def table(seen):
    print("| | verdict | confidence | knee (95 %) | most requests/s | response time at the last load, ms | of it " + ", ".join(CAUSES) + " | valid |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for kind, each in seen.items():
        median = lambda values: statistics.median([v for v in values if v is not None] or [float("nan")])
        knees = "; ".join("{:.0f} ({:.0f}–{:.0f})".format(*e["knee"]) if e["knee"] else "none" for e in each)
        parts = ", ".join(f"{median([e['parts'][c] for e in each]):.1f}" for c in CAUSES)
        print(f"| {kind} | {', '.join(sorted({e['verdict'] for e in each}))} | {median([e['confidence'] for e in each]):.2f} | {knees}"
              f" | {', '.join('%.0f' % e['qps'] for e in each)} | {', '.join('%.0f' % e['rt'] for e in each)} | {parts}"
              f" | {sum(e['valid'] for e in each)} of {len(each)} |")


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--java", default="java")
    p.add_argument("--jar", default=f"{ROOT}/app/target/jdyno.jar")
    p.add_argument("--lab", default=f"{ROOT}/lab/target/jdyno-lab.jar")
    p.add_argument("--rounds", type=int, default=1)
    p.add_argument("--loads", default="2,4,8,16,32,64")
    p.add_argument("--round", default="3s")
    p.add_argument("--out", required=True)
    p.add_argument("--append", action="store_true")
    options = p.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    os.makedirs(options.out, mode=0o700, exist_ok=True)
    token = f"{options.out}/token"
    with open(os.open(token, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="ascii") as f:
        f.write(os.urandom(32).hex() + "\n")
    kept = f"{options.out}/figures.jsonl"
    if not options.append and os.path.exists(kept):
        os.remove(kept)
    heading(options)
    processes = Processes(options.java)
    try:
        lab = lambda *words: processes.listening("-Xms256m", "-Xmx256m", "-cp", options.lab, *words, "--port", "0", "--parent", str(os.getpid()))
        _, downstream = lab("dev.jdyno.lab.downstream.Downstream")
        pid, port = lab("dev.jdyno.lab.perf.Perf", "--max-threads", "400", "--downstream", f"http://127.0.0.1:{downstream}")
        agent = lambda role: processes.listening("-jar", options.jar, "agent", "--listen", "127.0.0.1:0", "--token-file", token, "--role", role)[1]
        senders = [f"127.0.0.1:{agent('load')}" for _ in range(3)]
        observer = agent("observe")
        kinds = {
            "local": ["--pid", str(pid)],
            "observed by an agent": ["--observe", f"127.0.0.1:{observer}:port={port}", "--token-file", token],
            "loaded by one agent": ["--pid", str(pid), "--agents", senders[0], "--token-file", token],
            "loaded by three agents": ["--pid", str(pid), "--agents", ",".join(senders), "--token-file", token],
        }

        def run(name, where, *words):
            subprocess.run([options.java, "-jar", options.jar, "run", f"http://127.0.0.1:{port}/perf?cpu=10&io=80", "--no-store", "--quiet",
                            "--out", f"{options.out}/{name}", *where, *words], stdout=subprocess.DEVNULL, check=False)

        # the first load of a JVM is another service
        run("warm", ["--no-target"], "--concurrency", "16", "--round", "5s", "--warmup", "6s")
        for number in range(options.rounds):
            for kind in list(kinds) if number % 2 == 0 else list(kinds)[::-1]:
                name = f"{int(time.time())}-{kind.replace(' ', '-')}"
                run(name, kinds[kind], "--concurrency", options.loads, "--round", options.round, "--warmup", "6s")
                with open(kept, "a", encoding="utf-8") as f:
                    f.write(json.dumps({"kind": kind, **figures(f"{options.out}/{name}")}) + "\n")
        with open(kept, encoding="utf-8") as f:
            all_seen = [json.loads(line) for line in f]
        table({kind: [e for e in all_seen if e["kind"] == kind] for kind in kinds})
    finally:
        processes.end()


if __name__ == "__main__":
    main()
