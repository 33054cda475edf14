"""A link between two network namespaces that delays, loses and stalls packets in user space, for kernels without netem.

Each end is a TUN device whose packets this process reads and writes; what it holds back is IP packets, so that TCP on both hosts does
what it does on a real link. Needs root.
"""
import fcntl
import heapq
import os
import random
import select
import struct
import subprocess
import threading
import time

TUNSETIFF = 0x400454CA
IFF_TUN, IFF_NO_PI = 0x0001, 0x1000
MOST_PACKET = 65_536


def ip(*words):
    subprocess.run(["ip", *words], check=True)


def tun(name, host, address, peer):
    """A device of ours that moves into the host's namespace and stays in our hands."""
    device = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(device, TUNSETIFF, struct.pack("16sH", name.encode(), IFF_TUN | IFF_NO_PI))
    ip("link", "set", name, "netns", host)
    ip("-n", host, "address", "add", address, "peer", peer, "dev", name)
    ip("-n", host, "link", "set", name, "up")
    ip("-n", host, "link", "set", "lo", "up")
    return device


class SlowLink:
    """Two hosts, named after this process, with the addresses 10.79.0.1 (`a`) and 10.79.0.2 (`b`)."""

    def __init__(self):
        self.a, self.b = (f"jdyno{os.getpid()}-{end}" for end in "ab")
        self.addresses = {self.a: "10.79.0.1", self.b: "10.79.0.2"}
        self.delay_s, self.loss, self.cut = 0.0, 0.0, False
        self.ended = False
        for host in (self.a, self.b):
            ip("netns", "add", host)
        self.ends = [tun(f"jd{os.getpid() % 100000}{n}", host, self.addresses[host], self.addresses[other])
                     for n, host, other in (("a", self.a, self.b), ("b", self.b, self.a))]
        self.carrier = threading.Thread(target=self.carry, daemon=True)
        self.carrier.start()

    def carry(self):
        waiting, number = [], 0
        while not self.ended:
            timeout = max(0.0, min(0.05, waiting[0][0] - time.monotonic())) if waiting else 0.05
            for end in select.select(self.ends, [], [], timeout)[0]:
                packet = os.read(end, MOST_PACKET)
                if self.cut or random.random() < self.loss:
                    continue
                number += 1
                heapq.heappush(waiting, (time.monotonic() + self.delay_s, number, self.ends[1 - self.ends.index(end)], packet))
            while waiting and waiting[0][0] <= time.monotonic():
                _, _, to, packet = heapq.heappop(waiting)
                if not self.cut:
                    os.write(to, packet)

    def close(self):
        self.ended = True
        self.carrier.join()
        for end in self.ends:
            os.close(end)
        for host in (self.a, self.b):
            ip("netns", "delete", host)
