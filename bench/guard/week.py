#!/usr/bin/env python3
"""Fills a history with made-up days of one plan, to look at `jdyno serve` and `jdyno history trend`.

    ./jdyno history --store week.db && bench/guard/week.py week.db [DAYS] && ./jdyno serve --store week.db

From two thirds of the days on, a request takes 6 % more CPU, all of it in one method.
"""
import random
import sqlite3
import sys


def main():
    store, days = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 30
    random.seed(3)
    changed = days * 2 // 3
    with sqlite3.connect(store) as db:
        for day in range(days):
            name = f"2026{10 + day // 28:02d}{1 + day % 28:02d}-043000-{day:04x}"
            cpu = 2.5 * (1.06 if day >= changed else 1) * random.gauss(1, 0.008)
            db.execute(
                "INSERT INTO run VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
                (name, "guard", "shop", None, 1_790_829_000_000 + day * 86_400_000, 140.0,
                 f"{random.getrandbits(160):040x}", "main", "perf-1", 2, "AMD EPYC", "Linux 6.1", "25.0.3", "-Xmx1g",
                 "regression" if day == changed else "ok", "cpu", 1, None, "jdyno guard shop.yaml"))
            figures = [("cpuMsPerRequest", "ms", cpu),
                       ("qps", "requests/s", 800 * 2.5 / cpu * random.gauss(1, 0.01)),
                       ("p50", "ms", 5 * random.gauss(1, 0.03)),
                       ("p99", "ms", 20 * random.gauss(1, 0.1)),
                       ("allocBytesPerRequest", "bytes", 41_000 * random.gauss(1, 0.003)),
                       ("machineNs", "ns", 1.9)]
            db.executemany("INSERT INTO figure VALUES (?,?,?,?,?,?)", [(name, f, u, v, None, None) for f, u, v in figures])
            methods = [("com.acme.shop.Price.of", 0.56 if day >= changed else 0.4), ("com.acme.shop.Page.render", 1.1),
                       ("com.acme.shop.Cart.sum", 0.3)]
            db.executemany("INSERT INTO part VALUES (?,?,?,?,?)", [(name, "method", m, ms, int(ms * 400)) for m, ms in methods])
            causes = [("cpu", 2.5), ("runQueue", 6.1), ("lock", 0.4)]
            db.executemany("INSERT INTO part VALUES (?,?,?,?,?)", [(name, "cause", c, ms, 0) for c, ms in causes])


if __name__ == "__main__":
    main()
