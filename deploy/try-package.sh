#!/usr/bin/env bash
# Unpacks the self-contained package in an empty root that has a shell and the files of the C library and nothing else,
# and runs it there. Needs root. Usage: deploy/try-package.sh app/target/jdyno-VERSION-linux-x64.tar.gz
set -euo pipefail
[ $# = 1 ] && [ -r "$1" ] || { echo "usage: $0 jdyno-VERSION-linux-x64.tar.gz" >&2; exit 2; }
[ "$(id -u)" = 0 ] || { echo "skipped: changing the root needs root" >&2; exit 0; }

megabytes=$(($(stat -c %s "$1") / 1000000))
[ "$megabytes" -le 60 ] || { echo "error: the package has $megabytes MB, more than 60" >&2; exit 1; }

root=$(mktemp -d)
trap 'rm -rf --one-file-system "$root"' EXIT
mkdir -p "$root"/{bin,opt,tmp,proc}
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

# shellcheck disable=SC2016
said=$(env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin unshare --mount --pid --fork sh -c '
  mount -t proc proc "$1/proc" && exec chroot "$1" /bin/sh -c "cd /opt && ./jdyno/bin/jdyno --version"' sh "$root")
echo "$said"
[[ $said == "jdyno "* ]] || { echo "error: the package does not run in an empty root" >&2; exit 1; }
echo "the package of $megabytes MB runs in an empty root: $(find "$root" -path "$root/opt" -prune -o -type f -print | wc -l) files beside it"
