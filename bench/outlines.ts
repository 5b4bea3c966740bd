/**
 * Tokens that a language model reads of whole sites, 4 characters each: `node bench/outlines.ts`.
 */
import { pageCalls } from '../src/sites/pages/pageCalls.ts';
import type { PageSource } from '../src/sites/formats/format.ts';
import { openSite, type SiteName } from '../test/eval/sites.ts';

const SISTERS = 12;
const tokens = (text: string) => Math.round(text.length / 4);

/** What the rules' tools answer of a page: its texts, groups and links. */
const asJson = (page: PageSource) =>
  JSON.stringify([pageCalls.read(page).slots, pageCalls.groups(page), pageCalls.links(page)]);

function measure(name: SiteName) {
  const { pages: paths, source } = openSite(name);
  const pages = paths.map((path) => ({ path, source: source(path) }));
  return pages.map((page) => ({
    page: `${name} ${page.path}`,
    html: tokens(page.source),
    json: tokens(asJson(page)),
    outline: tokens(
      pageCalls.outline({
        page,
        siblings: pages.filter((other) => other !== page).slice(0, SISTERS),
      }),
    ),
  }));
}

for (const name of ['demo', 'business', 'blog'] as const) {
  const rows = measure(name);
  const sum = (key: 'html' | 'json' | 'outline') => rows.reduce((all, row) => all + row[key], 0);
  console.table([
    ...rows,
    { page: `${name}, all`, html: sum('html'), json: sum('json'), outline: sum('outline') },
  ]);
}
