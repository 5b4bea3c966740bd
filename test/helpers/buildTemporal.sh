#!/usr/bin/env bash
# Temporal's server, and its tool for the database's schema, in the version of docker-compose.temporal.yml. The first
# call builds both with Go, and a second one waits for it. Prints their folder: nothing where they are not there and Go
# is not installed. Without optimizing and debugging information, a build takes two thirds of its CPU time. The tag
# `release` leaves out the client of Kubernetes: 320 packages of 1,620.
set -euo pipefail
cd "$(dirname "$0")/../.."
version=$(sed -n 's|.*image: temporalio/server:||p' docker-compose.temporal.yml)
folder=$PWD/.cache/temporal-server-$version

[ -d "$folder" ] || command -v go >/dev/null || exit 0
mkdir -p .cache
if command -v flock >/dev/null; then
  exec 9>"$folder.lock"
  flock 9
fi
if [ ! -d "$folder" ]; then
  echo "Building Temporal's server $version in $folder: once, it takes minutes" >&2
  building=$(mktemp -d "$folder.XXXXXX")
  trap 'rm -rf "$building"' EXIT
  cd "$building"
  export GOBIN=$building CGO_ENABLED=0 GOFLAGS=-trimpath
  go install -p 2 -tags disable_grpc_modules,release '-gcflags=all=-N -l -dwarf=false' '-ldflags=-s -w' \
    "go.temporal.io/server/cmd/server@v$version" "go.temporal.io/server/cmd/tools/sql@v$version"
  mv server temporal-server
  mv sql temporal-sql-tool
  mv "$building" "$folder"
fi
echo "$folder"
