#!/bin/bash
# ways.sh CORES CONNECTIONS OUT [OPTIONS...]: jdyno warm on the petclinic of plan.sh; OPTIONS go to jdyno, such as --try cds,aot --starts 3
# --length 20s. Needs root for a quota; a start takes the length of its load and about 15 s.
set -eu
[ $# -ge 3 ] || { sed -n '2,3s/^# //p' "$0" >&2; exit 2; }
cores=$1; connections=$2; out=$3; shift 3
plan=$(mktemp --suffix=.yaml)
trap 'rm -f "$plan"' EXIT
bench/warm/plan.sh "$cores" "$connections" > "$plan"
./jdyno warm "$plan" --out "$out" "$@"
