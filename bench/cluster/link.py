#!/usr/bin/env python3
"""What agents do when their run is gone, cut off, or far away.

    ./mvnw -DskipTests package
    sudo bench/cluster/link.py --java /usr/lib/jvm/temurin-25-jdk-amd64/bin/java kill cut

Runs stand on one host (a network namespace), agents and the service on another; the link between them is slowlink.py. --runs runs at a
time, each with an agent of its own and two users that think for 2 ms.

- `kill`: the runs are killed (SIGKILL). How long afterwards does the last request of each reach the service?
- `cut`: the same when the link drops everything.
- `stalled`: the same as `kill` when the link has held up all packets by 1.1 s, from 0.3 s before: the last heartbeats come when the runs are gone.
- `partition`: the link is cut for each of --cuts seconds and healed; requests later than 3 s after the cut are counted until 10 s after
  it was healed, beside what the runs say.
- `slow`: the link has --delay and --loss; how many windows, one a second, do the runs get in --seconds?
"""
import argparse
import os
import statistics
import time

from fleet import Java, agents, heading
from slowlink import SlowLink

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LATEST_S = 3


class Scene:
    """Runs that load the service by one agent each."""

    def __init__(self, options):
        self.options = options
        self.link = SlowLink()
        b = self.link.b
        address = self.link.addresses[b]
        self.service = Java(options, "TimedService", address, host=b)
        self.at = f"{address}:{self.service.line()}"
        self.holder, self.agents = agents(options, options.runs, address, [self.at], host=b)
        self.trial = 0

    def start(self):
        self.trial += 1
        self.paths = [f"/{self.trial}-{i}" for i in range(self.options.runs)]
        self.runs = [Java(self.options, "FleetProcess", "fleet", f"http://{self.at}{path}", 2, 2, agent, host=self.link.a)
                     for path, agent in zip(self.paths, self.agents)]
        for run in self.runs:
            run.line()
            run.say("hold")
        time.sleep(2)

    def last(self):
        """For each run: its requests, and when the last one came."""
        return [tuple(map(int, self.service.asked(path).split())) for path in self.paths]

    def end_runs(self):
        for run in self.runs:
            if run.process.poll() is None:
                run.end()

    def close(self):
        self.holder.end()
        self.service.end()
        self.link.close()


def quantiles(name, seconds):
    ordered = sorted(seconds)
    print(f"{name}: {len(ordered)} trials, seconds until the last request: least {ordered[0]:.2f}, median {statistics.median(ordered):.2f},"
          f" 90 % {ordered[int(0.9 * (len(ordered) - 1))]:.2f}, most {ordered[-1]:.2f}", flush=True)


def gone(scene, name, how, first=lambda: None):
    seconds = []
    for _ in range(scene.options.trials):
        scene.start()
        # not always at the same instant of a beat
        time.sleep(0.25 * (scene.trial % 7) / 7)
        first()
        before = time.monotonic_ns()
        how()
        time.sleep(LATEST_S + 1)
        if not all(count for count, _ in scene.last()):
            raise RuntimeError("a run has sent nothing")
        seconds += [(last - before) / 1e9 for _, last in scene.last()]
        scene.link.cut, scene.link.delay_s = False, 0.0
        scene.end_runs()
    quantiles(name, seconds)


def kill(scene, name="kill", first=lambda: None):
    def all_runs():
        for run in scene.runs:
            run.process.kill()
        for run in scene.runs:
            run.process.wait()
    gone(scene, name, all_runs, first)


def cut(scene):
    def the_link():
        scene.link.cut = True
    gone(scene, "cut", the_link)


def stalled(scene):
    def the_link_first():
        scene.link.delay_s = 1.1
        time.sleep(0.3)
    kill(scene, "stalled", the_link_first)


def partition(scene):
    for length in [int(s) for s in scene.options.cuts.split(",")]:
        scene.start()
        before = time.monotonic_ns()
        scene.link.cut = True
        time.sleep(LATEST_S)
        sent = [count for count, _ in scene.last()]
        time.sleep(max(0, length - LATEST_S))
        scene.link.cut = False
        said = [run.line().split()[0] for run in scene.runs]
        time.sleep(10)
        late = [count - then for (count, _), then in zip(scene.last(), sent)]
        most = max((last - before) / 1e9 for _, last in scene.last())
        print(f"partition of {length} s: {sum(late)} requests later than {LATEST_S} s after the cut, the last {most:.2f} s after it;"
              f" the runs: {', '.join(said)}", flush=True)
        scene.end_runs()
        time.sleep(1)


def slow(scene):
    scene.link.delay_s, scene.link.loss = scene.options.delay / 1e3, scene.options.loss / 100
    scene.start()
    time.sleep(scene.options.seconds - 2)
    alive = [count for count, _ in scene.last()]
    time.sleep(1)
    grows = sum(count > then for (count, _), then in zip(scene.last(), alive))
    for run in scene.runs:
        run.process.kill()
    windows = [run.process.stdout.readline().strip() for run in scene.runs]
    print(f"delay {scene.options.delay} ms each way, {scene.options.loss} % loss: after {scene.options.seconds} s {grows} of"
          f" {scene.options.runs} runs load, {sum(bool(w) for w in windows)} have ended", flush=True)
    scene.link.delay_s, scene.link.loss = 0.0, 0.0


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("what", nargs="+", choices=["kill", "stalled", "cut", "partition", "slow"])
    p.add_argument("--java", default="java")
    p.add_argument("--classpath", default=f"{ROOT}/bench/target/benchmarks.jar")
    p.add_argument("--runs", type=int, default=6)
    p.add_argument("--trials", type=int, default=7)
    p.add_argument("--cuts", default="5,15,60")
    p.add_argument("--delay", type=float, default=100)
    p.add_argument("--loss", type=float, default=1)
    p.add_argument("--seconds", type=int, default=30)
    options = p.parse_args()
    heading(options)
    scene = Scene(options)
    try:
        for what in options.what:
            {"kill": kill, "stalled": stalled, "cut": cut, "partition": partition, "slow": slow}[what](scene)
    finally:
        scene.close()


if __name__ == "__main__":
    main()
