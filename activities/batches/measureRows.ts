import { setImmediate } from 'node:timers/promises';
import type { WrittenRow } from '../../src/contract/batch.ts';
import { noteOn } from '../../src/contract/task.ts';
import type { TemplateContent } from '../../src/sites/formats/format.ts';
import { ownShare, phrasesOf } from '../../src/text/ownShare.ts';

export interface Measured {
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
): Promise<Measured[]> {
  const prose = slots.filter(({ locked, jsonPath }) => !locked && jsonPath === undefined);
  const template = phrasesOf(prose.map(({ text }) => text).join('\n'));
  const textOf = ({ page: { texts: own, removed = [] } }: WrittenRow) =>
    [
      ...prose.flatMap(({ id, text }) => (id in own || removed.includes(id) ? [] : [text])),
      ...Object.entries(own).flatMap(([id, text]) => (isData(slots, id) ? [] : [text])),
    ].join('\n');
  // counted once, and not compared page by page: that takes the square of their number
  const pagesWith = new Map<string, number>();
  for (const row of rows) {
    for (const phrase of phrasesOf(textOf(row)))
      pagesWith.set(phrase, (pagesWith.get(phrase) ?? 0) + 1);
    await setImmediate();
  }
  const others = { has: (phrase: string) => pagesWith.get(phrase)! > 1 };
  const measured: Measured[] = [];
  for (const row of rows) {
    const { number, slug } = row;
    measured.push({ number, slug, ownShare: ownShare(textOf(row), [template, others]) });
    await setImmediate();
  }
  return measured;
}

const isData = (slots: TemplateContent['slots'], id: string) =>
  slots.some((slot) => slot.id === id && slot.jsonPath !== undefined);

export const shareNote = (slug: string, share: number) =>
  noteOn(
    slug,
    'template',
    `${Math.round(share * 100)} % of its words are its own, the others are in its template or in other pages of the batch`,
  );
