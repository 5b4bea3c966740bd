#!/usr/bin/env bash
# Gitea, without its pages' scripts and styles: the API and git are what tests need. The first call builds it with Go, and
# a second one waits for it. Prints its folder. `--check` says by the exit code whether it is there or can be built.
# Without optimizing and debugging information, a build takes two thirds of its CPU time.
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
  # a copy: `go install` refuses modules with `replace`, and the module cache is read-only
  cp -R "$(sed -n 's/.*"Dir": "\(.*\)".*/\1/p' <<<"$answer")" source
  chmod -R u+w source
  cd source
  CGO_ENABLED=1 CGO_CFLAGS=-O1 GOFLAGS='-trimpath -buildvcs=false' go build -p 2 -tags 'sqlite sqlite_unlock_notify' \
    '-gcflags=all=-N -l -dwarf=false' "-ldflags=-s -w -X main.Version=$version" -o ../gitea .
  mv options public templates ..
  cd ..
  rm -r source
  chmod -R go+rX .
  mv "$building" "$folder"
fi
echo "$folder"
