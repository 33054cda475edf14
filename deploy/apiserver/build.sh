#!/usr/bin/env bash
# Builds what deploy/try-apiserver.sh needs into FOLDER: kube-apiserver and kube-controller-manager of one version, unchanged from their
# Go modules, and the stand-in for a node of this folder. Needs Go 1.24 or later, the Go module proxy, and 5 GB of disk; the
# first build takes some 12 minutes of CPU time. Nothing of it goes into jdyno's packages.
#
#   deploy/apiserver/build.sh FOLDER [VERSION]
set -euo pipefail
[ $# -ge 1 ] && [ $# -le 2 ] || { echo "usage: $0 FOLDER [VERSION]" >&2; exit 2; }
command -v go > /dev/null || { echo "error: there is no go (Debian: apt-get install golang)" >&2; exit 2; }
version=${2:-v1.34.4}
# modules of Kubernetes are v0.34.4 where Kubernetes is v1.34.4
part=v0.${version#v1.}
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
cd "$1"

export GOFLAGS="-mod=mod -buildvcs=false" GOTOOLCHAIN=local CGO_ENABLED=0
mkdir -p module
cp "$here/node.go" module/
cd module
# Kubernetes' own module replaces its parts by folders beside it, which its published form has not
if [ ! -e go.mod ]; then
  go mod init try > /dev/null 2>&1
  mod=$(go list -m -f '{{.GoMod}}' "k8s.io/kubernetes@$version")
  {
    cat go.mod
    echo "require k8s.io/kubernetes $version"
    sed -n "s|^\t\(k8s.io/[a-z-]*\) => ./staging/.*|replace \1 => \1 $part|p" "$mod"
  } > go.mod.new
  mv go.mod.new go.mod
fi
minor=${version#v1.}
package=k8s.io/component-base/version
go build -o .. -ldflags "-s -w -X $package.gitVersion=$version -X $package.gitMajor=1 -X $package.gitMinor=${minor%%.*}" \
  k8s.io/kubernetes/cmd/kube-apiserver k8s.io/kubernetes/cmd/kube-controller-manager
go build -o ../node -ldflags "-s -w" .
