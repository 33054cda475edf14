#!/usr/bin/env bash
# Checks deploy/kubernetes.yaml, and the manifests of jdyno agents up --k8s and jdyno run --k8s, against the schemas of Kubernetes' API: the newest, and the oldest that is still widely run.
# A field that no schema knows is an error. And checks itself: a manifest with a misspelt field must fail.
set -euo pipefail
cd "$(dirname "$0")/.."
venv=target/manifests
if [ ! -x "$venv/bin/kubernetes-validate" ]; then
  python3 -m venv "$venv"
  "$venv/bin/pip" install -q --disable-pip-version-check --no-deps -r .ci/manifests.txt
fi
check() { "$venv/bin/kubernetes-validate" --strict --kubernetes-version "$1" "$2"; }
# AgentsUpTest and ObservedPodTest compare the other two with what jdyno sends
files=(deploy/kubernetes.yaml app/src/test/resources/kubernetes/agents-up.yaml run/src/test/resources/kubernetes/observer.yaml)
for file in "${files[@]}"; do
  for version in 1.37 1.29; do
    check "$version" "$file"
  done
done
wrong=$(mktemp --suffix .yaml)
trap 'rm -f "$wrong"' EXIT
for file in "${files[@]}"; do
  sed 's/fsGroup/fsgroup/' "$file" > "$wrong"
  if check 1.37 "$wrong" > /dev/null 2>&1; then
    echo "error: the check takes a manifest with an unknown field" >&2
    exit 1
  fi
  echo "$file: every field is one that the API knows"
done
