#!/bin/bash
# quota.sh CORES COMMAND...: runs the command in a CPU quota (cgroup v2 cpu.max, or v1 cfs quota), as a container
# with that limit would have it. Needs root. Use it inside a launch target: the service then has the quota, jdyno not.
set -e
cores=$1; shift
us=$(awk "BEGIN {print int($cores * 100000)}")
if [ -e /sys/fs/cgroup/cgroup.controllers ]; then
  group=/sys/fs/cgroup/jdyno-quota-$$; mkdir "$group"; echo "$us 100000" > "$group/cpu.max"
else
  group=/sys/fs/cgroup/cpu/jdyno-quota-$$; mkdir "$group"; echo "$us" > "$group/cpu.cfs_quota_us"
fi
echo $$ > "$group/cgroup.procs"
"$@" &
service=$!
trap 'kill -TERM $service 2>/dev/null' TERM INT
while kill -0 $service 2>/dev/null; do wait $service || true; done
echo $$ > "$(dirname "$group")/cgroup.procs"
rmdir "$group"
