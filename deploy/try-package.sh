#!/usr/bin/env bash
# Unpacks the self-contained package in an empty root that has a shell, three devices and the files of the C library and nothing else,
# and runs it there. Needs root. Usage: deploy/try-package.sh app/target/jdyno-VERSION-linux-x64.tar.gz [VERB ...], such as demo
set -euo pipefail
[ $# -ge 1 ] && [ -r "$1" ] || { echo "usage: $0 jdyno-VERSION-linux-x64.tar.gz [VERB ...]" >&2; exit 2; }
[ "$(id -u)" = 0 ] || { echo "skipped: changing the root needs root" >&2; exit 0; }

bytes=$(stat -c %s "$1")
[ "$bytes" -le 70000000 ] || { echo "error: the package has $bytes bytes, more than 70,000,000" >&2; exit 1; }

root=$(mktemp -d)
trap 'rm -rf --one-file-system "$root"' EXIT
mkdir -p "$root"/{bin,dev,opt,tmp,proc}
# devices that every Linux has; the JVM discards output into the first and draws random numbers from the others
mknod -m 666 "$root/dev/null" c 1 3
mknod -m 444 "$root/dev/random" c 1 8
mknod -m 444 "$root/dev/urandom" c 1 9
tar xzf "$1" -C "$root/opt"

# The dynamic loader and the parts of glibc, as ldd names them; the shell needs no more than they do.
copy() { mkdir -p "$root$(dirname "$1")"; cp -L "$1" "$root$1"; }
cp -L "$(readlink -f /bin/sh)" "$root/bin/sh"
{ ldd /bin/sh; ldd "$root/opt/jdyno/runtime/lib/server/libjvm.so"; } \
  | grep -o '/[^ ]*/\(ld-linux[^ ]*\|lib\(c\|m\|dl\|pthread\|rt\)\.so[^ ]*\)' | sort -u | while read -r library; do
    copy "$library"
  done
if find "$root" -path "$root/opt" -prune -o -name '*java*' -print | grep -q .; then
  echo "error: there is Java outside the package" >&2
  exit 1
fi

# run WORD...: the launcher in that root, with the processes of a namespace of its own
run() {
  # shellcheck disable=SC2016
  env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin unshare --mount --pid --fork sh -c '
    root=$1
    shift
    mount -t proc proc "$root/proc" && exec chroot "$root" /bin/sh -c "cd /opt && exec ./jdyno/bin/jdyno \"\$@\"" jdyno "$@"' sh "$root" "$@"
}

said=$(run --version)
echo "$said"
[[ $said == "jdyno "* ]] || { echo "error: the package does not run in an empty root" >&2; exit 1; }
echo "the package of $bytes bytes runs in an empty root: $(find "$root" -path "$root/opt" -prune -o -type f -print | wc -l) files beside it"
if [ $# -gt 1 ]; then run "${@:2}"; fi
