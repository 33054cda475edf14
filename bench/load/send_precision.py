#!/usr/bin/env python3
"""Measures on the wire how late jdyno's open model sends, and compares with what jdyno says itself.

tcpdump records every request on the loopback device. The k-th request of a constant schedule is due at
t0 + k/rate; t0 is chosen so that no request is early. Lateness is what remains. Needs root (tcpdump).
Between jdyno's runs controls that only wait for the same instants (floor.py) say what the machine itself adds,
one that goes before other threads as jdyno does, and an ordinary one; beside them stand the turns on the core
that the waiting thread lost, and what the hypervisor took.
"""
import argparse
import json
import os
import shutil
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import time

import floor
import peers

HERE = os.path.dirname(os.path.abspath(__file__))
WARMUP = 5

# controls that only wait -> their niceness
CONTROLS = {"floor": -20, "ordinary thread": 0}


def requests_sent(pcap, port):
    """Capture instants, in seconds, of the packets with a payload towards the port."""
    with open(pcap, "rb") as f:
        magic = f.read(4)
        nanos = magic in (b"\x4d\x3c\xb2\xa1", b"\xa1\xb2\x3c\x4d")
        f.read(20)
        times = []
        while True:
            head = f.read(16)
            if len(head) < 16:
                return times
            seconds, fraction, caught, _ = struct.unpack("<IIII", head)
            packet = f.read(caught)
            ip = packet[14:]
            if len(ip) < 40 or ip[9] != 6:
                continue
            ip_head = (ip[0] & 15) * 4
            total = struct.unpack(">H", ip[2:4])[0]
            to = struct.unpack(">H", ip[ip_head + 2 : ip_head + 4])[0]
            tcp_head = (ip[ip_head + 12] >> 4) * 4
            if to == port and total > ip_head + tcp_head:
                times.append(seconds + fraction / (1e9 if nanos else 1e6))


def lateness_us(times, rate):
    first = times[0]
    late = [t - first - k / rate for k, t in enumerate(sorted(times))]
    earliest = min(late)
    return sorted((x - earliest) * 1e6 for x in late)


def quantile(ordered, q):
    return ordered[min(len(ordered) - 1, int(q * len(ordered)))]


def loop_status(pid):
    """The status file of the process's event loop; None before it runs."""
    for task in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{task}/comm", encoding="ascii") as f:
            if f.read().strip() == "load-0":
                return f"/proc/{pid}/task/{task}/status"
    return None


def measure(args, spin, folder):
    """A row of jdyno: lateness on the wire, by itself, its CPU, what took the core away."""
    pcap = os.path.join(folder, "sends.pcap")
    dump = subprocess.Popen(
        ["taskset", "-c", str(args.server_core), "tcpdump", "-i", "lo", "-s", "96", "-B", "65536"]
        + ["--time-stamp-precision", "nano", "-w", pcap, "dst", "port", str(args.port)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    time.sleep(1)
    run = subprocess.Popen(
        ["taskset", "-c", str(args.client_core), args.jdyno, "load", f"http://127.0.0.1:{args.port}/"]
        + ["-c", str(args.connections), "-r", str(args.rate), "-t", "1", "-d", f"{args.seconds}s"]
        + ["--warmup", f"{WARMUP}s", "--spin", f"{spin}us", "--json", "--quiet", "--anyway"],
        stdout=subprocess.PIPE,
    )
    time.sleep(WARMUP + 1)
    status = loop_status(run.pid)
    turns, steal = floor.lost_turns(status), floor.steal_seconds(args.client_core)
    time.sleep(args.seconds - 2)
    turns = floor.lost_turns(status) - turns
    steal = floor.steal_seconds(args.client_core) - steal
    out, _ = run.communicate()
    time.sleep(0.5)
    dump.send_signal(signal.SIGINT)
    dump.wait(10)
    said = json.loads(out)
    late = lateness_us(requests_sent(pcap, args.port)[-said["requests"] :], args.rate)
    e = said["sendErrorUs"]
    return [
        quantile(late, 0.5), quantile(late, 0.99), late[-1], e["p50"], e["p99"], e["max"],
        said["client"]["cpuPct"], turns / (args.seconds - 2), 1e3 * steal / (args.seconds - 2),
    ]


def measure_floor(args, what, spin):
    """A row of a control that only waits for the same instants, on the same core."""
    run = subprocess.run(
        [sys.executable, os.path.join(HERE, "floor.py"), "--rate", str(args.rate)]
        + ["--seconds", "5", "--spin-us", str(spin), "--core", str(args.client_core)]
        + ["--nice", str(CONTROLS[what])],
        stdout=subprocess.PIPE,
        check=True,
    )
    m = json.loads(run.stdout)
    return [m["p50"], m["p99"], m["max"], m["lostTurns"] / 5, m["stealMs"] / 5]


def row(what, spin, measured):
    """Medians of the rounds; for the p99s also the least and the most."""
    def median(i, form):
        return format(statistics.median(r[i] for r in measured), form)

    def p99(i):
        values = [r[i] for r in measured]
        return f"{statistics.median(values):.1f} ({min(values):.1f}…{max(values):.1f})"

    if what in CONTROLS:
        cells = [median(0, ".1f"), p99(1), median(2, ",.0f"), "", "", "", ""]
        cells += [median(3, ".0f"), median(4, ".1f")]
    else:
        cells = [median(0, ".1f"), p99(1), median(2, ",.0f")]
        cells += [median(3, ".1f"), p99(4), median(5, ",.0f"), median(6, ".0f") + " %"]
        cells += [median(7, ".0f"), median(8, ".1f")]
    return f"| {what} | {spin} | " + " | ".join(cells) + " |"


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--rate", type=int, default=5000)
    p.add_argument("--connections", type=int, default=100)
    p.add_argument("--seconds", type=int, default=8)
    p.add_argument("--rounds", type=int, default=3)
    p.add_argument("--port", type=int, default=18083)
    p.add_argument("--client-core", type=int, default=0)
    p.add_argument("--server-core", type=int, default=1)
    p.add_argument("--spins", default="60,0", help="microseconds")
    p.add_argument("--jdyno", default=os.path.join(HERE, "..", "..", "jdyno"))
    args = p.parse_args()
    for tool in ("nginx", "tcpdump"):
        if not shutil.which(tool):
            sys.exit(f"{tool} is not installed")
    folder = tempfile.mkdtemp(prefix="jdyno-precision-")
    os.chmod(folder, 0o777)
    cases = [(what, int(spin)) for spin in args.spins.split(",") for what in ("jdyno", *CONTROLS)]
    rows = {case: [] for case in cases}
    nginx = peers.start_nginx(folder, args.port, args.server_core)
    try:
        for r in range(args.rounds):
            for what, spin in cases if r % 2 == 0 else cases[::-1]:
                if what in CONTROLS:
                    found = measure_floor(args, what, spin)
                else:
                    found = measure(args, spin, folder)
                rows[what, spin].append(found)
                print(f"  round {r + 1}: {what} {spin} us: {found}", file=sys.stderr)
    finally:
        nginx.send_signal(signal.SIGQUIT)
        nginx.wait(10)
        shutil.rmtree(folder)
    print("| | spin us | p50 us | p99 us | max us | says p50 | says p99 | says max | CPU of a core | lost turns/s | steal ms/s |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for what, spin in cases:
        print(row(what, spin, rows[what, spin]))


if __name__ == "__main__":
    main()
