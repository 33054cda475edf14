#!/usr/bin/env bash
# Runs the tests again and again in one clone, some times beside neighbours, and prints a table of seconds and red tests. A red run is a
# test that fails because of the machine, or by chance.
#
#     bench/tests/again.sh ALONE BESIDE [-l LOOPS] [-w] [MAVEN ARGUMENTS...]
#     bench/tests/again.sh 5 5 -l 2 -w                  the quick set: five times alone, five beside two busy loops and a writer
#     bench/tests/again.sh 2 1 -l 1 -Pfull              the full set
#
#   -l LOOPS  busy loops beside the build (default 2)
#   -w        a process that writes and syncs 64 MiB again and again, in target/
set -uo pipefail
cd "$(dirname "$0")/../.."
[ $# -ge 2 ] || { sed -n '2,10s/^# \{0,1\}//p' "$0" >&2; exit 2; }
alone=$1 beside=$2 loops=2 writer=
shift 2
while [ $# -gt 0 ]; do
  case $1 in
    -l) loops=$2; shift 2 ;;
    -w) writer=yes; shift ;;
    *) break ;;
  esac
done
out=target/again
mkdir -p "$out"
neighbours=()
end() {
  [ ${#neighbours[@]} = 0 ] || kill "${neighbours[@]}" 2> /dev/null
  [ ${#neighbours[@]} = 0 ] || wait "${neighbours[@]}" 2> /dev/null
  neighbours=()
  rm -f "$out/written"
}
trap end EXIT
trap 'exit 130' INT TERM

begin() {
  local i
  for ((i = 0; i < loops; i++)); do
    (while :; do :; done) &
    neighbours+=($!)
  done
  if [ -n "$writer" ]; then
    (while :; do dd if=/dev/zero of="$out/written" bs=1M count=64 conv=fsync 2> /dev/null; done) &
    neighbours+=($!)
  fi
}

# The tests that failed, from the reports: build output is for people.
red() {
  python3 - <<'P'
import pathlib, xml.etree.ElementTree as xml
print(" ".join(f"{c.get('classname').rsplit('.', 1)[-1]}.{c.get('name')}"
               for r in sorted(pathlib.Path(".").glob("*/target/*-reports/TEST-*.xml"))
               for c in xml.parse(r).getroot().iter("testcase")
               if c.find("failure") is not None or c.find("error") is not None) or "-")
P
}

failed=0
printf '%-4s %-8s %-5s %8s  %s\n' run beside exit seconds red
once() {
  local number=$1 where=$2 start status seconds
  rm -rf ./*/target/surefire-reports ./*/target/failsafe-reports
  start=$(date +%s)
  ./mvnw -B -ntp "${@:3}" verify > "$out/$number.log" 2>&1
  status=$?
  seconds=$(($(date +%s) - start))
  [ $status = 0 ] || failed=1
  printf '%-4s %-8s %-5s %8s  %s\n' "$number" "$where" "$status" "$seconds" "$(red)"
  .ci/skipped.py | sed 's/^/       skipped: /' | grep -v 'skipped: none'
}
for ((run = 1; run <= alone; run++)); do
  once "$run" alone "$@"
done
for ((run = alone + 1; run <= alone + beside; run++)); do
  begin
  once "$run" "$loops${writer:+w}" "$@"
  end
done
exit $failed
