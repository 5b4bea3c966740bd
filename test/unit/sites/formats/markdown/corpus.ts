import { globSync, readFileSync, statSync } from 'node:fs';

/** Real pages: the Markdown files that the installed packages carry. */
export function readMarkdownFiles(count: number): { path: string; source: string }[] {
  const paths = globSync('node_modules/**/*.{md,mdx,markdown}')
    .filter((path) => /\.mdx?$/.test(path) && statSync(path).size < 20_000)
    .sort();
  const every = Math.max(1, Math.floor(paths.length / count));
  return paths
    .filter((_, index) => index % every === 0)
    .slice(0, count)
    .map((path, index) => ({ path: `page-${index}.md`, source: readFileSync(path, 'utf8') }));
}
