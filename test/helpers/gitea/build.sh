#!/usr/bin/env bash
# Gitea, without its pages' scripts and styles: the API and git are what tests need. The first call builds it with Go, and
# a second one waits for it. Prints its folder. `--check` says by the exit code whether it is there or can be built.
# A build leaves out what takes most of its CPU time and no test uses: optimizing and debugging information, imports from
# other forges, SQL Server, and the words by which it guesses a file's language.
set -euo pipefail
cd "$(dirname "$0")/../../.."
version=1.25.5
sum='h1:OfdT1TrOmAA+AVeY8S9CVU1jJfXIk8teXfiBgDeHEUI='
go=1.25
folder=$PWD/.cache/gitea-$version

can_build() { # with a Go that is new enough, and a C compiler for SQLite
  command -v go >/dev/null && command -v gcc >/dev/null && printf '%s\n' "go$go" "$(cd / && go env GOVERSION)" | sort -VC
}
[ -d "$folder" ] || can_build || { echo "Gitea $version needs Go $go or newer, and gcc" >&2; exit 1; }
[ "${1-}" != --check ] || exit 0
mkdir -p .cache
if command -v flock >/dev/null; then
  exec 9>"$folder.lock"
  flock 9
fi
if [ ! -d "$folder" ]; then
  echo "Building Gitea $version in $folder: once, it takes minutes" >&2
  building=$(mktemp -d "$folder.XXXXXX")
  trap 'rm -rf "$building"' EXIT
  cd "$building"
  answer=$(go mod download -json "code.gitea.io/gitea@v$version")
  grep -qF "\"Sum\": \"$sum\"" <<<"$answer" || { echo "Gitea $version has another sum than $sum: $answer" >&2; exit 1; }
  # copies: `go install` refuses modules with `replace`, and the module cache is read-only
  copy_module() { # copy_module FOLDER, with what `go mod download -json` said on standard input
    cp -R "$(sed -n 's/.*"Dir": "\(.*\)".*/\1/p')" "$1"
    chmod -R u+w "$1"
  }
  copy_module source <<<"$answer"
  cd source
  enry=$(sed -n 's|.*\(github.com/go-enry/go-enry/v2\) \(v[^ ]*\).*|\1@\2|p' go.mod)
  go mod download -json "$enry" | copy_module ../enry
  go mod edit -replace "${enry%@*}=../enry"
  printf 'package data\n\n%s\n%s\n%s\n' 'var LanguagesLogProbabilities = map[string]float64{}' \
    'var TokensLogProbabilities = map[string]map[string]float64{}' 'var TokensTotal = 1.0' >../enry/data/frequencies.go
  rm services/migrations/{codecommit,gitbucket,github,gitlab}.go
  sed -i '/go-mssqldb"/d' models/db/engine.go
  CGO_ENABLED=1 CGO_CFLAGS=-O0 GOFLAGS='-trimpath -buildvcs=false' go build -p 2 -tags 'sqlite sqlite_unlock_notify' \
    '-gcflags=all=-N -l -dwarf=false' "-ldflags=-s -w -X main.Version=$version" -o ../gitea .
  mv options public templates ..
  cd ..
  rm -r source enry
  chmod -R go+rX .
  mv "$building" "$folder"
fi
echo "$folder"
