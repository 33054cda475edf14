#!/usr/bin/env bash
# Runs the self-contained package for ARM64: directly on such a machine, elsewhere in the user-mode emulator of QEMU, where figures mean
# nothing. It tries the version, a GC log, load and the doctor.
#
#   deploy/try-arm64.sh jdyno-VERSION-linux-arm64.tar.gz
#
# Elsewhere it needs, on Debian: apt-get install qemu-user-static libc6-arm64-cross
set -euo pipefail
[ $# = 1 ] && [ -r "$1" ] || { echo "usage: $0 jdyno-VERSION-linux-arm64.tar.gz" >&2; exit 2; }
tree=$(cd "$(dirname "$0")/.." && pwd)

libraries=${ARM64_LIBRARIES:-/usr/aarch64-linux-gnu}
emulator=()
if [ "$(uname -m)" != aarch64 ]; then
  if ! command -v qemu-aarch64-static > /dev/null || [ ! -e "$libraries/lib/ld-linux-aarch64.so.1" ]; then
    echo "skipped: the package for ARM64 is not run: there is no qemu-aarch64-static, or no C library for ARM64 in $libraries" >&2
    exit 0
  fi
  emulator=(qemu-aarch64-static -L "$libraries")
fi

root=$(mktemp -d)
server=
trap 'if [ -n "$server" ]; then kill "$server" 2> /dev/null || true; fi; rm -rf "$root"' EXIT
tar xzf "$1" -C "$root"
jdyno() { "${emulator[@]}" "$root/jdyno/runtime/bin/java" -XX:+UseSerialGC -Xlog:disable -jar "$root/jdyno/lib/jdyno.jar" "$@"; }

# wants WORD SAID: fails unless it was said
wants() { [[ $2 == *"$1"* ]] || { printf '%s\n' "error: '$1' is missing in:" "$2" >&2; exit 1; }; }

said=$(jdyno --version)
wants 'jdyno ' "$said"
echo "$said, for ARM64"
log=$(find "$tree/corpus/logs" -type f | LC_ALL=C sort | sed -n 1p)
said=$(jdyno gc "$log" --json)
wants '"jdyno/gc/1"' "$said"
mkdir "$root/site"
echo hello > "$root/site/index.html"
python3 -u -m http.server --bind 127.0.0.1 --directory "$root/site" 0 > "$root/port" 2> /dev/null &
server=$!
port=
for _ in {1..300}; do
  if port=$(grep -o 'port [0-9]*' "$root/port") || ! kill -0 "$server" 2> /dev/null; then break; fi
  sleep 0.1
done
[ -n "$port" ] || { echo "error: python3 -m http.server does not start" >&2; exit 1; }
# 3: the emulator holds the client up, so its figures are not valid
said=$(jdyno load "http://127.0.0.1:${port#port }/" -c 1 -d 2s --json) || [ $? = 3 ]
wants '"qps"' "$said"
# it ends with 1 if this machine has a fault, which says nothing of the package
said=$(jdyno doctor --json) || [ $? = 1 ]
wants '"jdyno/doctor/1"' "$said"
echo "the package for ARM64: --version, gc, load and doctor ran${emulator:+ in QEMU}"
