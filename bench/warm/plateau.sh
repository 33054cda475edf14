#!/bin/bash
# plateau.sh CORES CONNECTIONS OUT: one run of the petclinic (bench/tune/petclinic, built before) in a CPU quota, with so many
# connections from the first answer on; prints what its warm-up found. CORES "none": without a quota. Needs root; one call takes about 3 minutes.
set -eu
[ $# = 3 ] || { sed -n '2,3s/^# //p' "$0" >&2; exit 2; }
cores=$1; connections=$2; out=$3
plan=$(mktemp --suffix=.yaml)
trap 'rm -f "$plan"' EXIT
rm -f "$out/result.json" # one of an earlier run would be taken for this one's
bench/warm/plan.sh "$cores" "$connections" > "$plan"
./jdyno run "$plan" --out "$out" --quiet --no-store > /dev/null || { code=$?; echo "exit $code"; [ -e "$out/result.json" ] || exit "$code"; }
python3 - "$out/result.json" <<'P'
import json, sys
r = json.load(open(sys.argv[1]))
w = r["load"]["warmUp"]
print(f"warm-up {w['seconds']:.1f} s, at most {w['queuedMost']} methods queued, at its end {w['compilers']}")
for x in w["rests"]:
    after = x["qpsAfter"]
    print(f"  rest at {x['fromS']:.1f} s of {x['seconds']:.1f} s: queue {x['queuedBefore']} to {x['queuedAfter']}, {x['qpsBefore']:.0f}/s to {after and round(after)}/s")
a = w["after"]
print("  after the rounds:", a and f"rest of {a['restSeconds']:.1f} s, {a['qpsBefore']:.0f}/s to {a['qpsAfter']:.0f}/s, ratio {a['ratioCi95']}")
print("  round:", [(x["concurrency"], round(x["qps"])) for x in r["rounds"]], "verdict", r["verdict"]["bottleneck"], r["verdict"]["confidence"])
print("  warnings:", [x["id"] for x in r["validity"]["warnings"]], "missing", w["missing"])
P
