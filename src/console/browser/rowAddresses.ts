import { normalizeText } from '../../contract/normalizeText.ts';
import { addressAt, givenPath } from './givenPath.ts';
import { perObject } from './perObject.ts';
import { countedSlug, slugOf } from './slug.ts';
import { type Column, holdsPaths, languageIn, type Row, sourceColumn } from './table.ts';

/** The address of a row's new page. */
export interface RowAddress {
  /** '' if there is none. */
  slug: string;
  problem?: string;
  /** Why the address differs from what the row's cell says. */
  remark?: string;
}

/** The template and the site of the new pages. */
export interface Place {
  template: string;
  /** The template's language: BCP 47 tag. */
  language?: string | undefined;
  /** Where the site is: hosts, with a folder if the site is in one, or URLs. */
  homes: string[];
  /** Slugs of the site's pages. */
  existing: string[];
}

interface Found {
  slug: string;
  problem?: string;
  /**
   * Whether the address was made from a name. A second page of that name gets a number then. An
   * address that somebody wrote stays as it is.
   */
  isMade?: boolean;
}

/**
 * Makes a function that gives the address of each row: the one that a person typed, else the one
 * that its cell gives. A second page of the same name gets `-2`, whether the first one is in
 * another row or already on the site. Each cell is read once, since a table may be long.
 * @param cells the cells of all rows
 */
export function addressReader(
  columns: Column[],
  cells: string[][],
  place: Place,
): (rows: Row[]) => RowAddress[] {
  const at = sourceColumn(columns, cells);
  const areNames = !columns[at] || !holdsPaths(columns[at].name, cells, at);
  const onSite = new Set(place.existing.map(folded));
  const addressIn = perObject((row: string[]) => {
    const language = languageIn(columns, row) ?? place.language;
    return cellAddress(row[at] ?? '', { ...place, language, areNames });
  });
  return (rows) => {
    const found = rows.map(({ typed, cells: own }) =>
      typed === undefined ? addressIn(own) : typedAddress(typed, place),
    );
    return withoutTwins(rows, found, onSite);
  };
}

/** Numbers the addresses that were made of the same name, and refuses the others that are equal. */
function withoutTwins(rows: Row[], found: Found[], onSite: Set<string>): RowAddress[] {
  const written = found.filter(({ isMade }, index) => !isMade && !rows[index]!.isOut);
  const taken = new Set([...onSite, ...written.map(({ slug }) => folded(slug))]);
  const free = counter(taken);
  const owners = new Map<string, number>();
  return found.map((each, index): RowAddress => {
    const { id, isOut } = rows[index]!;
    if (isOut) return { slug: each.slug };
    const slug = each.isMade ? free(each.slug) : each.slug;
    const problem = each.problem ?? (slug === '' ? missing : twinProblem(owners.get(folded(slug))));
    if (problem !== undefined) return { slug, problem };
    owners.set(folded(slug), id);
    taken.add(folded(slug));
    const isNext = slug !== each.slug;
    return isNext
      ? { slug, remark: takenWords(each.slug, owners.get(folded(each.slug)), onSite) }
      : { slug };
  });
}

const missing = 'The row needs an address.';
const foreign = (host: string) => `This is an address of another site, ${host}.`;
function takenWords(slug: string, owner: number | undefined, onSite: Set<string>): string {
  if (onSite.has(folded(slug))) return `The site has ${slug} already.`;
  return owner === undefined ? `Another row has ${slug}.` : `Row ${owner} has ${slug}.`;
}

const twinProblem = (owner: number | undefined) =>
  owner === undefined ? undefined : `Row ${owner} has this address already.`;

/** One text for all spellings of a page's address. */
const folded = (slug: string) =>
  normalizeText(slug, 'NFKC')
    .toLowerCase()
    .replace(/(?:\/index)?(?:\.html?)?\/?$/, '');

/** An address that a person typed, with a slash added at its start if it is missing. */
function typedAddress(text: string, { homes }: Place): Found {
  const given = givenPath(text, homes);
  if (given && 'host' in given) return { slug: '', problem: foreign(given.host) };
  const trimmed = text.trim();
  if (given && !trimmed.startsWith('/')) return { slug: addressAt(given.path) };
  const slug = trimmed.startsWith('/') ? trimmed : `/${trimmed}`;
  return { slug: slug === '/' ? '' : slug };
}

function cellAddress(cell: string, place: Place & { areNames: boolean }): Found {
  const { template, language, homes, areNames } = place;
  const given = givenPath(cell, homes);
  if (given && 'host' in given) return { slug: '', problem: foreign(given.host) };
  if (given) return { slug: addressAt(given.path, language) };
  if (!areNames && cell.includes('/')) return { slug: addressAt(cell, language) };
  const name = areNames ? cell : cell.replace(/\.html?$/i, '');
  return { slug: slugOf(name, template, language), isMade: true };
}

/** Makes a function that finds the first free address of `/lisbon`, `/lisbon-2`, `/lisbon-3` … */
function counter(taken: Set<string>): (slug: string) => string {
  const counts = new Map<string, number>();
  return (slug) => {
    let count = counts.get(slug) ?? 1;
    const counted = () => (count === 1 || slug === '' ? slug : countedSlug(slug, count));
    while (slug !== '' && taken.has(folded(counted()))) count++;
    counts.set(slug, count);
    return counted();
  };
}
