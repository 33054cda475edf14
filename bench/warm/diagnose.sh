#!/bin/bash
# diagnose.sh CORES CONNECTIONS: the petclinic (bench/tune/petclinic) starts in a CPU quota, gets the load of wrk from its first answer
# on, and jdyno diagnose looks at it 10 s later: what a restart under load looks like. Needs root and wrk. Its exit code is that of jdyno.
set -eu
[ $# = 2 ] || { sed -n '2,3s/^# //p' "$0" >&2; exit 2; }
cores=$1 connections=$2 wrapper= load=
end() {
  trap - EXIT
  [ -z "$load" ] || kill "$load" 2> /dev/null || true
  [ -z "$wrapper" ] || kill "$wrapper" 2> /dev/null || true
  [ -z "$wrapper" ] || wait "$wrapper" 2> /dev/null || true
}
trap end EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
bench/warm/quota.sh "$cores" java -Xmx256m -jar bench/tune/petclinic/target/petclinic.jar --server.port="$port" \
  --logging.file.name=bench/tune/petclinic/target/logs/"$port".log > /dev/null 2>&1 &
wrapper=$!
url="http://127.0.0.1:$port/owners?lastName=Davis"
answers=
for _ in $(seq 240); do
  if curl -sf -o /dev/null "$url"; then answers=yes; break; fi
  kill -0 "$wrapper" 2> /dev/null || break
  sleep 0.5
done
java=$(pgrep -P "$wrapper" java) || java=
if [ -z "$answers" ] || [ -z "$java" ]; then
  echo "diagnose.sh: the petclinic gives no answer; see bench/tune/petclinic/target/logs/$port.log" >&2
  exit 1
fi
wrk -t1 -c"$connections" -d30s "$url" > /dev/null &
load=$!
sleep 10
./jdyno diagnose "$java" --duration 8s
