#!/usr/bin/env bash
# Puts jdyno on the PATH of the later steps: the one that is there, or the archive.
set -euo pipefail

fail() { printf '::error::%s\n' "$1"; printf 'error: %s\n  why: %s\n  fix: %s\n' "$1" "$2" "$3" >&2; exit 2; }

if [ -z "${JDYNO_ARCHIVE-}" ]; then
  command -v jdyno >/dev/null || fail "there is no jdyno" "it is not on the PATH, and no archive is given" \
    "give the input archive, or put jdyno on the PATH of the runner"
  exit 0
fi

folder=$(mktemp -d "${RUNNER_TEMP:-/tmp}/jdyno-XXXXXX")
case $JDYNO_ARCHIVE in
  https://*)
    [ -n "${JDYNO_ARCHIVE_SHA256-}" ] || fail "the archive has no checksum" \
      "what is downloaded is run with the rights of this job" "give archive-sha256, from the .sha256 file of the release"
    file=$folder/jdyno.tar.gz
    curl --fail --silent --show-error --location --proto '=https' --proto-redir '=https' --retry 3 --output "$file" "$JDYNO_ARCHIVE"
    ;;
  *://*) fail "the archive cannot be read from $JDYNO_ARCHIVE" "only https URLs and files are read" "give an https URL or a path" ;;
  *) file=$JDYNO_ARCHIVE ;;
esac
[ -r "$file" ] || fail "there is no archive $file" "the file is missing or cannot be read" "give the path from the workspace"
if [ -n "${JDYNO_ARCHIVE_SHA256-}" ]; then
  found=$(sha256sum <"$file" | cut -d' ' -f1)
  [ "$found" = "$JDYNO_ARCHIVE_SHA256" ] || fail "the archive is another one" "its checksum is $found" \
    "give the archive-sha256 of this release"
fi
tar xzf "$file" -C "$folder"
"$folder/jdyno/bin/jdyno" --version
echo "$folder/jdyno/bin" >>"$GITHUB_PATH"
