#!/usr/bin/env python3
"""Measures on the wire how late jdyno's open model sends, and compares with what jdyno says itself.

tcpdump records every request on the loopback device. The k-th request of a constant schedule is due at
t0 + k/rate; t0 is chosen so that no request is early. Lateness is what remains. Needs root (tcpdump).
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

import peers

HERE = os.path.dirname(os.path.abspath(__file__))


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


def measure(args, spin, folder):
    pcap = os.path.join(folder, "sends.pcap")
    dump = subprocess.Popen(
        ["taskset", "-c", str(args.server_core), "tcpdump", "-i", "lo", "-s", "96", "-B", "65536", "--time-stamp-precision", "nano", "-w", pcap]
        + ["dst", "port", str(args.port)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    time.sleep(1)
    warmup = 5
    run = subprocess.run(
        ["taskset", "-c", str(args.client_core), args.jdyno, "load", f"http://127.0.0.1:{args.port}/"]
        + ["-c", str(args.connections), "-r", str(args.rate), "-t", "1", "-d", f"{args.seconds}s"]
        + ["--warmup", f"{warmup}s", "--spin", spin, "--json", "--quiet", "--anyway"],
        stdout=subprocess.PIPE,
        check=False,
    )
    time.sleep(0.5)
    dump.send_signal(signal.SIGINT)
    dump.wait(10)
    said = json.loads(run.stdout)
    sent = requests_sent(pcap, args.port)
    late = lateness_us(sent[-said["requests"] :], args.rate)
    return said, late


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--rate", type=int, default=5000)
    p.add_argument("--connections", type=int, default=100)
    p.add_argument("--seconds", type=int, default=8)
    p.add_argument("--rounds", type=int, default=3)
    p.add_argument("--port", type=int, default=18083)
    p.add_argument("--client-core", type=int, default=0)
    p.add_argument("--server-core", type=int, default=1)
    p.add_argument("--jdyno", default=os.path.join(HERE, "..", "..", "jdyno"))
    args = p.parse_args()
    for tool in ("nginx", "tcpdump"):
        if not shutil.which(tool):
            sys.exit(f"{tool} is not installed")
    folder = tempfile.mkdtemp(prefix="jdyno-precision-")
    os.chmod(folder, 0o777)
    nginx = peers.start_nginx(folder, args.port, args.server_core)
    try:
        print("| spin | on the wire: p50 us | p99 us | max us | jdyno says: p50 us | p99 us | CPU of a core |")
        print("| --- | --- | --- | --- | --- | --- | --- |")
        for spin in ("60us", "0us"):
            rows = []
            for _ in range(args.rounds):
                said, late = measure(args, spin, folder)
                e = said["sendErrorUs"]
                rows.append(
                    [quantile(late, 0.5), quantile(late, 0.99), late[-1], e["p50"], e["p99"]]
                    + [said["client"]["cpuPct"]]
                )
            m = [statistics.median(column) for column in zip(*rows)]
            print(f"| {spin} | {m[0]:.1f} | {m[1]:.1f} | {m[2]:.0f} | {m[3]:.1f} | {m[4]:.1f} | {m[5]:.0f} % |")
    finally:
        nginx.send_signal(signal.SIGQUIT)
        nginx.wait(10)
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
