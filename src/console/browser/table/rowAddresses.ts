import { normalizeText } from '../../../contract/normalizeText.ts';
import { slugAtPath, readEnteredPath } from './enteredPath.ts';
import { memoizeByObject } from './memoizeByObject.ts';
import { numberedSlug, slugForName } from './slug.ts';
import {
  type TableColumn,
  holdsPaths,
  rowLanguage,
  type DraftRow,
  sourceColumn,
} from './tableColumns.ts';

/** The address of a row's new page: its path on the site, such as `/locations/lisbon`. */
export interface RowAddress {
  /** '' if there is none. */
  slug: string;
  problem?: string;
  /** Why the address differs from what the row's cell says. */
  remark?: string;
}

/** The template and the site of the new pages. */
export interface PageDestination {
  template: string;
  /** The template's language: BCP 47 tag. */
  language?: string | undefined;
  /** The site's homes: hosts, with a folder if the site is in one, or URLs. */
  homes: string[];
  /** Slugs of the site's pages. */
  existing: string[];
}

interface AddressCandidate {
  slug: string;
  problem?: string;
  /**
   * Whether the address was made from a name. Then a second page of that name gets a number. An
   * address that a person wrote stays as it is.
   */
  isMade?: boolean;
}

/**
 * Makes a function that finds the address of each row: the one that a person typed, else the one
 * that its cell gives. A second page of the same name gets `-2`, whether the first one is in
 * another row or already on the site. Reads each cell once, because a table may be long.
 * With the template `/locations/austin`, the names `Lisbon`, `Porto`, `Lisbon` →
 * `/locations/lisbon`, `/locations/porto`, `/locations/lisbon-2`
 * @param cells the cells of all rows
 */
export function createAddressReader(
  columns: TableColumn[],
  cells: string[][],
  destination: PageDestination,
): (rows: DraftRow[]) => RowAddress[] {
  const sourceIndex = sourceColumn(columns, cells);
  const areNames =
    !columns[sourceIndex] || !holdsPaths(columns[sourceIndex].name, cells, sourceIndex);
  const slugsOnSite = new Set(destination.existing.map(foldAddress));
  const addressIn = memoizeByObject((rowCells: string[]) => {
    const language = rowLanguage(columns, rowCells) ?? destination.language;
    return cellAddress(rowCells[sourceIndex] ?? '', { ...destination, language, areNames });
  });
  return (rows) => {
    const candidates = rows.map(({ typed, cells: ownCells }) =>
      typed === undefined ? addressIn(ownCells) : typedAddress(typed, destination),
    );
    return resolveDuplicates(rows, candidates, slugsOnSite);
  };
}

/** Numbers equal addresses that were made from a name. Any other equal address is a problem. */
function resolveDuplicates(
  rows: DraftRow[],
  candidates: AddressCandidate[],
  slugsOnSite: Set<string>,
): RowAddress[] {
  const writtenCandidates = candidates.filter(
    ({ isMade }, index) => !isMade && !rows[index]!.isOut,
  );
  const takenSlugs = new Set([
    ...slugsOnSite,
    ...writtenCandidates.map(({ slug }) => foldAddress(slug)),
  ]);
  const nextFreeSlug = createAddressCounter(takenSlugs);
  const ownersBySlug = new Map<string, number>();
  return candidates.map((candidate, index): RowAddress => {
    const { id, isOut } = rows[index]!;
    if (isOut) return { slug: candidate.slug };
    const slug = candidate.isMade ? nextFreeSlug(candidate.slug) : candidate.slug;
    const problem =
      candidate.problem ??
      (slug === '' ? missingAddress : duplicateProblem(ownersBySlug.get(foldAddress(slug))));
    if (problem !== undefined) return { slug, problem };
    ownersBySlug.set(foldAddress(slug), id);
    takenSlugs.add(foldAddress(slug));
    const isNumbered = slug !== candidate.slug;
    return isNumbered
      ? {
          slug,
          remark: takenWords(
            candidate.slug,
            ownersBySlug.get(foldAddress(candidate.slug)),
            slugsOnSite,
          ),
        }
      : { slug };
  });
}

/** What the table says about a row without an address. */
export const missingAddress = 'The row needs an address.';
/** What the table says about a URL on another site. */
export const foreignAddress = (host: string) => `This is an address on another site, ${host}.`;
/** What the table says about a cell that names no page. */
export const junkAddress = (cell: string) => `“${cell}” is not an address. Type one.`;
function takenWords(slug: string, ownerId: number | undefined, slugsOnSite: Set<string>): string {
  if (slugsOnSite.has(foldAddress(slug))) return takenOnSite(slug);
  return takenByRow(slug, ownerId);
}

export const takenOnSite = (slug: string) => `The site already has ${slug}.`;
export const takenByRow = (slug: string, ownerId: number | undefined) =>
  `${ownerId === undefined ? 'Another row' : `Row ${ownerId}`} already has ${slug}.`;

const duplicateProblem = (ownerId: number | undefined) =>
  ownerId === undefined ? undefined : `Row ${ownerId} already has this address.`;

/** Makes all spellings of an address equal: `/About`, `/about/` and `/about.html`. */
const foldAddress = (slug: string) =>
  normalizeText(slug, 'NFKC')
    .toLowerCase()
    .replace(/(?:\/index)?(?:\.html?)?\/?$/, '');

/** An address that a person typed, with a slash added at its start if it is missing. */
function typedAddress(text: string, { homes }: PageDestination): AddressCandidate {
  const enteredPath = readEnteredPath(text, homes);
  if (enteredPath && 'host' in enteredPath)
    return { slug: '', problem: foreignAddress(enteredPath.host) };
  const trimmedText = text.trim();
  if (enteredPath && !trimmedText.startsWith('/')) return { slug: slugAtPath(enteredPath.path) };
  const slug = trimmedText.startsWith('/') ? trimmedText : `/${trimmedText}`;
  return { slug: slug === '/' ? '' : slug };
}

/** Cells that name no page: errors of spreadsheets, placeholders, and dots and slashes alone. */
const JUNK_CELL =
  /^(?:#[\p{L}\d/]{1,24}[!?]?|n\/?a\.?|null|undefined|nan|none|tbd|tbc|todo|[-_]{1,9}|\?{2,9}|\.[./\\]*)$/iu;

function cellAddress(
  cell: string,
  destination: PageDestination & { areNames: boolean },
): AddressCandidate {
  const { template, language, homes, areNames } = destination;
  if (JUNK_CELL.test(cell.trim())) return { slug: '', problem: junkAddress(cell.trim()) };
  const enteredPath = readEnteredPath(cell, homes);
  if (enteredPath && 'host' in enteredPath)
    return { slug: '', problem: foreignAddress(enteredPath.host) };
  if (enteredPath) return { slug: slugAtPath(enteredPath.path, language) };
  if (!areNames && cell.includes('/')) return { slug: slugAtPath(cell, language) };
  const name = areNames ? cell : cell.replace(/\.html?$/i, '');
  return { slug: slugForName(name, template, language), isMade: true };
}

/** Makes a function that finds the first free address of `/lisbon`, `/lisbon-2`, `/lisbon-3` … */
function createAddressCounter(takenSlugs: Set<string>): (slug: string) => string {
  const countBySlug = new Map<string, number>();
  return (slug) => {
    let count = countBySlug.get(slug) ?? 1;
    const currentSlug = () => (count === 1 || slug === '' ? slug : numberedSlug(slug, count));
    while (slug !== '' && takenSlugs.has(foldAddress(currentSlug()))) count++;
    countBySlug.set(slug, count);
    return currentSlug();
  };
}
