#!/usr/bin/env python3
"""How late this machine lets a thread be that does nothing but wait for its next due instant.

The floor under any send precision: no JVM, no sockets, one thread that sleeps (timer slack 1 ns) until
`spin` before each of `rate` instants a second and polls the clock from there, as jdyno's open model does.
With --nice -20 it goes before others as jdyno does where it may; with 0 it is an ordinary thread.
Prints one JSON object: lateness in microseconds, and what took the core away meanwhile.
"""
import argparse
import ctypes
import gc
import json
import os
import time

PR_SET_TIMERSLACK = 29
CLOCK_MONOTONIC = 1
TIMER_ABSTIME = 1


class Timespec(ctypes.Structure):
    _fields_ = [("seconds", ctypes.c_long), ("nanos", ctypes.c_long)]


def steal_seconds(core):
    """CPU time of the core that the hypervisor took, since boot."""
    with open("/proc/stat", encoding="ascii") as f:
        for line in f:
            fields = line.split()
            if fields[0] == f"cpu{core}":
                return int(fields[8]) / os.sysconf("SC_CLK_TCK")
    return 0.0


def lost_turns(status):
    """Involuntary context switches by a /proc/…/status file."""
    with open(status, encoding="ascii") as f:
        for line in f:
            if line.startswith("nonvoluntary_ctxt_switches"):
                return int(line.split()[1])
    return 0


def lateness(rate, seconds, spin_ns):
    """Nanoseconds after its due instant at which the thread had each of rate × seconds turns."""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0)
    wake = Timespec()
    where = ctypes.byref(wake)
    clock = time.monotonic_ns
    late = [0] * (rate * seconds)
    start = clock() + 1_000_000
    for k in range(len(late)):
        due = start + k * 1_000_000_000 // rate
        until = due - spin_ns
        if clock() < until:
            wake.seconds, wake.nanos = divmod(until, 1_000_000_000)
            libc.clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, where, None)
        now = clock()
        while now < due:
            now = clock()
        late[k] = now - due
    return late


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--rate", type=int, default=5000)
    p.add_argument("--seconds", type=int, default=5)
    p.add_argument("--spin-us", type=int, default=60)
    p.add_argument("--core", type=int, default=0)
    p.add_argument("--nice", type=int, default=0)
    args = p.parse_args()
    if args.nice:
        os.setpriority(os.PRIO_PROCESS, 0, args.nice)
    os.sched_setaffinity(0, {args.core})
    gc.disable()
    lateness(args.rate, 1, args.spin_us * 1000)
    steal, turns = steal_seconds(args.core), lost_turns("/proc/self/status")
    late = sorted(lateness(args.rate, args.seconds, args.spin_us * 1000))
    print(
        json.dumps(
            {
                "p50": late[len(late) // 2] / 1e3,
                "p99": late[len(late) * 99 // 100] / 1e3,
                "max": late[-1] / 1e3,
                "stealMs": (steal_seconds(args.core) - steal) * 1e3,
                "lostTurns": lost_turns("/proc/self/status") - turns,
            }
        )
    )


if __name__ == "__main__":
    main()
