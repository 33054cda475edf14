#!/usr/bin/env python3
"""What loading from other hosts costs, on the loopback device.

    ./mvnw -DskipTests package
    bench/cluster/cost.py --java /usr/lib/jvm/temurin-25-jdk-amd64/bin/java

1. CPU per request of the plain engine (A) and of one agent (B), whole processes, closed, --users users, in the order A B B A. Each pair of
   processes is started again --starts times, since two JVMs compile the same code differently; ratios are of blocks side by side.
2. CPU of the coordinator, and bytes that it receives and sends, per agent and second, for several numbers of agents in one process. Each
   agent has one user that thinks for a second, so that only the coordination is seen.
"""
import argparse
import math
import os
import statistics

from fleet import Java, agents, heading, tcp_bytes

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def micros(said):
    requests, cpu, _, _ = said.split()
    return 1e6 * float(cpu) / int(requests)


def per_request(options, url):
    """Ratios agent / plain, one for each A B B A."""
    ratios = []
    for _ in range(options.starts):
        holder, addresses = agents(options, 1)
        plain = Java(options, "FleetProcess", "plain", url, options.users, options.think)
        fleet = Java(options, "FleetProcess", "fleet", url, options.users, options.think, *addresses)
        for each in (plain, fleet):
            each.line()
            each.asked(f"measure {options.warm}")
        for _ in range(options.blocks):
            figures = {plain: [], fleet: []}
            for each in (plain, fleet, fleet, plain):
                figures[each].append(micros(each.asked(f"measure {options.seconds}")))
            a, b = statistics.mean(figures[plain]), statistics.mean(figures[fleet])
            ratios.append(b / a)
            print(f"plain {a:.2f} µs, agent {b:.2f} µs CPU per request: {b / a:.3f}", flush=True)
        for each in (plain, fleet, holder):
            each.end()
    return ratios


def coordination(options, url, count):
    holder, addresses = agents(options, count)
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
    p.add_argument("--think", type=int, default=4, help="milliseconds, so that the client is not saturated")
    p.add_argument("--starts", type=int, default=3)
    p.add_argument("--blocks", type=int, default=3, help="A B B A of each start")
    p.add_argument("--seconds", type=int, default=2)
    p.add_argument("--warm", type=int, default=8)
    p.add_argument("--long", type=int, default=15)
    p.add_argument("--agents", default="3,10,30")
    options = p.parse_args()
    heading(options)
    service = Java(options, "TimedService", "127.0.0.1")
    url = f"http://127.0.0.1:{service.line()}/"
    if options.starts:
        ratios = per_request(options, url)
        error = statistics.stdev(ratios) / math.sqrt(len(ratios)) if len(ratios) > 1 else math.nan
        print(f"agent / plain: mean {statistics.mean(ratios):.3f} ± {2 * error:.3f} (two standard errors of {len(ratios)}),"
              f" range {min(ratios):.3f} to {max(ratios):.3f}", flush=True)
    for count in [int(n) for n in options.agents.split(",") if n]:
        coordination(options, url, count)
    service.end()


if __name__ == "__main__":
    main()
