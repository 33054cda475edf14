#!/usr/bin/env bash
# Checks the objects of deploy/kustomize, deploy/watch-*.yaml, and the manifests of jdyno agents up --k8s and jdyno run --k8s, against the schemas of Kubernetes' API: the newest, and the oldest that is still widely run.
# A field that no schema knows is an error. Without kubectl, only the files of deploy/kustomize that have whole objects are checked.
# And checks itself: a manifest with a misspelt field, and built objects that do not fit together, must fail.
set -euo pipefail
cd "$(dirname "$0")/.."
venv=target/manifests
if [ ! -x "$venv/bin/kubernetes-validate" ]; then
  python3 -m venv "$venv"
  "$venv/bin/pip" install -q --disable-pip-version-check --no-deps -r .ci/manifests.txt
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
check() { "$venv/bin/kubernetes-validate" --quiet --strict --kubernetes-version "$@"; }
# AgentsUpTest and ObservedPodTest compare the first two with what jdyno sends
files=(app/src/test/resources/kubernetes/agents-up.yaml run/src/test/resources/kubernetes/observer.yaml
  deploy/kustomize/base/{job,service}.yaml deploy/kustomize/overlays/diagnose/shop.yaml deploy/roles.yaml)

built=()
if command -v kubectl > /dev/null; then
  cp -r deploy/kustomize "$folder/"
  # the files that a user makes
  printf '%064d\n' 0 > "$folder/kustomize/overlays/load/token"
  printf 'key=ed25519:%043d\n' 0 > "$folder/kustomize/overlays/diagnose/run.env"
  # other names, and labels in selectors, as an overlay of a user may set them
  mkdir "$folder/kustomize/overlays/renamed"
  printf '%s\n' 'namePrefix: a-' 'resources: [../diagnose]' 'labels: [{pairs: {team: perf}, includeSelectors: true}]' \
    > "$folder/kustomize/overlays/renamed/kustomization.yaml"
  for overlay in load diagnose renamed; do
    kubectl kustomize "$folder/kustomize/overlays/$overlay" > "$folder/$overlay.yaml"
    built+=("$folder/$overlay.yaml")
  done
  "$venv/bin/python" .ci/kustomize.py "${built[@]}"
else
  echo "kubectl is not here: the build of deploy/kustomize is skipped" >&2
fi

files+=(deploy/watch-{sidecar,node}.yaml)
for version in 1.37 1.29; do
  check "$version" "${files[@]}" "${built[@]}"
done

wrong=$folder/wrong.yaml
for file in "${files[@]}" "${built[@]}"; do
  sed 's/fsGroup/fsgroup/; s/selector/selectors/; s/shareProcessNamespace/shareProcessNamespaces/; s/verbs/verb/' "$file" > "$wrong"
  if check 1.37 "$wrong" > /dev/null 2>&1; then
    echo "error: the check takes a manifest with an unknown field" >&2
    exit 1
  fi
  echo "${file#"$folder/"}: every field is one that the API knows"
done
if [ ${#built[@]} = 0 ]; then
  exit 0
fi
# each: the overlay, and what makes its objects wrong
while read -r overlay change; do
  sed "$change" "$folder/$overlay.yaml" > "$wrong"
  status=0
  "$venv/bin/python" .ci/kustomize.py "$wrong" > /dev/null 2>&1 || status=$?
  if [ "$status" != 2 ]; then
    echo "error: .ci/kustomize.py ends with $status where it must find a mistake: $overlay, $change" >&2
    exit 1
  fi
done << 'CHANGES'
load s/secretName: .*/secretName: jdyno-token/
load s/parallelism: .*/parallelism: 1/
load s/jdyno:0.*/jdyno:0.0.1/
load s/kind: Job/kind: Deployment/
load /activeDeadlineSeconds/d
diagnose s/--run-key=.*/--token-file=x/
diagnose s/name: RUN_KEY/name: RUN/
diagnose s/jdyno.dev.observe/app/
diagnose s/name: jdyno-observer/name: x/;s/name: shop$/name: jdyno-observer/
renamed s/subdomain: .*/subdomain: jdyno-load/
renamed /configMapKeyRef/,/name:/s/name: .*/name: jdyno-run/
CHANGES
echo "deploy/kustomize: names, variables and versions fit together, and the service can read no secret"
