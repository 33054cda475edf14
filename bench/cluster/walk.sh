#!/usr/bin/env bash
# Walks docs/agents.md with the package on hosts without Java: network namespaces with addresses of their own, each with a root directory
# that has the package, a shell and the C library. A service with an observing agent on one, two load agents, the run on a fourth.
# Needs root.
#
#     bench/cluster/walk.sh app/target/jdyno-VERSION-linux-x64.tar.gz JAVA lab/target/jdyno-lab.jar
set -euo pipefail
[ $# = 3 ] || { sed -n '2,7s/^# //p' "$0" >&2; exit 2; }
package=$1 java=$2 lab=$3
prefix=jdyno$$
hosts=(shop lg1 lg2 run)
work=$(mktemp -d)

spaces() { printf "$prefix-%s\n" "${hosts[@]}" sw; }
down() {
  for host in "${hosts[@]}"; do
    ip netns pids "$prefix-$host" 2> /dev/null | xargs -r kill -9
    umount "$work/$host/proc" 2> /dev/null || true
  done
  spaces | xargs -n 1 ip netns delete 2> /dev/null || true
  rm -rf --one-file-system "$work"
}
trap down EXIT

spaces | xargs -n 1 ip netns add
ip -n "$prefix-sw" link add br0 type bridge
ip -n "$prefix-sw" link set br0 up
number=0
for host in "${hosts[@]}"; do
  number=$((number + 1))
  space=$prefix-$host
  ip -n "$space" link add eth0 type veth peer name "p$number" netns "$prefix-sw"
  ip -n "$prefix-sw" link set "p$number" master br0 up
  ip -n "$space" address add "10.78.0.$number/24" dev eth0
  ip -n "$space" link set lo up
  ip -n "$space" link set eth0 up
  printf '10.78.0.%d %s\n' "$number" "$host" >> "$work/names"
done

copy() { mkdir -p "$2$(dirname "$1")"; cp -L "$1" "$2$1"; }
for host in "${hosts[@]}"; do
  root=$work/$host
  mkdir -p "$root"/{bin,opt,tmp,proc,etc,dev}
  mknod -m 666 "$root/dev/null" c 1 3
  chmod 1777 "$root/tmp"
  tar xzf "$package" -C "$root/opt"
  cp -L "$(readlink -f /bin/sh)" "$root/bin/sh"
  { ldd /bin/sh; ldd "$root/opt/jdyno/runtime/lib/server/libjvm.so"; } \
    | grep -o '/[^ ]*/\(ld-linux[^ ]*\|lib\(c\|m\|dl\|pthread\|rt\)\.so[^ ]*\)' | sort -u | while read -r library; do copy "$library" "$root"; done
  cp "$work/names" "$root/etc/hosts"
  mount -t proc proc "$root/proc"
done

# A command in the package's folder on a host; nothing of this machine's environment.
on() {
  local host=$1
  shift
  ip netns exec "$prefix-$host" env -i PATH=/bin "$(command -v chroot)" "$work/$host" /bin/sh -c "umask 077; cd /opt && $*"
}
said() {
  for _ in $(seq 150); do
    grep -q "$2" "$work/$1.txt" && return 0
    sleep 0.2
  done
  cat "$work/$1.txt"
  return 1
}

ip netns exec "$prefix-shop" "$java" -Xmx256m -cp "$lab" dev.jdyno.lab.perf.Perf --bind 10.78.0.1 --port 8080 \
  --downstream http://127.0.0.1:9 > "$work/service.txt" 2>&1 &
key=$(on run ./jdyno/bin/jdyno agents key run.key)
agent() {
  local host=$1 address=$2
  shift 2
  on "$host" ./jdyno/bin/jdyno agent --listen "$address:4711" --run-key "$key" --own-key agent.key "$@" > "$work/$host.txt" 2>&1 &
}
agent shop 10.78.0.1 --observe-only port=8080
agent lg1 10.78.0.2 --allow shop:8080
agent lg2 10.78.0.3 --allow shop:8080
said service "listening on"
for host in shop lg1 lg2; do said "$host" "is ready"; cat "$work/$host.txt"; done

echo "== who is there"
on run ./jdyno/bin/jdyno agents trust lg1,lg2,shop --key-file run.key
for host in shop lg1 lg2; do grep -q "$(on run ./jdyno/bin/jdyno agents trust "$host" --key-file run.key | grep -o 'SHA256:.*')" "$work/$host.txt"; done
echo "== what is there"
on run ./jdyno/bin/jdyno agents lg1,lg2,shop --key-file run.key
echo "== a run"
status=0
on run "./jdyno/bin/jdyno run 'http://shop:8080/perf?cpu=10&io=0' --agents lg1,lg2 --observe shop:port=8080 --key-file run.key \
  --concurrency 1,3,12 --round 2s --warmup 4s --no-store --quiet --out out" || status=$?
echo "exit $status; the verdict: $(grep -o '"bottleneck" *: *"[^"]*"' "$work/run/opt/out/result.json" | head -1)"
cat "$work/shop.txt" "$work/lg1.txt"
