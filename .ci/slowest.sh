#!/usr/bin/env bash
# The 30 slowest test classes of the last build, with their seconds.
set -euo pipefail
cd "$(dirname "$0")/.."
find . -path '*/target/*-reports/TEST-*.xml' -print0 |
  xargs -0 -r sed -nE 's/^<testsuite [^>]* name="([^"]+)" time="([0-9.]+)".*/\2 \1/p' |
  sort -rn | sed -n '1,30p' # not head: it would end sort by SIGPIPE, and pipefail the build
