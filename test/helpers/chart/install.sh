#!/usr/bin/env bash
# What checks the chart of deploy/helm: helm and kubeconform, built with Go, and the API document of Kubernetes. The first
# call builds them, and a second one waits for it. Prints their folder. `--check` says by the exit code whether they are
# there or can be built.
set -euo pipefail
cd "$(dirname "$0")/../../.."
helm=v3.16.4
kubeconform=v0.6.7
kubernetes=v1.34.4
go=1.25
folder=$PWD/.cache/chart-tools-$helm-$kubeconform-$kubernetes

can_install() {
  command -v go >/dev/null && printf '%s\n' "go$go" "$(cd / && go env GOVERSION)" | sort -VC
}
[ -d "$folder" ] || can_install || { echo "Checks of the chart need Go $go" >&2; exit 1; }
[ "${1-}" != --check ] || exit 0
mkdir -p .cache
if command -v flock >/dev/null; then
  exec 9>"$folder.lock"
  flock 9
fi
if [ ! -d "$folder" ]; then
  echo "Building helm and kubeconform in $folder: once, it takes minutes" >&2
  building=$(mktemp -d "$folder.XXXXXX")
  trap 'rm -rf "$building"' EXIT
  # the flags of buildTemporal.sh, so that Go compiles what both need once
  for program in "helm.sh/helm/v3/cmd/helm@$helm" "github.com/yannh/kubeconform/cmd/kubeconform@$kubeconform"; do
    GOBIN=$building CGO_ENABLED=0 GOFLAGS=-trimpath go install -p 2 '-gcflags=all=-N -l -dwarf=false' '-ldflags=-s -w' \
      "$program" >&2
  done
  module=$(go mod download -json "k8s.io/kubernetes@$kubernetes" | sed -n 's/.*"Dir": "\(.*\)".*/\1/p')
  cp "$module/api/openapi-spec/swagger.json" "$building/kubernetes.json"
  chmod -R u+w,go+rX "$building"
  mv "$building" "$folder"
fi
echo "$folder"
