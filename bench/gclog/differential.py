#!/usr/bin/env python3
"""Counts what jdyno and GCToolKit find in the same GC logs and explains every difference.

Without arguments it reads the project's own fixtures. Each difference must stand in disagreements.tsv
with the figures of both and whose fault it is; a new one, or one that is gone, ends with exit code 1.
With LOG... it prints the differences in those logs and judges nothing. See README.md.
"""
import argparse
import glob
import gzip
import json
import os
import re
import subprocess
import sys
import tempfile

import tools

# jdyno's count -> GCToolKit's event classes
TYPES = {
    "young": ["G1Young", "G1YoungInitialMark", "ParNew", "DefNew", "PSYoungGen", "YoungGC", "ParNewPromotionFailed"],
    "full": ["FullGC", "PSFullGC", "SystemGC", "G1FullGC", "G1FullGCNES", "G1SystemGC", "ConcurrentModeFailure",
             "ConcurrentModeInterrupted"],
    "mixed": ["G1Mixed"],
    "remark": ["CMSRemark", "G1Remark"],
    "initialMark": ["InitialMark"],
    "cleanup": ["G1Cleanup"],
    "minor": ["ZMinor"],
    "major": ["ZMajor"],
}
# totals differ by this much when both add up the same rounded figures
ROUNDING_MS = 0.5


def plain(folder, log):
    if not log.endswith(".gz"):
        return log
    out = os.path.join(folder, os.path.basename(log)[:-3])
    with gzip.open(log, "rb") as packed, open(out, "wb") as f:
        f.write(packed.read())
    return out


def theirs(class_path, log):
    try:
        run = subprocess.run([tools.java(), "-cp", class_path, "PeerRead", log], timeout=120,
                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    except subprocess.TimeoutExpired:
        return None
    row = next((line for line in run.stdout.splitlines() if line.startswith(log + "\t")), "")
    found = re.findall(r"(\w+)=(\d+)/(-?[\d.]+)", row)
    return {name: (int(count), float(ms)) for name, count, ms in found}


def ours(log):
    run = subprocess.run([tools.java(), "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-jar", tools.jar(), "gc",
                          "--json", log], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return json.loads(run.stdout) if run.returncode == 0 else None


def differences(own, peer):
    """Triples (figure, ours, theirs)."""
    if not peer:
        return [("events", "some", "none")] if any(own["events"].values()) else []
    found = []
    for figure, classes in TYPES.items():
        count = sum(peer.get(c, (0, 0))[0] for c in classes)
        if count != own["events"].get(figure, 0):
            found.append((figure, str(own["events"].get(figure, 0)), str(count)))
    if not any(name[0] == "Z" or name.startswith("Shenandoah") for name in peer):
        total = sum(ms for _, ms in peer.values())
        if abs(total - own["pausesMs"]["total"]) > ROUNDING_MS + 0.001 * own["pausesMs"]["total"]:
            found.append(("pauseMs", f'{own["pausesMs"]["total"]:.0f}', f"{total:.0f}"))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("logs", nargs="*", metavar="LOG")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        class_path = tools.peer_class_path(folder)
        logs = args.logs or sorted(glob.glob(os.path.join(tools.FIXTURES, "*.log.gz")))
        seen = []
        for given in logs:
            log = plain(folder, given)
            own = ours(log)
            if own is None:
                print(f"{given}: jdyno says that it is no GC log")
                continue
            name = os.path.basename(given).removesuffix(".gz").removesuffix(".log")
            seen += [(name, *d) for d in differences(own, theirs(class_path, log))]
    for row in seen:
        print("{}: {} is {} here, {} there".format(*row))
    print(f"{len(logs)} logs, {len(seen)} differences in {len({r[0] for r in seen})} of them")
    if args.logs:
        return 0
    with open(os.path.join(tools.HERE, "disagreements.tsv"), encoding="utf-8") as f:
        explained = {tuple(line.rstrip("\n").split("\t")[:4]) for line in f if line[0] not in "#\n"}
    for row in sorted(set(seen) - explained):
        print("not explained:", *row)
    for row in sorted(explained - set(seen)):
        print("explained, but not there any more:", *row)
    return 0 if set(seen) == explained else 1


if __name__ == "__main__":
    sys.exit(main())
