#!/usr/bin/env python3
"""Makes the corpus of GC logs against which one-log forecasts are checked (README.md).

    bench/heap/corpus.py --out DIR --jdk 17=/usr/lib/jvm/java-17-openjdk-amd64 --jdk 25=$JAVA_HOME

Each run is one program of Corpus.java on one collector and one heap. Logs that are there already
are left alone, so that it can be stopped (--seconds) and called again.
"""
import argparse, pathlib, subprocess, sys, time

HERE = pathlib.Path(__file__).parent
FIT = ["trees", "cache", "text", "sessions", "queue", "table"]
HELD_OUT = ["boxes", "graph", "buffers", "parse", "numbers", "index"]
COLLECTORS = {
    "serial": ["-XX:+UseSerialGC"],
    "parallel": ["-XX:+UseParallelGC"],
    "g1": ["-XX:+UseG1GC"],
    "z": ["-XX:+UseZGC"],
    "shenandoah": ["-XX:+UseShenandoahGC"],
}
LOG = "-Xlog:gc*,gc+age=trace,safepoint:file=%s"
TIMEOUT_S = 60


def runs(jdks):
    """(name, java, flags, heap) of every run; heaps innermost: ratios are taken between them."""
    for program in FIT + HELD_OUT:
        for collector, flags in COLLECTORS.items():
            for release, java in jdks:
                heaps = (160, 240, 360, 540) if release == jdks[-1][0] else (200, 400)
                for heap in heaps:
                    yield program, collector, release, java, flags, heap, 1
    for program in FIT + HELD_OUT:  # the same once more: what two runs of one thing differ by
        for collector, flags in COLLECTORS.items():
            release, java = jdks[-1]
            yield program, collector, release, java, flags, 240, 2


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    p.add_argument("--out", type=pathlib.Path, required=True)
    p.add_argument("--jdk", action="append", required=True, metavar="RELEASE=HOME")
    p.add_argument("--seconds", type=float, default=1e9, help="begin no further run after this")
    a = p.parse_args()
    jdks = [tuple(j.split("=", 1)) for j in a.jdk]
    a.out.mkdir(parents=True, exist_ok=True)
    classes = a.out / "classes"
    if not classes.exists():
        javac = pathlib.Path(jdks[-1][1]) / "bin" / "javac"
        subprocess.run([javac, "--release", "17", "-d", classes, HERE / "Corpus.java"], check=True)
    began = time.monotonic()
    made = 0
    for program, collector, release, java, flags, heap, turn in runs(jdks):
        if time.monotonic() - began > a.seconds:
            sys.exit(f"{made} runs made; call again for the rest")
        name = f"{program}-{collector}-{release}-{heap}-{turn}"
        log = a.out / (name + ".log")
        if log.exists() or log.with_suffix(".failed").exists():
            continue
        part = a.out / (name + ".part")
        sizes = [f"-Xms{heap}m", f"-Xmx{heap}m"]
        command = [pathlib.Path(java) / "bin" / "java", *flags, *sizes, LOG % part]
        command += ["-cp", classes, "Corpus", program]
        try:
            done = subprocess.run(command, capture_output=True, timeout=TIMEOUT_S)
            ok = done.returncode == 0
        except subprocess.TimeoutExpired:
            ok = False
        part.rename(log if ok else log.with_suffix(".failed"))
        made += 1
    print(f"{made} runs made; the corpus is whole")


if __name__ == "__main__":
    main()
