import type { OddityCode } from '../../../contract/reviews/reviewKinds.ts';
import type { ComparedText } from '../../../sites/pages/texts/diffPageTexts.ts';
import type { TemplateDifferences } from '../../../sites/pages/texts/compareWithTemplate.ts';
import { findJunk } from '../text/findJunk.ts';
import { type PlaceColumn, readPlaceColumns } from './placeColumns.ts';

/** A page of one template. */
export interface SiblingPage extends TemplateDifferences {
  slug: string;
}

/** A place whose text differs from the template on at least one page. */
export interface DifferingPlace {
  place: string;
  /** The template's text. null: it has none there. */
  before: ComparedText | null;
  /** The words of the template's text that differ on most pages. */
  words?: string;
  /** A text of one of the pages there. null: no page has one. */
  example: ComparedText | null;
}

export interface FoundOddity {
  code: OddityCode;
  place?: string;
}

/** The places in page order, and what is odd about each page, in the order of the pages. */
export interface OddPages {
  places: DifferingPlace[];
  oddities: FoundOddity[][];
}

/** Fewer pages tell nothing about what is usual. */
const FEWEST_SIBLINGS = 4;
/** The share of pages that makes something usual. */
const MOST = 0.8;

/**
 * Finds what is unusual about each of the pages of one template, so that people look at these pages
 * first: a text that is missing, of another kind or length than on the other pages, junk, a long
 * headline, a strange address, or little text of its own.
 */
export function findOddPages(pages: SiblingPage[]): OddPages {
  const columns = readPlaceColumns(pages);
  const oddities = pages.map(({ slug }): FoundOddity[] =>
    isJunkAddress(slug) ? [{ code: 'address' }] : [],
  );
  for (const column of columns) {
    const { place } = column;
    const add = (index: number, code: OddityCode) => {
      if (oddities[index]!.at(-1)?.place !== place) oddities[index]!.push({ code, place });
    };
    column.texts.forEach((text, index) => {
      if (text && findJunk(text.plain, () => false) !== null) add(index, 'junk');
      else if (text && isLongHeadline(text, column.before)) add(index, 'wraps');
    });
    if (pages.length >= FEWEST_SIBLINGS) addUnusualTexts(column, add);
  }
  if (pages.length >= FEWEST_SIBLINGS) {
    addLittleTexts(pages, oddities);
    addSamePages(columns, oddities);
  }
  return {
    places: columns.map(({ place, before, words, texts }) => ({
      place,
      before,
      ...(words !== undefined && { words }),
      example: texts.find((text) => !!text) ?? null,
    })),
    oddities,
  };
}

type OddityCollector = (index: number, code: OddityCode) => void;

/** Adds texts that are missing, unchanged, or of another kind or length than most. */
function addUnusualTexts({ place, texts }: PlaceColumn, add: OddityCollector): void {
  const isMost = (count: number) => count >= texts.length * MOST && count < texts.length;
  const changedTexts = texts.filter((text) => text !== undefined);
  if (isMost(changedTexts.length) && !place.startsWith('+'))
    texts.forEach((text, index) => text === undefined && add(index, 'unchanged'));
  const presentTexts = texts.filter((text) => !!text);
  if (isMost(texts.length - texts.filter((text) => text === null).length))
    texts.forEach((text, index) => text === null && add(index, 'missing'));
  const kinds = Map.groupBy(presentTexts, ({ plain }) => textKind(plain));
  const [usualKind, usualTexts] =
    [...kinds].toSorted(([, a], [, b]) => b.length - a.length)[0] ?? [];
  const isKindUsual = usualTexts !== undefined && usualTexts.length >= presentTexts.length * MOST;
  const usualLength = median(presentTexts.map(({ plain }) => plain.length));
  if (presentTexts.length < FEWEST_SIBLINGS) return;
  texts.forEach((text, index) => {
    if (!text) return;
    if (isKindUsual && textKind(text.plain) !== usualKind) add(index, 'kind');
    else if (text.plain.length > usualLength * 2 + 20 || text.plain.length * 2 + 8 < usualLength)
      add(index, 'length');
  });
}

/** The kind of a text, as people see it at a glance. */
function textKind(text: string): string {
  if (/^[^\s@]+@[^\s@]+$/.test(text)) return 'email';
  if (/^(?:https?:\/\/|www\.)\S+$/i.test(text)) return 'url';
  if (!/\p{L}/u.test(text)) return /\d/.test(text) ? 'number' : 'signs';
  return text === text.toUpperCase() && text.length > 8 ? 'capitals' : 'words';
}

const median = (numbers: number[]) =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

const LONG_HEADLINE = 60;
const LONG_WORD = 22;

/** Whether a headline has more lines than its template's, or a word that a phone can't show. */
const isLongHeadline = ({ role, level, plain }: ComparedText, before: ComparedText | null) =>
  role === 'heading' &&
  level === 1 &&
  (plain.length > Math.max(LONG_HEADLINE, (before?.plain.length ?? 0) * 1.5) ||
    plain.split(/[\s-]/).some((word) => word.length > LONG_WORD));

/** Names of pages that come from an empty or broken cell: `/locations/n-a`, `/locations/ref-2`. */
const JUNK_NAME =
  /^(?:n-?a|null|undefined|nan|none|ref|value|name|num|div-?0|tb[acd]|test|todo|unknown|untitled|x{2,}|row|item|page)(?:-?\d+)?$/;

function isJunkAddress(slug: string): boolean {
  const lastName = slug.slice(slug.lastIndexOf('/') + 1).toLowerCase();
  return slug !== '/' && (!/\p{L}/u.test(lastName) || JUNK_NAME.test(lastName));
}

/** Adds pages with less than half of the usual share of their own words. */
function addLittleTexts(pages: SiblingPage[], oddities: FoundOddity[][]): void {
  const usualShare = median(pages.map(({ ownShare }) => ownShare));
  pages.forEach(({ ownShare }, index) => {
    if (ownShare < usualShare / 2) oddities[index]!.push({ code: 'little-text' });
  });
}

/** Adds pages that have the same texts as another one. */
function addSamePages(columns: PlaceColumn[], oddities: FoundOddity[][]): void {
  const textsOf = (index: number) =>
    JSON.stringify(columns.map(({ texts }) => texts[index]?.plain ?? null));
  for (const sameIndexes of Map.groupBy(oddities.keys(), textsOf).values())
    if (sameIndexes.length > 1)
      for (const index of sameIndexes) oddities[index]!.push({ code: 'same' });
}
