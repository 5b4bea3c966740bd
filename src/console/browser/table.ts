/** Where a column's values go: the new page's address, nowhere, or into lines `<label>: <value>` of its context. */
export type Use = 'address' | 'out' | `as ${string}`;

export interface Column {
  name: string;
  use: Use;
}

export interface Item {
  targetPageSlug: string;
  context: string;
}

/** Pages of one task. */
export const ITEMS_PER_TASK = 10;
const SLUG_LENGTH = 200;

const plain = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
const same = (text: string) => plain(text).replace(/[^\p{L}\p{N}]/gu, '');
const addressNames = new Set(['slug', 'path', 'url', 'address', 'pageaddress', 'page', 'targetpageslug']);

/**
 * A path below the folder of the template, of letters that every address can have.
 * @param value what the page is about, or a path of its own
 */
export function slugOf(value: string, template: string): string {
  const isPath = value.trim().startsWith('/');
  const parts = value
    .split(isPath ? '/' : '\n')
    .map(wordOf)
    .filter(Boolean);
  const folder = template.slice(0, template.lastIndexOf('/') + 1) || '/';
  const slug = (isPath ? '/' : folder) + parts.join(isPath ? '/' : '-');
  return parts.length === 0 ? '' : slug.slice(0, SLUG_LENGTH);
}

function wordOf(text: string): string {
  const word = plain(text)
    .replace(/['’]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, '-');
  return word.slice(word.startsWith('-') ? 1 : 0, word.endsWith('-') ? -1 : undefined);
}

/**
 * What to do with each column at first: one gives the address, those that the template knows by name go there, the
 * others keep their names.
 */
export function suggest(names: string[], rows: string[][], labels: string[]): Column[] {
  const address = addressColumn(names, rows);
  return names.map((name, at) => {
    const known = labels.find((label) => same(label) === same(name));
    const isOnlyAddress = at === address && addressNames.has(same(name));
    return { name, use: isOnlyAddress ? 'address' : `as ${known ?? name}` };
  });
}

/** The column that names each page best: one that says so, else the first whose values all differ. */
export function addressColumn(names: string[], rows: string[][]): number {
  const named = names.findIndex((name) => addressNames.has(same(name)));
  if (named >= 0) return named;
  const differing = names.findIndex((_, at) => {
    const values = rows.map((row) => same(row[at] ?? ''));
    return values.every(Boolean) && new Set(values).size === values.length;
  });
  return Math.max(differing, 0);
}

/** A row's context: a line for each value, in the order of the columns. */
export const contextOf = (columns: Column[], row: string[]) =>
  columns
    .flatMap(({ use }, at) => {
      const value = (row[at] ?? '').split(/\s+/).filter(Boolean).join(' ');
      return use.startsWith('as ') && value !== '' ? [`${use.slice(3)}: ${value}`] : [];
    })
    .join('\n');

/** What is wrong with the rows' addresses, by row. */
export function addressProblems(slugs: string[]): (string | undefined)[] {
  return slugs.map((slug, at) => {
    if (slug === '') return 'The row needs an address.';
    if (!slug.startsWith('/')) return 'The address begins with a slash.';
    return slugs.indexOf(slug) === at ? undefined : `Row ${slugs.indexOf(slug) + 1} has this address already.`;
  });
}

/** Parts of ten: one task takes no more. */
export const inTasks = <T>(items: T[]): T[][] =>
  Array.from({ length: Math.ceil(items.length / ITEMS_PER_TASK) }, (_, at) =>
    items.slice(at * ITEMS_PER_TASK, (at + 1) * ITEMS_PER_TASK),
  );
