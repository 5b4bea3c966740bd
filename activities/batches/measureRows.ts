import { setImmediate } from 'node:timers/promises';
import type { WrittenRow } from '../../src/contract/batches/batch.ts';
import { createPageNote } from '../../src/contract/task.ts';
import type { TemplateContent } from '../../src/sites/formats/format.ts';
import { shareOfOwnWords, phrasesOf } from '../../src/text/ownShare.ts';

export interface MeasuredRow {
  number: number;
  slug: string;
  ownShare: number;
}

/**
 * How much of each page is its own: words that stand neither in a phrase of the template nor in one
 * of the other pages. Between pages, it lets the event loop turn.
 * @param rows pages of one template
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
  // counted once, and not compared page by page: that takes the square of their number
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
