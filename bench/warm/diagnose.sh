#!/bin/bash
# diagnose.sh CORES CONNECTIONS: the petclinic (bench/tune/petclinic) starts in a CPU quota, gets the load of wrk from its first answer
# on, and jdyno diagnose looks at it 10 s later: what a restart under load looks like. Needs root and wrk.
cores=$1; connections=$2
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
bench/warm/quota.sh "$cores" java -Xmx256m -jar bench/tune/petclinic/target/petclinic.jar --server.port="$port" \
  --logging.file.name=bench/tune/petclinic/target/logs/"$port".log > /dev/null 2>&1 &
wrapper=$!
url="http://127.0.0.1:$port/owners?lastName=Davis"
for _ in $(seq 240); do curl -sf -o /dev/null "$url" && break; sleep 0.5; done
java=$(pgrep -P "$wrapper" java)
wrk -t1 -c"$connections" -d30s "$url" > /dev/null &
load=$!
sleep 10
./jdyno diagnose "$java" --duration 8s
wait $load
kill "$wrapper"; wait "$wrapper" 2>/dev/null
