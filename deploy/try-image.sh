#!/usr/bin/env bash
# Runs an image of deploy/image.sh without Docker: its version; a server of it as a container, loaded and diagnosed from a second
# container that shares process ids and network with the first and nothing else; an agent that proves its key. Needs root, umoci, runc
# and python3. Where the kernel lets runc make no container, the unpacked root is entered by unshare and chroot.
#
#   deploy/try-image.sh jdyno-VERSION-linux-x64.oci.tar [VERB ...]      # further words: also that verb, such as demo
set -euo pipefail
[ $# -ge 1 ] && [ -r "$1" ] || { echo "usage: $0 jdyno-VERSION-linux-x64.oci.tar [VERB ...]" >&2; exit 2; }
[ "$(id -u)" = 0 ] || { echo "skipped: a container needs root" >&2; exit 0; }
command -v umoci > /dev/null || { echo "skipped: there is no umoci (Debian: apt-get install umoci)" >&2; exit 0; }

work=$(mktemp -d)
name=jdyno-try-$$
end() {
  for container in "$name-server" "$name-agent"; do runc delete --force "$container" > /dev/null 2>&1 || true; done
  for pid in $(cat "$work"/*.pid 2> /dev/null); do kill -9 "$pid" 2> /dev/null || true; done
  rm -rf --one-file-system "$work"
}
trap end EXIT
mkdir "$work/layout"
tar xf "$1" -C "$work/layout"
tag=$(sed 's/.*"org.opencontainers.image.ref.name":"\([^"]*\)".*/\1/' "$work/layout/index.json")
for bundle in server side; do
  umoci unpack --image "$work/layout:$tag" "$work/$bundle" > "$work/said" 2>&1 || { cat "$work/said" >&2; exit 1; }
done

# bundle NAME PID WORD...: what runs in it; with the namespaces of process PID unless that is 0
bundle() {
  python3 - "$work/$1/config.json" "${@:2}" << 'PYTHON'
import json, sys

file, pid, *words = sys.argv[1:]
with open(file, encoding="utf-8") as f:
    config = json.load(f)
process = config["process"]
process["terminal"] = False
process["args"] = process["args"][:1] + words
for namespace in config["linux"]["namespaces"]:
    namespace.pop("path", None)
    if pid != "0" and namespace["type"] in ("pid", "network"):
        namespace["path"] = f"/proc/{pid}/ns/{'net' if namespace['type'] == 'network' else 'pid'}"
with open(file, "w", encoding="utf-8") as f:
    json.dump(config, f)
PYTHON
}

# chrooted BUNDLE WORD...: as the image's user, with its environment, in place of this shell
chrooted() {
  # shellcheck disable=SC2016
  exec env -i HOME=/home/nonroot LC_ALL=C.UTF-8 PATH=/opt/jdyno/bin:/bin:/usr/sbin:/usr/bin:/sbin unshare --mount sh -c '
    root=$1
    shift
    mount -t proc proc "$root/proc" && cd / && exec chroot --userspec=65532:65532 "$root" \
      /bin/sh -c "cd && exec /opt/jdyno/bin/jdyno \"\$@\"" jdyno "$@"' sh "$work/$1/rootfs" "${@:2}"
}

way=chroot
if command -v runc > /dev/null; then
  bundle side 0 --version
  if runc run --bundle "$work/side" "$name-probe" > "$work/said" 2>&1 < /dev/null; then way=runc; else cat "$work/said" >&2; fi
fi
if [ "$way" = chroot ]; then
  for bundle in server side; do
    mknod -m 666 "$work/$bundle/rootfs/dev/null" c 1 3
    mknod -m 444 "$work/$bundle/rootfs/dev/random" c 1 8
    mknod -m 444 "$work/$bundle/rootfs/dev/urandom" c 1 9
  done
fi

# background BUNDLE NAME PID WORD...: started; its output in NAME.log
background() {
  if [ "$way" = runc ]; then
    bundle "$1" "$3" "${@:4}"
    runc run --detach --bundle "$work/$1" --pid-file "$work/$2.container" "$name-$2" > "$work/$2.log" 2>&1 < /dev/null
  elif [ "$3" = 0 ]; then
    chrooted "$1" "${@:4}" > "$work/$2.log" 2>&1 < /dev/null &
    echo $! | tee "$work/$2.pid" > "$work/$2.container"
  else
    chrooted "$1" "${@:4}" > "$work/$2.log" 2>&1 < /dev/null &
    echo $! > "$work/$2.pid"
  fi
}
# beside WORD...: in the second container
beside() {
  if [ "$way" = runc ]; then
    bundle side "$(cat "$work/server.container")" "$@"
    runc run --bundle "$work/side" "$name-side" < /dev/null
  else
    (chrooted side "$@" < /dev/null)
  fi
}
# first LINES WORD...: the first lines of what it prints; 3, as a result that others on the machine spoilt, is no failure of the image
first() {
  local status=0
  beside "${@:2}" > "$work/printed" 2> "$work/errors" || status=$?
  head -n "$1" "$work/printed"
  [ "$status" = 0 ] || [ "$status" = 3 ] || { cat "$work/errors" >&2; exit 1; }
}
# waits for a line of a log
await() {
  for _ in $(seq 300); do
    if grep -q "$2" "$work/$1.log"; then return 0; fi
    sleep 0.2
  done
  cat "$work/$1.log" >&2
  echo "error: no '$2' from $1" >&2
  exit 1
}

background server server 0 serve --listen 127.0.0.1:0 --open --store /tmp/store/history.db
await server '^serving '
url=$(sed -n 's/^serving //p' "$work/server.log")
beside --version
# the server is the first process of its container
target=1
[ "$way" = runc ] || target=$(cat "$work/server.container")
echo "load:"
first 4 load "$url" -c 2 -d 3s
echo "diagnose:"
first 4 diagnose "$target" --duration 5s --quiet --no-store
key=$(beside agents key /tmp/run.key)
background side agent "$(cat "$work/server.container")" agent --listen 127.0.0.1:0 --run-key "$key"
await agent ' is ready$'
address=$(sed -n 's/^agent \(.*\) is ready$/\1/p' "$work/agent.log")
fingerprint=$(sed -n 's/^its key is //p' "$work/agent.log")
echo "agent:"
beside agents trust "$address" --key-file /tmp/run.key --fingerprint "$fingerprint"
beside agents "$address" --key-file /tmp/run.key
echo "the image runs by $way: $(du -sm "$work/side/rootfs" | cut -f1) MB unpacked, $(find "$work/side/rootfs" -path "$work/side/rootfs/opt" -prune -o -type f -print | wc -l) files beside the package"
if [ $# -gt 1 ]; then beside "${@:2}"; fi
