#!/usr/bin/env python3
"""How fast jdyno and GCToolKit read a GC log of 105 MB, and in how much heap.

Makes the log (JDK 25, G1, gc*,gc+age=trace,safepoint) with the program of the test fixtures, then runs
both tools in alternating order. A whole process counts with its start and all its threads, compilers
and collectors among them: CPU time is what wait4 says. Ratios are taken within a round; median and
range over the rounds are printed. Then both read the log again and again in one JVM pinned to one core.
See README.md.
"""
import argparse
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

import tools

LOG_OPTION = "-Xlog:gc*,gc+age=trace,safepoint:file={}:time,uptime,level,tags:filecount=0"
# a small young generation collects some thousand times a second, and a log grows fast
HEAP = ["-Xmx64m", "-Xmn4m", "-XX:+UseG1GC"]
# one that G1 sizes itself: short of room, so that another heap is advised and predicted
OWN_YOUNG = ["-Xmx64m", "-XX:+UseG1GC"]


# a longer log is this much of one, again and again: a JVM that was started anew into the same file
ONE_JVM = 105_000_000


def make_log(folder, path, size, starts):
    """A log of so many bytes and JVM starts; what the last has beyond 105 MB is its repetition."""
    one = path + ".one"
    each = min(-(-size // starts), ONE_JVM)
    with open(path, "wb") as out:
        for _ in range(starts):
            make_one(folder, one, each, HEAP if starts == 1 else OWN_YOUNG)
            append(one, out)
        while out.tell() < size:
            append(one, out)
    os.remove(one)


def append(path, out):
    with open(path, "rb") as f:
        shutil.copyfileobj(f, out, 1 << 20)


def make_one(folder, path, size, heap):
    """Runs the allocating program until its log is long enough and cuts it at a line's end."""
    subprocess.run([tools.java("javac"), "-d", folder, os.path.join(tools.FIXTURES, "Churn.java")], check=True)
    part = path + ".part"
    command = [tools.java(), *heap, LOG_OPTION.format(part), "-cp", folder, "Churn", "100000", "16", "0", "1", "0"]
    process = subprocess.Popen(command)
    try:
        while process.poll() is None and (not os.path.exists(part) or os.path.getsize(part) < size):
            time.sleep(0.2)
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    with open(part, "rb+") as f:
        f.seek(size)
        f.readline()
        f.truncate()
    os.rename(part, path)


def whole_process(command):
    """Wall and CPU seconds, the largest resident size in MiB, and whether it went well."""
    begin = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return (time.monotonic() - begin, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, process.returncode == 0)


def spread(values, form="{:.1f}"):
    return f"{form} ({form} … {form})".format(statistics.median(values), min(values), max(values))


def warm(command, last):
    """MB/s of the last readings, in one JVM on one core."""
    pinned = ["taskset", "-c", "0"] if shutil.which("taskset") else []
    run = subprocess.run(pinned + command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return [float(line) for line in run.stdout.split()][-last:]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--log", help="read this log; it is made when it does not exist")
    parser.add_argument("--mb", type=int, default=105, help="size of a log that is made (default 105)")
    parser.add_argument("--starts", type=int, default=1, help="JVM starts in a log that is made (default 1)")
    parser.add_argument("--against", metavar="LAUNCHER", help="another build's launcher, run in turn")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--warm", type=int, default=16, help="readings of jdyno in one JVM (default 16)")
    parser.add_argument("--no-peer", action="store_true", help="jdyno only")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        log = args.log or os.path.join(folder, "g1.log")
        if not os.path.exists(log):
            make_log(folder, log, args.mb * 1_000_000, args.starts)
        mb = os.path.getsize(log) / 1e6
        commands = {"jdyno": [os.path.join(tools.ROOT, "jdyno"), "gc", log]}
        if args.against:
            commands["other"] = [args.against, "gc", log]
        if not args.no_peer:
            peer = tools.peer_class_path(folder)
            commands["GCToolKit"] = [tools.java(), "-Xmx2g", "-cp", peer, "PeerRead", log]
        print(f"{log}: {mb:.1f} MB, {os.cpu_count()} CPUs")
        # the first start writes the launcher's class-data archive
        for name in ("jdyno", "other"):
            if name in commands:
                whole_process(commands[name])
        rates = {name: [] for name in commands}
        for r in range(args.rounds):
            for name in list(commands) if r % 2 == 0 else list(reversed(commands)):
                wall, cpu, rss, well = whole_process(commands[name])
                rates[name].append(mb / cpu)
                print(f"  {name:10} {wall:7.2f} s wall {cpu:7.2f} s CPU {rss:7.0f} MiB resident"
                      f" {mb / cpu:7.1f} MB per CPU second{'' if well else '  FAILED'}")
        for name, values in rates.items():
            print(f"{name}: {spread(values)} MB per CPU second, start of the JVM included")
        for name in rates:
            if name != "jdyno":
                ratios = [a / b for a, b in zip(rates["jdyno"], rates[name])]
                print(f"jdyno / {name}: {spread(ratios, '{:.2f}')} times")
        own = warm([tools.java(), "-XX:+UseSerialGC", "-Xmx64m", "-cp", tools.own_class_path(folder), "OwnRead",
                    str(args.warm), log], max(1, args.warm // 4))
        print(f"jdyno, warm, one core, 64 MiB of heap: {spread(own)} MB/s")
        if not args.no_peer:
            own_peer = warm([tools.java(), "-Xmx2g", "-cp", tools.peer_class_path(folder), "PeerRead", "-warm", "2", log], 1)
            if own_peer:
                print(f"GCToolKit, second reading, one core: {spread(own_peer)} MB/s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
