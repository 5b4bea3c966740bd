#!/usr/bin/env bash
# Temporal's server, and its tool for the database's schema, in the version of docker-compose.temporal.yml. The first
# call builds both with Go, and a second one waits for it. Prints their folder: nothing where they are not there and Go
# is not installed. A build leaves out what takes most of its CPU time and no test uses: optimizing and debugging
# information (a third), the clients of clouds and SQLite (another third), and by the tag `release` Kubernetes' client.
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

copy_module() { # copy_module MODULE@VERSION FOLDER: the module cache is read-only
  cp -R "$(go mod download -json "$1" | sed -n 's/.*"Dir": "\(.*\)".*/\1/p')" "$2"
  chmod -R u+w "$2"
}
leave_out() { # in the server's source
  local workers client=common/persistence/visibility/store/elasticsearch/client/aws.go sqlite=common/persistence/sql/sqlplugin/sqlite
  workers=$(sed -n 's|.*\(go.temporal.io/auto-scaled-workers\) \(v[^ ]*\).*|\1@\2|p' go.mod)
  copy_module "$workers" ../workers
  rm ../workers/wci/workflow/compute_provider/{aws,gcp_}*.go
  go mod edit -replace "${workers%@*}=../workers"
  sed -i -E '/case (gcloud|s3store)\.URIScheme:/,/(gcloud|s3store)\.New/d; /archiver\/(gcloud|s3store)"/d' \
    common/archiver/provider/provider.go
  printf 'package client\n\nimport "net/http"\n\n%s\n' \
    'func NewAwsHttpClient(ESAWSRequestSigningConfig) (*http.Client, error) { return nil, nil }' >"$client"
  rm "$sqlite"/*.go
  printf 'package sqlite\n\nconst PluginName = "sqlite"\n' >"$sqlite/plugin.go"
}
if [ ! -d "$folder" ]; then
  echo "Building Temporal's server $version in $folder: once, it takes minutes" >&2
  building=$(mktemp -d "$folder.XXXXXX")
  trap 'rm -rf "$building"' EXIT
  cd "$building"
  copy_module "go.temporal.io/server@v$version" source
  cd source
  leave_out
  flags=(-p 2 -trimpath -buildvcs=false -tags disable_grpc_modules,release '-gcflags=all=-N -l -dwarf=false' '-ldflags=-s -w')
  CGO_ENABLED=0 go build "${flags[@]}" -o ../temporal-server ./cmd/server
  CGO_ENABLED=0 go build "${flags[@]}" -o ../temporal-sql-tool ./cmd/tools/sql
  cd ..
  rm -r source workers
  mv "$building" "$folder"
fi
echo "$folder"
