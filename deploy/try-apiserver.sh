#!/usr/bin/env bash
# Tries `jdyno agents up --k8s`, `agents down` and `run --k8s` against a real API server: etcd, kube-apiserver and kube-controller-manager on
# this machine's loopback device, with certificates of their own in a temporary folder. Roles, Jobs, quotas, the Pod Security Standard, the
# removal of owned objects and kubectl are the real ones. The node is a stand-in (deploy/apiserver/node.go): its pods are network
# namespaces and processes of this machine. Needs root, etcd (Debian: etcd-server), kubectl, openssl, python3, jwebserver of a JDK
# on the PATH, and the programs of deploy/apiserver/build.sh in FOLDER.
#
#   deploy/try-apiserver.sh FOLDER [CASE ...]         all cases unless named; JDYNO is the command that starts jdyno, ./jdyno by default
set -euo pipefail
cd "$(dirname "$0")/.."
all=(rights agents inside namespace interrupt kill life quota unscheduled image ended manifests pod killed)
[ $# -ge 1 ] && [ -x "$1/kube-apiserver" ] || { echo "usage: $0 FOLDER [CASE ...], cases: ${all[*]}" >&2; exit 2; }
[ "$(id -u)" = 0 ] || { echo "skipped: network namespaces need root" >&2; exit 0; }
for program in etcd kubectl openssl python3 jwebserver setpriv ip; do
  command -v "$program" > /dev/null || { echo "error: there is no $program" >&2; exit 2; }
done
folder=$(cd "$1" && pwd)
shift
[ $# -gt 0 ] || set -- "${all[@]}"

work=$(mktemp -d)
chmod 711 "$work"
key=$work/run.key
host=10.77.0.1
started=()
end() {
  for ((i = ${#started[@]} - 1; i >= 0; i--)); do
    kill "${started[i]}" 2> /dev/null || true
    wait "${started[i]}" 2> /dev/null || true
  done
  ip addr del $host/32 dev lo 2> /dev/null || true
  if [ -z "${KEEP:-}" ]; then rm -rf --one-file-system "$work"; else echo "logs: $work"; fi
}
trap end EXIT

# background NAME WORD...: started; its output in NAME.log
background() {
  "${@:2}" > "$work/$1.log" 2>&1 < /dev/null &
  started+=($!)
}
# await SECONDS WORD...: until the command succeeds
await() {
  local limit=$((SECONDS + $1))
  until "${@:2}" > "$work/await" 2>&1; do
    [ $SECONDS -lt $limit ] || { echo "error: not after $1 s: ${*:2}" >&2; cat "$work/await" >&2; return 1; }
    sleep 0.2
  done
}
failures=0
# check WHAT WORD...: one line of the report
check() {
  if "${@:2}" > "$work/check" 2>&1; then
    echo "  ok: $1"
  else
    failures=$((failures + 1))
    echo "  FAILED: $1"
    for file in check said; do head -n 15 "$work/$file" 2> /dev/null | cut -c 1-400 | sed "s/^/    $file | /"; done
  fi
}
jdyno() { ${JDYNO:-./jdyno} "$@"; }
# as USER STATUS WORD...: jdyno with the rights of the user; its output in the file `said`
as() {
  local status=0
  KUBECONFIG=$work/$1.conf jdyno "${@:3}" > "$work/said" 2>&1 < /dev/null || status=$?
  [ "$status" = "$2" ] || { echo "exit code $status in place of $2: jdyno ${*:3}"; return 1; }
}
run() { as user "$@"; }
# inside STATUS WORD...: as in a pod, where kubectl has no configuration and uses the service account
inside() {
  local status=0
  # shellcheck disable=SC2016
  env -u KUBECONFIG HOME="$work/home" KUBERNETES_SERVICE_HOST=127.0.0.1 KUBERNETES_SERVICE_PORT="$api" unshare --mount sh -c '
    mount -t tmpfs none /run && mkdir -p /run/secrets/kubernetes.io && cp -r "$0" /run/secrets/kubernetes.io/serviceaccount && exec "$@"' \
    "$work/account" ${JDYNO:-./jdyno} "${@:2}" > "$work/said" 2>&1 < /dev/null || status=$?
  [ "$status" = "$1" ] || { echo "exit code $status in place of $1: jdyno ${*:2}"; return 1; }
}
# measures WORD...: a run whose figures may be bad, as on a busy machine (exit code 3)
measures() { run 0 "$@" || grep -q '^exit code 3 in' "$work/check"; }
says() { grep -qF -- "$1" "$work/said"; }
admin() { KUBECONFIG=$work/admin.conf kubectl --namespace=load "$@"; }
objects() { admin get jobs,services,secrets,pods,endpointslices --selector=jdyno.dev/agents --output=name --ignore-not-found; }
processes() {
  sed -n 's/.* is process \([0-9]*\) at .*/\1/p' "$work/node.log" | while read -r pid; do if kill -0 "$pid" 2> /dev/null; then echo "$pid"; fi; done
}
nothing() { [ -z "$(objects)" ] && [ ! -e "$key.up" ] && ! grep -q . "$key.known" 2> /dev/null; }
no_process() { [ -z "$(processes)" ]; }
not() { ! "$@"; }
# one line of a text is exactly this
same() { [ "$1" = "$2" ] || { echo "$1 in place of $2"; return 1; }; }
up() { run "$1" agents up --k8s "$2" --namespace load --key-file "$key" --image "${3:-try:1}" --allow "$host:$web" "${@:4}"; }
down() { run 0 agents down --key-file "$key"; }
# begin N IMAGE: `agents up` in a process group of its own, as a terminal starts it
begin() {
  set -m
  KUBECONFIG=$work/user.conf jdyno agents up --k8s "$1" --namespace load --key-file "$key" --image "$2" --allow "$host:$web" > "$work/said" 2>&1 < /dev/null &
  begun=$!
  set +m
}
# finish: exit code of what was begun
finish() {
  code=0
  wait "$begun" 2> /dev/null || code=$?
}
# grant ROLE...: exactly these
grant() {
  admin delete rolebindings --all > /dev/null
  for role in "$@"; do admin create rolebinding "$role" --role="$role" --serviceaccount=load:user > /dev/null; done
}

certificate() {
  openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout "$work/$1.key" -out "$work/$1.csr" -subj "$2" 2> /dev/null
  openssl x509 -req -in "$work/$1.csr" -CA "$work/ca.crt" -CAkey "$work/ca.key" -CAcreateserial -days 2 -out "$work/$1.crt" \
    -extfile <(printf 'subjectAltName=%s\nextendedKeyUsage=serverAuth,clientAuth\n' "$3") 2> /dev/null
}
# configuration NAME WORD...: of kubectl, for the user with these credentials
configuration() {
  local file=$work/$1.conf
  KUBECONFIG=$file kubectl config set-cluster try --server="https://127.0.0.1:$api" --certificate-authority="$work/ca.crt" --embed-certs > /dev/null
  KUBECONFIG=$file kubectl config set-credentials "$1" "${@:2}" > /dev/null
  KUBECONFIG=$file kubectl config set-context try --cluster=try --user="$1" --namespace=load > /dev/null
  KUBECONFIG=$file kubectl config use-context try > /dev/null
}

begin_cluster() {
  read -r etcd peer api node web < <(python3 -c '
import socket
ports = [socket.socket() for _ in range(5)]
for s in ports: s.bind(("127.0.0.1", 0))
print(*(s.getsockname()[1] for s in ports))')
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -keyout "$work/ca.key" -out "$work/ca.crt" -subj /CN=try 2> /dev/null
  certificate server /CN=kube-apiserver IP:127.0.0.1,DNS:localhost
  certificate admin /O=system:masters/CN=admin DNS:admin
  openssl genrsa -out "$work/accounts.key" 2048 2> /dev/null
  background etcd etcd --data-dir "$work/etcd" --listen-client-urls "http://127.0.0.1:$etcd" --advertise-client-urls "http://127.0.0.1:$etcd" \
    --listen-peer-urls "http://127.0.0.1:$peer" --initial-advertise-peer-urls "http://127.0.0.1:$peer" --initial-cluster "default=http://127.0.0.1:$peer"
  background apiserver "$folder/kube-apiserver" --etcd-servers "http://127.0.0.1:$etcd" --bind-address 127.0.0.1 --secure-port "$api" \
    --advertise-address 127.0.0.1 --endpoint-reconciler-type none --service-cluster-ip-range 10.96.0.0/24 \
    --tls-cert-file "$work/server.crt" --tls-private-key-file "$work/server.key" --client-ca-file "$work/ca.crt" --authorization-mode RBAC \
    --kubelet-client-certificate "$work/admin.crt" --kubelet-client-key "$work/admin.key" --kubelet-certificate-authority "$work/ca.crt" \
    --service-account-issuer https://try.invalid --service-account-key-file "$work/accounts.key" --service-account-signing-key-file "$work/accounts.key"
  configuration admin --client-certificate="$work/admin.crt" --client-key="$work/admin.key" --embed-certs
  await 120 admin get --raw /readyz
  background controllers "$folder/kube-controller-manager" --kubeconfig "$work/admin.conf" --leader-elect=false --secure-port 0 \
    --service-account-private-key-file "$work/accounts.key" --root-ca-file "$work/ca.crt" \
    --controllers job-controller,garbage-collector-controller,ttl-after-finished-controller,serviceaccount-controller,namespace-controller,resourcequota-controller,endpointslice-controller
  ip addr add $host/32 dev lo
  read -r -a image <<< "${JDYNO:-./jdyno}"
  background node "$folder/node" --kubeconfig "$work/admin.conf" --folder "$work" --certificates "$work" --port "$node" "${image[@]}"
  background web jwebserver -b $host -p "$web" -d "$PWD/deploy"
  admin create namespace load > /dev/null
  admin label namespace load pod-security.kubernetes.io/enforce=restricted > /dev/null
  admin create serviceaccount user > /dev/null
  admin apply --filename=deploy/roles.yaml > /dev/null
  # the documented rights without the two rules that only add reasons to errors, in two roles
  admin create role some --verb=create,list,delete --resource=jobs.batch,services,secrets > /dev/null
  admin create role pods --verb=list --resource=pods > /dev/null
  mkdir "$work/account" "$work/home"
  admin create token user --duration=2h > "$work/account/token"
  printf load > "$work/account/namespace"
  cp "$work/ca.crt" "$work/account/"
  configuration user --token="$(cat "$work/account/token")"
  await 60 admin get serviceaccount default
  await 60 admin get node node-1
  echo "Kubernetes $(admin version --output=json 2> /dev/null | python3 -c 'import json,sys; v=json.load(sys.stdin); print(v["serverVersion"]["gitVersion"], "with kubectl", v["clientVersion"]["gitVersion"])'), etcd $(etcd --version | sed -n 's/etcd Version: //p')"
}

case_rights() {
  grant
  check "up without rights fails" up 2 2
  for right in "list pods" "create jobs.batch" "list services" "delete secrets"; do check "and names: $right" says "you may not $right"; done
  check "and has created nothing" nothing
  grant some
  check "up without list pods fails" up 2 2
  check "and names it" says "you may not list pods"
  check "and nothing else" same "$(grep -c 'you may not' "$work/said")" 1
  check "and has created nothing" nothing
  grant some pods
  check "up with the documented rights" up 0 1
  check "down with them" down
  check "nothing is left" await 10 nothing
}

case_agents() {
  grant jdyno-agents
  check "up of 3 agents in a restricted namespace" up 0 3
  local addresses id
  addresses=$(sed -n 's/.*--agents \([^ ]*\) --key-file.*/\1/p' "$work/said")
  id=$(admin get jobs --selector=jdyno.dev/agents --output=jsonpath='{.items[0].metadata.name}')
  check "a Job, a Service, a Secret, 3 pods" same "$(objects | cut -d/ -f1 | grep -v endpointslice | sort | uniq -c | awk '{print $1 $2}' | tr '\n' ' ')" "1job.batch 3pod 1secret 1service "
  check "the Job is Indexed, of 3" same "$(admin get job "$id" --output=jsonpath='{.spec.completionMode} {.spec.completions} {.status.active}')" "Indexed 3 3"
  check "the Service has no address of its own" same "$(admin get service "$id" --output=jsonpath='{.spec.clusterIP}')" None
  names() { admin get endpointslices --selector="kubernetes.io/service-name=$id" --output=jsonpath='{range .items[*].endpoints[*]}{.hostname}={.addresses[0]} {end}' | tr ' ' '\n' | sort | xargs; }
  pods() { admin get pods --selector=jdyno.dev/agents --output=jsonpath='{range .items[*]}{.spec.hostname}={.status.podIP} {end}' | tr ' ' '\n' | sort | xargs; }
  named() { same "$(names)" "$(pods)"; }
  check "it names each agent, with its address" await 30 named
  check "the Secret is immutable, with 3 keys" same "$(admin get secret "$id" --output=json | python3 -c 'import json,sys; s=json.load(sys.stdin); print(s["immutable"], *sorted(s["data"]))')" "True 0 1 2"
  check "no annotation has a key" not grep -q "PRIVATE" <(admin get secret "$id" --output=jsonpath='{.metadata.annotations}')
  check "the agents prove their keys again" run 0 agents "$addresses" --key-file "$key"
  check "a second up is refused" up 2 1
  check "they load a service" measures run "http://$host:$web/" --no-target --agents "$addresses" --key-file "$key" --concurrency 3 --round 2s --warmup 2s --no-store --out "$work/out"
  check "down" down
  check "nothing is left" await 10 nothing
  check "no process is left" no_process
  check "a second down is refused" run 2 agents down --key-file "$key"
}

# an up that never becomes ready
waiting() { begin "$1" "$2" && await 60 test -e "$key.up" && await 60 admin get "job/jdyno-$(sed -n '5s/ .*//p' "$key.up")"; }

case_inside() {
  grant jdyno-agents
  check "up in a pod, with its service account and in its namespace" inside 0 agents up --k8s 2 --key-file "$key" --image try:1 --allow "$host:$web"
  check "down outside of it is refused" run 2 agents down --key-file "$key"
  check "and deletes nothing" test -n "$(objects)"
  check "down in the pod" inside 0 agents down --key-file "$key"
  check "nothing is left" await 10 nothing
  check "no process is left" no_process
}

case_namespace() {
  grant jdyno-agents
  check "up in a namespace that does not exist fails" as admin 2 agents up --k8s 1 --namespace absent --key-file "$key" --image try:1 --allow "$host:$web"
  check "and shows how to create it" says "kubectl create namespace absent"
  check "and has created nothing" nothing
}

case_interrupt() {
  grant jdyno-agents
  waiting 2 try:unscheduled
  kill -INT -- "-$begun"
  finish
  check "Ctrl-C ends up with 130" same "$code" 130
  check "down after it" run 0 agents down --key-file "$key"
  check "nothing is left" await 10 nothing
  check "no process is left" no_process
}

# SIGKILL of an up for this image
killed_up() {
  grant jdyno-agents
  waiting 2 "$1"
  kill -KILL -- "-$begun"
  finish
  check "after SIGKILL of up, the Job is there" test -n "$(objects)"
  check "another up is refused" up 2 1
  check "and names the way out" says "jdyno agents down"
  check "down" down
  check "nothing is left" await 10 nothing
  check "no process is left" no_process
  check "then up works" up 0 1
  check "and down" down
  check "nothing is left" await 10 nothing
}

# while agents start, and while pods wait
case_kill() {
  killed_up try:1
  killed_up try:unscheduled
}

case_life() {
  grant jdyno-agents
  check "up for a minute" up 0 2 try:1 --for 1m
  gone() { [ -z "$(admin get pods --selector=jdyno.dev/agents --output=name)" ] && no_process; }
  check "the cluster ends the agents" await 100 gone
  over() { same "$(admin get jobs --selector=jdyno.dev/agents --output=jsonpath='{.items[0].status.conditions[?(@.type=="Failed")].reason}')" DeadlineExceeded; }
  check "the Job says so" await 30 over
  check "down" down
  check "nothing is left" await 10 nothing
}

case_quota() {
  grant jdyno-agents
  admin create quota small --hard=pods=1 > /dev/null
  known() { [ -n "$(admin get quota small --output=jsonpath='{.status.hard.pods}')" ]; }
  await 30 known
  begin 2 try:1
  check "up names the quota that keeps a pod away" await 60 says "exceeded quota: small"
  kill -INT -- "-$begun"
  finish
  admin delete quota small > /dev/null
  check "Ctrl-C ends up with 130" same "$code" 130
  check "down" down
  check "nothing is left" await 10 nothing
}

case_unscheduled() {
  grant jdyno-agents
  begin 1 try:unscheduled
  check "up shows why a pod gets no node" await 60 says "Insufficient cpu"
  kill -INT -- "-$begun"
  finish
  check "down" down
  check "nothing is left" await 10 nothing
}

case_image() {
  grant jdyno-agents
  check "up without the image fails" up 1 2 try/missing:1
  check "and names it" says "try/missing:1"
  check "nothing is left" await 10 nothing
}

case_ended() {
  grant jdyno-agents
  check "up of an agent that ends fails" up 1 1 try/broken:1
  check "and shows the last line of its log" says "cannot read the key"
  check "nothing is left" await 10 nothing
}

case_manifests() {
  takes() { admin create --dry-run=server --validate=strict --filename="$1"; }
  run 0 agents up --k8s 1000 --namespace load --key-file "$work/other.key" --image try:1 --allow "$host:$web" --dry-run
  cp "$work/said" "$work/agents.yaml"
  check "the API takes the manifests of 1000 agents, field by field" takes "$work/agents.yaml"
  check "and the roles" admin apply --dry-run=server --validate=strict --filename=deploy/roles.yaml
  cp -r deploy/kustomize "$work/kustomize"
  printf '%064d\n' 0 > "$work/kustomize/overlays/load/token"
  printf 'key=ed25519:%043d\n' 0 > "$work/kustomize/overlays/diagnose/run.env"
  # the service of the example sets no user, so neither it nor its observer complies with the Standard `restricted`
  while read -r overlay standard; do
    kubectl kustomize "$work/kustomize/overlays/$overlay" > "$work/$overlay.yaml"
    for namespace in $(sed -n 's/^  namespace: //p' "$work/$overlay.yaml" | sort -u); do
      admin create namespace "$namespace" > /dev/null 2>&1 || true
      admin label --overwrite namespace "$namespace" "pod-security.kubernetes.io/enforce=$standard" "pod-security.kubernetes.io/warn=$standard" > /dev/null
    done
    strictly() { KUBECONFIG=$work/admin.conf kubectl create --dry-run=server --validate=strict --filename="$1" && not grep -q "violate" "$work/check"; }
    check "and deploy/kustomize/overlays/$overlay, under the Standard $standard" strictly "$work/$overlay.yaml"
  done << STANDARDS
load restricted
diagnose baseline
STANDARDS
}

# shop: a pod with a server that listens on its loopback device only
shop() {
  grant jdyno-observer
  admin delete pod shop --ignore-not-found > /dev/null
  admin create --filename=- > /dev/null << YAML
---
{apiVersion: v1, kind: Pod, metadata: {name: shop}, spec: {
  terminationGracePeriodSeconds: 5,
  securityContext: {runAsNonRoot: true, runAsUser: 65532, runAsGroup: 65532, seccompProfile: {type: RuntimeDefault}},
  containers: [{name: app, image: "shop:1", command: [$(command -v jwebserver), -b, 127.0.0.1, -p, "8080", -d, $PWD/deploy],
    securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}}]}}
YAML
  admin wait --for=condition=Ready pod/shop --timeout=60s > /dev/null
}
# observe_of ROUND: words of the run
observe_of() { observe=(run http://localhost:8080/ --k8s shop --namespace load --image try:1 --concurrency 1,2 --round "$1" --warmup 2s --no-store --out "$work/out"); }
forwards() { pgrep -f "kubectl .*port-forward .*pod/shop" > /dev/null; }
agent_left() { processes | while read -r pid; do tr '\0' ' ' < "/proc/$pid/cmdline"; done | grep -q forwarded; }

case_pod() {
  shop
  observe_of 2s
  grant
  check "run --k8s without rights fails" run 2 "${observe[@]}"
  check "and names a right" says "you may not patch pods/ephemeralcontainers"
  grant jdyno-observer
  check "--dry-run" run 0 "${observe[@]}" --dry-run
  check "has added no container" same "$(admin get pod shop --output=jsonpath='{.spec.ephemeralContainers}')" ""
  check "run --k8s in a restricted namespace, over the API's port-forward" measures "${observe[@]}"
  check "its container is named in the output" says "stays listed until the pod is deleted"
  ended_() { test Completed = "$(admin get pod shop --output=jsonpath='{.status.ephemeralContainerStatuses[0].state.terminated.reason}')"; }
  check "the container has ended" await 40 ended_
  check "the port-forward has ended" not forwards
  check "a second run gets a second container" measures "${observe[@]}"
  check "of another name" same "$(admin get pod shop --output=jsonpath='{.spec.ephemeralContainers[*].name}' | wc -w)" 2
  admin delete pod shop > /dev/null
}

case_killed() {
  shop
  observe_of 30s
  set -m
  KUBECONFIG=$work/user.conf jdyno "${observe[@]}" > "$work/said" 2>&1 < /dev/null &
  begun=$!
  set +m
  works() { grep -q "works for run" "$(ls -td "$work"/[0-9]* | head -n 1)"/jdyno-*.log; }
  check "the agent works for the run" await 90 works
  kill -KILL -- "-$begun"
  finish
  check "after SIGKILL of the run, the port-forward ends" await 10 not forwards
  check "and the agent" await 60 not agent_left
  admin delete pod shop > /dev/null
}

begin_cluster
for case in "$@"; do
  echo "$case:"
  began=$SECONDS
  "case_$case"
  echo "  $((SECONDS - began)) s"
done
[ $failures = 0 ] || { echo "$failures checks failed" >&2; exit 1; }
echo "all checks hold"
