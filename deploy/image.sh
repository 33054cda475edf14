#!/usr/bin/env bash
# Makes an OCI image of the self-contained package, without Docker and without a base image: the package, a shell for its launcher, the
# parts of glibc that both need, certificates, and the user 65532. The same package on the same Debian gives the same bytes.
#
#   deploy/image.sh app/target/jdyno-VERSION-linux-x64.tar.gz [FOLDER]     # FOLDER/jdyno-VERSION-linux-x64.oci.tar, beside the package unless given
#
# Needs umoci (apt-get install umoci). Publishing: skopeo copy oci-archive:FILE docker://ghcr.io/jdyno/jdyno:VERSION
set -euo pipefail
[ $# -ge 1 ] && [ -r "$1" ] || { echo "usage: $0 jdyno-VERSION-linux-x64.tar.gz [FOLDER]" >&2; exit 2; }
command -v umoci > /dev/null || { echo "error: there is no umoci; on Debian: apt-get install umoci" >&2; exit 2; }

file=${1##*/}
version=${file#jdyno-}
version=${version%-linux-*}
platform=${file##*-linux-}
platform=${platform%.tar.gz}
case $platform-$(uname -m) in
  x64-x86_64) architecture=amd64 ;;
  arm64-aarch64) architecture=arm64 ;;
  # the C library in the image is that of this machine
  *) echo "error: an image of $file is made on a machine of its own kind, not on $(uname -m)" >&2; exit 2 ;;
esac
made=$(realpath "${2:-${1%"$file"}.}")/jdyno-$version-linux-$platform.oci.tar
# where a release is published; Version.java has the same name
name=ghcr.io/jdyno/jdyno

work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT
mkdir -p "$work/package/opt" "$work"/base/{bin,etc/ssl/certs,home/nonroot,tmp,opt,proc,sys,dev}
tar xzf "$1" -C "$work/package/opt"
stamp=$(stat -c %Y "$work/package/opt/jdyno/lib/jdyno.jar")
created=$(date -u -d "@$stamp" +%Y-%m-%dT%H:%M:%SZ)

# Each file of the base, with the name of the package that it is from: scanners read that below status.d, as in distroless images.
origins=$work/origins
from() {
  # Debian's list has a file below / or below /usr, wherever it was installed
  local package
  package=$({ dpkg-query --search "${1#/usr}" "/usr${1#/usr}" 2> /dev/null || true; } | sed -n '1s/[:,].*//p')
  [ -n "$package" ] || { echo "error: $1 is of no Debian package" >&2; exit 1; }
  echo "$package"
}
copy() {
  mkdir -p "$work/base$(dirname "$1")"
  cp -L "$1" "$work/base$1"
  from "$1" >> "$origins"
}
cp -L "$(readlink -f /bin/sh)" "$work/base/bin/sh"
from "$(readlink -f /bin/sh)" >> "$origins"
# the native libraries that travel in the jar, too
mkdir "$work/native"
unzip -q "$work/package/opt/jdyno/lib/jdyno.jar" '*.so' -d "$work/native"
# ldd fails for what needs no library at all
{ find "$work/package/opt/jdyno/runtime" "$work/native" -type f \( -name '*.so' -o -path '*/bin/*' -o -name jspawnhelper \) \
    -exec ldd {} + || true; ldd /bin/sh; } > "$work/needed" 2> "$work/static"
# what is in the package (libjvm.so) is loaded before the libraries that need it
sed -n 's/^[[:space:]]*\([^ ]*\) => not found$/\1/p' "$work/needed" | sort -u | while read -r missing; do
  find "$work/package" -name "$missing" | grep -q . || { echo "error: the package needs $missing, which is not here" >&2; exit 1; }
done
sed -n 's/.*=> \(\/[^ ]*\) (.*/\1/p; s/^[[:space:]]*\(\/[^ ]*ld-linux[^ ]*\) (.*/\1/p' "$work/needed" | { grep -v "^$work" || true; } \
  | sort -u > "$work/libraries"
while read -r library; do copy "$library"; done < "$work/libraries"
# made by the package's own script, so in no list of files
cp -L /etc/ssl/certs/ca-certificates.crt "$work/base/etc/ssl/certs/"
echo ca-certificates >> "$origins"
mkdir -p "$work/base/var/lib/dpkg/status.d"
sort -u "$origins" | while read -r package; do
  dpkg-query --status "$package" | grep -v '^Status: ' > "$work/base/var/lib/dpkg/status.d/$package"
  mkdir -p "$work/base/usr/share/doc/$package"
  cp -L "/usr/share/doc/$package/copyright" "$work/base/usr/share/doc/$package/"
done
# the names that the resolver of glibc asks for in turn
echo 'hosts: files dns' > "$work/base/etc/nsswitch.conf"
printf '%s\n' root:x:0:0:root:/root:/sbin/nologin nonroot:x:65532:65532:nonroot:/home/nonroot:/sbin/nologin > "$work/base/etc/passwd"
printf '%s\n' root:x:0: nonroot:x:65532: > "$work/base/etc/group"

# layer NAME WORD...: a tar with fixed order, owners, modes and times
layer() {
  local to=$work/$1.tar
  shift
  tar --create --format=gnu --sort=name --owner=root:0 --group=root:0 --mtime="@$stamp" --file="$to" "$@"
}
chmod -R u=rwX,go=rX "$work/base"
rm -rf "$work/own"
mkdir -p "$work/own/home"
mv "$work/base/home/nonroot" "$work/own/home/"
chmod 700 "$work/own/home/nonroot"
chmod 1777 "$work/base/tmp"
layer base -C "$work/base" .
tar --append --format=gnu --owner=nonroot:65532 --group=nonroot:65532 --mtime="@$stamp" --file="$work/base.tar" -C "$work/own" ./home/nonroot
layer package --mode=u=rwX,go=rX -C "$work/package" opt

layout=$work/layout
# quiet unless it fails
oci() { umoci "$@" > "$work/said" 2>&1 || { cat "$work/said" >&2; exit 1; }; }
oci init --layout "$layout"
oci new --image "$layout:$version"
oci config --image "$layout:$version" --no-history --created "$created" --os linux --architecture "$architecture" \
  --config.user 65532:65532 --config.workingdir /home/nonroot --config.env HOME=/home/nonroot --config.env LC_ALL=C.UTF-8 \
  --config.env PATH=/opt/jdyno/bin:/bin --config.entrypoint /opt/jdyno/bin/jdyno \
  --config.label org.opencontainers.image.title=jdyno --config.label "org.opencontainers.image.version=$version" \
  --config.label org.opencontainers.image.licenses=Apache-2.0
for part in base package; do
  oci raw add-layer --image "$layout:$version" --history.created "$created" --history.created_by "deploy/image.sh: $part" \
    "$work/$part.tar"
done
# umoci gives the image the time of its last change
oci config --image "$layout:$version" --no-history --created "$created"
oci gc --layout "$layout"
digest=$(sed 's/.*"digest":"\(sha256:[0-9a-f]*\)".*/\1/' "$layout/index.json")
# the name for containerd, and the list that Docker's own `load` reads
sed -i "s|\"annotations\":{|&\"io.containerd.image.name\":\"$name:$version\",|" "$layout/index.json"
blobs() { grep -o '"sha256:[0-9a-f]*"' "$layout/blobs/sha256/${digest#sha256:}" | sed 's|"sha256:\(.*\)"|"blobs/sha256/\1"|'; }
printf '[{"Config":%s,"RepoTags":["%s"],"Layers":[%s]}]\n' "$(blobs | head -n 1)" "$name:$version" "$(blobs | tail -n +2 | paste -s -d ,)" \
  > "$layout/manifest.json"
chmod -R u=rwX,go=rX "$layout"
tar --create --format=gnu --sort=name --owner=root:0 --group=root:0 --mtime="@$stamp" --file="$made" -C "$layout" .
(cd "${made%/*}" && sha256sum "${made##*/}" > "${made##*/}.sha256")
echo "$made: $(stat -c %s "$made") bytes, $name:$version@$digest"
