#!/usr/bin/env bash
# Three generators of clients, and what their clients need to run or compile: openapi-generator by Maven, oapi-codegen by
# Go, and openapi-python-client by pip. The first call installs them, and a second one waits for it. Prints their folder.
# `--check` says by the exit code whether they are there or can be installed.
set -euo pipefail
cd "$(dirname "$0")/../../.."
here=test/helpers/generators
oapi_codegen=v2.8.2
python_packages=(openapi-python-client==0.29.1 python-dateutil==2.9.0.post0 urllib3==2.8.0)
go=1.25
folder=$PWD/.cache/generators-$(cat $here/install.sh $here/pom.xml | cksum | cut -d' ' -f1)

can_install() {
  command -v javac >/dev/null && command -v mvn >/dev/null &&
    command -v go >/dev/null && printf '%s\n' "go$go" "$(cd / && go env GOVERSION)" | sort -VC &&
    python3 -c 'import pip, sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null
}
[ -d "$folder" ] || can_install || { echo "Generators need Java 17, Maven, Go $go and Python 3.11 with pip" >&2; exit 1; }
[ "${1-}" != --check ] || exit 0
mkdir -p .cache
if command -v flock >/dev/null; then
  exec 9>"$folder.lock"
  flock 9
fi
if [ ! -d "$folder" ]; then
  echo "Installing generators in $folder: once" >&2
  installing=$(mktemp -d "$folder.XXXXXX")
  trap 'rm -rf "$installing"' EXIT
  mvn -q -B -C -f $here/pom.xml dependency:copy "-Dfolder=$installing/jars" >&2
  # the flags of buildTemporal.sh, so that Go compiles what both need once
  GOBIN=$installing CGO_ENABLED=0 GOFLAGS=-trimpath go install -p 2 '-gcflags=all=-N -l -dwarf=false' '-ldflags=-s -w' \
    "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@$oapi_codegen" >&2
  PIP_ROOT_USER_ACTION=ignore python3 -m pip install -q --no-compile --no-warn-conflicts --target "$installing/python" \
    "${python_packages[@]}" >&2
  chmod -R go+rX "$installing"
  mv "$installing" "$folder"
fi
echo "$folder"
