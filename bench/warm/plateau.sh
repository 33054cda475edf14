#!/bin/bash
# plateau.sh CORES CONNECTIONS OUT: one run of the petclinic (bench/tune/petclinic, built before) in a CPU quota, with so many
# connections from the first answer on; prints what its warm-up found. CORES "none": without a quota. Needs root; one call takes about 3 minutes.
set -e
cores=$1; connections=$2; out=$3
quota="bench/warm/quota.sh $cores "; [ "$cores" = none ] && quota=
plan=$(mktemp --suffix=.yaml)
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
cat > "$plan" <<P
name: petclinic-$cores-$connections
url: "http://127.0.0.1:$port/"
target:
  launch: >-
    ${quota}java -Xmx256m -jar bench/tune/petclinic/target/petclinic.jar --server.port=$port
    --logging.file.name=bench/tune/petclinic/target/logs/$port.log
workload:
  journeys:
    - name: owners
      steps:
        - path: /owners?lastName=Davis
          check: {contains: "visits)"}
warmup: {concurrency: $connections}
rounds: {length: 5s, concurrency: [$connections]}
evidence: {window: 2s}
limits: {start: 3m}
P
./jdyno run "$plan" --out "$out" --quiet --no-store > /dev/null || echo "exit $?"
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
rm "$plan"
