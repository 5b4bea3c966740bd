import { isHeadline, isUnseenRole } from '../../../sites/formats/pageParts.ts';
import type { ComparedText } from '../../../sites/pages/texts/diffPageTexts.ts';
import type { TemplateDifferences } from '../../../sites/pages/texts/compareWithTemplate.ts';

/** The texts of all pages at one place of their template. */
export interface PlaceColumn {
  place: string;
  before: ComparedText | null;
  /** The words of the template's text that differ on most pages. */
  words?: string;
  /** The text of each page. null: the page lacks it. undefined: it is the template's. */
  texts: (ComparedText | null | undefined)[];
}

/**
 * Arranges the texts of pages by the places of their template, in page order. Leaves out places
 * that follow from others: if the headline says Lisbon instead of Austin, nobody needs to look at
 * each other text that says so too.
 */
export function readPlaceColumns(pages: Pick<TemplateDifferences, 'texts'>[]): PlaceColumn[] {
  const columns = new Map<string, PlaceColumn>();
  pages.forEach(({ texts }, index) => {
    for (const { place, before, after } of texts) {
      const column = columns.get(place) ?? { place, before, texts: pages.map(() => undefined) };
      column.texts[index] = after;
      columns.set(place, column);
    }
  });
  const keptColumns: PlaceColumn[] = [];
  const knownContents = new Set<string>();
  const replacements = pages.map((): WordReplacement[] => []);
  for (const column of [...columns.values()].toSorted(
    (first, second) => priority(first) - priority(second),
  )) {
    const content = JSON.stringify(column.texts.map((text) => text && text.plain));
    if (knownContents.has(content) || followsFrom(column, replacements)) continue;
    knownContents.add(content);
    const columnWords: string[] = [];
    column.texts.forEach((text, index) => {
      const replacement = column.before && text && replacedWords(column.before.plain, text.plain);
      if (!replacement) return;
      columnWords.push(replacement.from);
      replacements[index]!.push(replacement);
    });
    const words = mostFrequent(columnWords);
    keptColumns.push({ ...column, ...(words !== undefined && { words }) });
  }
  return keptColumns.toSorted((first, second) => pageRank(first) - pageRank(second));
}

const mostFrequent = (texts: string[]): string | undefined =>
  [...Map.groupBy(texts, (text) => text).values()].toSorted(
    (same, others) => others.length - same.length,
  )[0]?.[0];

/** The headline first, then short texts, which name what differs best; texts in the head last. */
function priority({ before, texts }: PlaceColumn): number {
  const text = before ?? texts.find((candidate) => !!candidate);
  if (!text) return Infinity;
  if (isHeadline(text)) return 0;
  return text.plain.length + (isUnseenRole(text.role) ? 1_000_000 : 1);
}

/** Template slots in page order, then the texts that the template lacks. */
const pageRank = ({ place }: PlaceColumn) =>
  place.startsWith('+') ? 1_000_000 + Number(place) : Number(/\d+/.exec(place)?.[0] ?? 0);

/** Words of the template, and those of a page in their place. */
interface WordReplacement {
  from: string;
  to: string;
}

/**
 * Whether the texts of a place are the template's with the words replaced that are known. If words
 * of a page have several replacements, such as a longer one in the headline, a text follows from
 * the first or from the last.
 */
const followsFrom = ({ before, texts }: PlaceColumn, replacements: WordReplacement[][]): boolean =>
  before !== null &&
  texts.every((text, index) => {
    const known = replacements[index]!;
    const plain = text === undefined ? before.plain : text?.plain;
    return [known, known.toReversed()].some(
      (ordered) => replaceWords(before.plain, ordered) === plain,
    );
  });

const replaceWords = (text: string, replacements: WordReplacement[]) =>
  replacements.reduce((plain, { from, to }) => plain.replaceAll(from, to), text);

/**
 * The words that differ: `Web design in Austin.` and `Web design in Porto.` → `Austin`, `Porto`.
 * null if words are only added or removed.
 */
function replacedWords(before: string, after: string): WordReplacement | null {
  const [oldWords, newWords] = [before.split(' '), after.split(' ')];
  const most = Math.min(oldWords.length, newWords.length);
  let prefix = 0;
  while (prefix < most && oldWords[prefix] === newWords[prefix]) prefix++;
  let suffix = 0;
  while (suffix < most - prefix && oldWords.at(-1 - suffix) === newWords.at(-1 - suffix)) suffix++;
  let from = oldWords.slice(prefix, oldWords.length - suffix).join(' ');
  let to = newWords.slice(prefix, newWords.length - suffix).join(' ');
  while (from !== '' && from.at(-1) === to.at(-1) && !/[\p{L}\p{N}]/u.test(from.at(-1)!))
    [from, to] = [from.slice(0, -1), to.slice(0, -1)];
  return from === '' || to === '' ? null : { from, to };
}
