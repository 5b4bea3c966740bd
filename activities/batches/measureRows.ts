import { setImmediate } from 'node:timers/promises';
import type { WrittenRow } from '../../src/contract/batches/batch.ts';
import { createPageNote } from '../../src/contract/task.ts';
import type { TemplateContent } from '../../src/sites/formats/format.ts';
import { shareOfOwnWords, phrasesOf } from '../../src/text/ownShare.ts';

export interface MeasuredRow {
  number: number;
  slug: string;
  /** From 0 to 1. */
  ownShare: number;
}

/**
 * Measures the own share of each page: the share of its words that are in no phrase of the template
 * and in no phrase of the other pages in `rows`. A page that only replaces the city's name has a
 * small one. Between two pages, the function yields to other work of the process.
 *
 * For example, two pages that share most of their words with the template return
 * `[{ number: 1, slug: '/lisbon', ownShare: 0.1 }, { number: 2, slug: '/porto', ownShare: 0.12 }]`.
 * @param rows the pages to compare with each other, all of one template. `commitRows` passes one
 *   window of at most 50 rows, so pages of different windows are not compared
 */
export async function measureRows(
  { slots }: Pick<TemplateContent, 'slots'>,
  rows: WrittenRow[],
): Promise<MeasuredRow[]> {
  const prose = slots.filter(({ locked, jsonPath }) => !locked && jsonPath === undefined);
  const templatePhrases = phrasesOf(prose.map(({ text }) => text).join('\n'));
  const rowText = ({ page: { texts: ownTexts, removed = [] } }: WrittenRow) =>
    [
      ...prose.flatMap(({ id, text }) => (id in ownTexts || removed.includes(id) ? [] : [text])),
      ...Object.entries(ownTexts).flatMap(([id, text]) => (isDataSlot(slots, id) ? [] : [text])),
    ].join('\n');
  // counts each phrase once, because comparing every two pages takes quadratic time
  const pagesWith = new Map<string, number>();
  for (const row of rows) {
    for (const phrase of phrasesOf(rowText(row)))
      pagesWith.set(phrase, (pagesWith.get(phrase) ?? 0) + 1);
    await setImmediate();
  }
  const repeatedPhrases = { has: (phrase: string) => pagesWith.get(phrase)! > 1 };
  const measuredRows: MeasuredRow[] = [];
  for (const row of rows) {
    const { number, slug } = row;
    measuredRows.push({
      number,
      slug,
      ownShare: shareOfOwnWords(rowText(row), [templatePhrases, repeatedPhrases]),
    });
    await setImmediate();
  }
  return measuredRows;
}

const isDataSlot = (slots: TemplateContent['slots'], id: string) =>
  slots.some((slot) => slot.id === id && slot.jsonPath !== undefined);

export const ownShareNote = (slug: string, share: number) =>
  createPageNote(
    slug,
    'template',
    `${Math.round(share * 100)} % of the words are unique to this page. The others are also in its template or in other pages of the batch`,
  );
