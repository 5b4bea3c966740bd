#!/usr/bin/env bash
# buildTemporal.sh FOLDER VERSION: Temporal's server, and its tool for the database's schema, built with Go. A second
# call waits for the first. Without optimizing and debugging information, a build takes two thirds of its CPU time.
set -euo pipefail
folder=$1
version=$2
mkdir -p "$(dirname "$folder")"
if command -v flock >/dev/null; then
  exec 9>"$folder.lock"
  flock 9
fi
[ ! -d "$folder" ] || exit 0

building=$(mktemp -d "$folder.XXXXXX")
trap 'rm -rf "$building"' EXIT
cd "$building"
export GOBIN=$building CGO_ENABLED=0 GOFLAGS=-trimpath
go install -p 2 -tags disable_grpc_modules '-gcflags=all=-N -l -dwarf=false' '-ldflags=-s -w' \
  "go.temporal.io/server/cmd/server@v$version" "go.temporal.io/server/cmd/tools/sql@v$version"
mv server temporal-server
mv sql temporal-sql-tool
mv "$building" "$folder"
