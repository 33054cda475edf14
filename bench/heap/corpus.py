#!/usr/bin/env python3
"""Makes the corpus of GC logs against which one-log forecasts are checked (README.md).

    bench/heap/corpus.py --out DIR --jdk 17=/usr/lib/jvm/java-17-openjdk-amd64 --jdk 25=$JAVA_HOME

Each run is one program of the six sources on one collector and one heap: a fixed amount of work, some
--run-seconds long where the heap is large, the same on every heap. Logs that are there already are
left alone, so that it can be stopped (--seconds) and called again.
"""
import argparse, pathlib, subprocess, sys, time

HERE = pathlib.Path(__file__).parent
FIT = ["trees", "cache", "text", "sessions", "queue", "table"]
FIT += ["boxes", "graph", "buffers", "parse", "numbers", "index"]
HELD_OUT = ["expiry", "pipeline", "join", "ledger", "merge", "tiles"]
FRESH = ["logins", "waves", "blocks", "routes"]
UNSEEN = ["broker", "documents", "search", "rooms", "compile", "sheets"]
NEW = ["exchange", "spelling", "world", "metrics", "script", "recommend"]
SOURCES = {"Corpus": FIT, "CorpusHeldOut": HELD_OUT, "CorpusFresh": FRESH, "CorpusUnseen": UNSEEN}  # by file
SOURCES |= {"CorpusWorlds": NEW[:3], "CorpusJobs": NEW[3:]}
COLLECTORS = {
    "serial": ["-XX:+UseSerialGC"],
    "parallel": ["-XX:+UseParallelGC"],
    "g1": ["-XX:+UseG1GC"],
    "z": ["-XX:+UseZGC"],
    "shenandoah": ["-XX:+UseShenandoahGC"],
}
LOG = "-Xlog:gc*,gc+age=trace,safepoint:file=%s"
HEAPS = (200, 480)  # MiB
BETWEEN = (320,)  # on the newest JDK only
TURNS = (1, 2)  # on the newest JDK, some time apart: what two runs of one thing differ by
BASE_SECONDS = 2  # of Corpus.java at scale 1
TIMEOUT_RUNS = 10  # a run that takes so many times its length has failed


def runs(jdks, programs, wanted, collectors):
    """(program, collector, release, java, flags, heap, turn) of every run, the newest JDK first."""
    newest = jdks[-1]
    rounds = [(newest, heaps, turn) for heaps in (HEAPS, BETWEEN) for turn in TURNS]
    rounds += [(older, HEAPS, 1) for older in jdks[:-1]]
    for (release, java), heaps, turn in rounds:
        for program in programs:
            for collector in collectors:
                for heap in (h for h in heaps if h in wanted):
                    yield program, collector, release, java, COLLECTORS[collector], heap, turn


def compiled(out, home):
    """Every source into a folder of its own, so that one can be added to a corpus begun."""
    javac = pathlib.Path(home) / "bin" / "javac"
    for source in SOURCES:
        folder = out / "classes" / source
        if not folder.exists() and (HERE / f"{source}.java").exists():
            subprocess.run([javac, "--release", "17", "-d", folder, HERE / f"{source}.java"], check=True)
    return {program: source for source, programs in SOURCES.items() for program in programs}


def only_length(out, run_seconds):
    """Runs of two lengths in one corpus would be compared with each other."""
    noted = out / "run-seconds"
    if not noted.exists():
        noted.write_text(f"{run_seconds}\n")
    elif float(noted.read_text()) != run_seconds:
        sys.exit(f"{out} holds runs of {noted.read_text().strip()} s")


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    p.add_argument("--out", type=pathlib.Path, required=True)
    p.add_argument("--jdk", action="append", required=True, metavar="RELEASE=HOME")
    p.add_argument("--seconds", type=float, default=1e9, help="begin no further run after this")
    p.add_argument("--run-seconds", type=float, default=5, help="about how long a run takes")
    p.add_argument("--programs", metavar="A,B", help="these only")
    p.add_argument("--heaps", metavar="MIB,MIB", help="these only")
    p.add_argument("--collectors", metavar="A,B", help="these only")
    a = p.parse_args()
    jdks = [tuple(j.split("=", 1)) for j in a.jdk]
    a.out.mkdir(parents=True, exist_ok=True)
    only_length(a.out, a.run_seconds)
    sources = compiled(a.out, jdks[-1][1])
    programs = a.programs.split(",") if a.programs else FIT + HELD_OUT + FRESH + UNSEEN + NEW
    collectors = a.collectors.split(",") if a.collectors else list(COLLECTORS)
    heaps = {int(h) for h in a.heaps.split(",")} if a.heaps else {*HEAPS, *BETWEEN}
    began = time.monotonic()
    made = 0
    for program, collector, release, java, flags, heap, turn in runs(jdks, programs, heaps, collectors):
        if time.monotonic() - began > a.seconds:
            sys.exit(f"{made} runs made; call again for the rest")
        name = f"{program}-{collector}-{release}-{heap}-{turn}"
        log = a.out / (name + ".log")
        if log.exists() or log.with_suffix(".failed").exists():
            continue
        part = a.out / (name + ".part")
        sizes = [f"-Xms{heap}m", f"-Xmx{heap}m"]
        command = [pathlib.Path(java) / "bin" / "java", *flags, *sizes, LOG % part]
        source = sources[program]
        command += ["-cp", a.out / "classes" / source, source, program, str(a.run_seconds / BASE_SECONDS)]
        try:
            done = subprocess.run(command, capture_output=True, timeout=TIMEOUT_RUNS * a.run_seconds)
            ok = done.returncode == 0
        except subprocess.TimeoutExpired:
            ok = False
        part.rename(log if ok else log.with_suffix(".failed"))
        made += 1
    print(f"{made} runs made; the corpus is whole")


if __name__ == "__main__":
    main()
