#!/bin/bash
# plan.sh CORES CONNECTIONS: prints a plan of the petclinic (bench/tune/petclinic, built before) in a CPU quota, with so many connections
# from the first answer on. CORES "none": without a quota.
set -eu
[ $# = 2 ] || { sed -n '2,3s/^# //p' "$0" >&2; exit 2; }
cores=$1; connections=$2
quota="bench/warm/quota.sh $cores "; [ "$cores" != none ] || quota=
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
cat <<P
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
