#!/usr/bin/env python3
"""What loading from other hosts costs, on the loopback device.

    ./mvnw -DskipTests package
    bench/cluster/cost.py --java /usr/lib/jvm/temurin-25-jdk-amd64/bin/java

1. CPU per request of the plain engine (A) and of one agent (B), whole processes, closed, --users users, in the order A B B A, after --warm
   seconds of each. Each pair of processes is started again --starts times, since two JVMs compile the same code differently; ratios are of
   blocks side by side. What an agent takes more is taken at another rate, too (--think): a cost per second is the same there, one per
   request is not. The threads' CPU says where.
2. CPU of the coordinator, and bytes that it receives and sends, per agent and second, for several numbers of agents in one process. Each
   agent has one user that thinks for a second, so that only the coordination is seen.
"""
import argparse
import math
import os
import statistics

from fleet import Java, agents, heading, tcp_bytes, thread_seconds

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class Block:
    """What a load took while it was measured: of its process as it counts itself, and of each kind of thread of it."""

    def __init__(self, load, process, seconds):
        before = thread_seconds(process.pid)
        requests, cpu, _, self.seconds = map(float, load.asked(f"measure {seconds}").split())
        self.micros = 1e6 * cpu / requests
        self.rate = requests / self.seconds
        self.threads = {name: 1e3 * (after - before.get(name, 0)) / self.seconds for name, after in thread_seconds(process.pid).items()}


def threads(blocks):
    """Milliseconds of CPU a second of each kind of thread, the most first."""
    names = {n for b in blocks for n in b.threads}
    means = sorted(((statistics.mean(b.threads.get(n, 0) for b in blocks), n) for n in names), reverse=True)
    return ", ".join(f"{n} {ms:.1f}" for ms, n in means if ms >= 0.3)


def per_request(options, url, think):
    """Ratios agent / plain, one for each A B B A."""
    ratios, per_second, all_blocks = [], [], {"plain": [], "agent": []}
    for _ in range(options.starts):
        holder, addresses = agents(options, 1)
        plain = Java(options, "FleetProcess", "plain", url, options.users, think)
        fleet = Java(options, "FleetProcess", "fleet", url, options.users, think, *addresses)
        for each in (plain, fleet):
            each.line()
            each.asked(f"measure {options.warm}")
        for _ in range(options.blocks):
            figures = {plain: [], fleet: []}
            for each in (plain, fleet, fleet, plain):
                figures[each].append(Block(each, plain if each is plain else holder, options.seconds))
            all_blocks["plain"] += figures[plain]
            all_blocks["agent"] += figures[fleet]
            a, b = (statistics.mean(x.micros for x in figures[which]) for which in (plain, fleet))
            rate = statistics.mean(x.rate for some in figures.values() for x in some)
            ratios.append(b / a)
            per_second.append((b - a) * rate / 1e3)
            print(f"plain {a:.2f} µs, agent {b:.2f} µs CPU per request at {rate:.0f}/s: {b / a:.3f}, {per_second[-1]:.1f} ms a second", flush=True)
        for each in (plain, fleet, holder):
            each.end()
    error = statistics.stdev(ratios) / math.sqrt(len(ratios)) if len(ratios) > 1 else math.nan
    print(f"agent / plain: mean {statistics.mean(ratios):.3f} ± {2 * error:.3f} (two standard errors of {len(ratios)}),"
          f" range {min(ratios):.3f} to {max(ratios):.3f}; the agent takes {statistics.mean(per_second):.1f} ms more a second")
    for name, blocks in all_blocks.items():
        print(f"  threads of {name}, ms of CPU a second: {threads(blocks)}", flush=True)


def coordination(options, url, count):
    holder, addresses = agents(options, count, heap=options.heap)
    fleet = Java(options, "FleetProcess", "fleet", url, count, 1000, *addresses)
    fleet.line()
    fleet.asked(f"measure {options.warm}")
    before = tcp_bytes(fleet.pid)
    _, _, cpu, seconds = map(float, fleet.asked(f"measure {options.long}").split())
    received, sent = (after - then for after, then in zip(tcp_bytes(fleet.pid), before))
    print(f"{count} agents: per agent and second {1e3 * cpu / seconds / count:.2f} ms CPU of the coordinator,"
          f" {received / seconds / count / 1024:.1f} KiB received, {sent / seconds / count / 1024:.1f} KiB sent", flush=True)
    fleet.end()
    holder.end()


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--java", default="java")
    p.add_argument("--classpath", default=f"{ROOT}/bench/target/benchmarks.jar")
    p.add_argument("--users", type=int, default=16)
    p.add_argument("--think", default="4,1", help="milliseconds, so that the client is not saturated; each gives another rate")
    p.add_argument("--starts", type=int, default=2)
    p.add_argument("--blocks", type=int, default=3, help="A B B A of each start")
    p.add_argument("--seconds", type=int, default=3)
    p.add_argument("--warm", type=int, default=20)
    p.add_argument("--long", type=int, default=15)
    p.add_argument("--agents", default="3,10,30")
    p.add_argument("--heap", default="1g", help="of the process that has all these agents")
    options = p.parse_args()
    heading(options)
    service = Java(options, "TimedService", "127.0.0.1")
    url = f"http://127.0.0.1:{service.line()}/"
    for think in [int(ms) for ms in options.think.split(",") if ms]:
        per_request(options, url, think)
    for count in [int(n) for n in options.agents.split(",") if n]:
        coordination(options, url, count)
    service.end()


if __name__ == "__main__":
    main()
