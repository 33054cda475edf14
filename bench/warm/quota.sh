#!/bin/bash
# quota.sh CORES COMMAND...: runs the command in a CPU quota (cgroup v2 cpu.max, or v1 cfs quota), as a container
# with that limit would have it. Needs root. Use it inside a launch target: the service then has the quota, jdyno not.
# Its exit code is the command's; SIGTERM and SIGINT are passed on.
set -eu
[ $# -ge 2 ] || { sed -n '2,4s/^# //p' "$0" >&2; exit 2; }
cores=$1; shift
us=$(awk "BEGIN {print int($cores * 100000)}")
if [ -e /sys/fs/cgroup/cgroup.controllers ]; then
  group=/sys/fs/cgroup/jdyno-quota-$$; limit=cpu.max; value="$us 100000"
else
  group=/sys/fs/cgroup/cpu/jdyno-quota-$$; limit=cpu.cfs_quota_us; value=$us
fi
service=
end() {
  trap - EXIT
  [ -z "$service" ] || kill -TERM "$service" 2> /dev/null || true
  [ -z "$service" ] || wait "$service" 2> /dev/null || true
  echo $$ > "$(dirname "$group")/cgroup.procs"
  rmdir "$group" || true # what it left running stays in it
}
mkdir "$group"
trap end EXIT
echo "$value" > "$group/$limit"
echo $$ > "$group/cgroup.procs"
trap '[ -z "$service" ] || kill -TERM "$service" 2> /dev/null || true' TERM INT
"$@" &
service=$!
# a signal ends the wait before the service has ended; its code is known only when no process is left
while kill -0 "$service" 2> /dev/null; do
  code=0
  wait "$service" || code=$?
done
wait "$service" 2> /dev/null && code=0 || code=$?
service=
exit "$code"
