import type { WrittenRow } from '../../src/contract/batch.ts';
import { noteOn } from '../../src/contract/task.ts';
import type { TemplateContent } from '../../src/sites/formats/format.ts';
import { ownShare, phrasesOf } from '../../src/text/ownShare.ts';

export interface Measured {
  number: number;
  ownShare: number;
}

/**
 * How much of each page is its own: words that stand neither in a phrase of the template nor in one
 * of the other pages.
 * @param rows pages of one template
 */
export function measureRows(
  { slots }: Pick<TemplateContent, 'slots'>,
  rows: WrittenRow[],
): Measured[] {
  const prose = slots.filter(({ locked, jsonPath }) => !locked && jsonPath === undefined);
  const template = phrasesOf(prose.map(({ text }) => text).join('\n'));
  const texts = rows.map(({ page: { texts: own, removed = [] } }) =>
    [
      ...prose.flatMap(({ id, text }) => (id in own || removed.includes(id) ? [] : [text])),
      ...Object.entries(own).flatMap(([id, text]) => (isData(slots, id) ? [] : [text])),
    ].join('\n'),
  );
  const phrases = texts.map(phrasesOf);
  return rows.map(({ number }, i) => {
    const others = [template, ...phrases.filter((_, other) => other !== i)];
    return { number, ownShare: ownShare(texts[i]!, others) };
  });
}

const isData = (slots: TemplateContent['slots'], id: string) =>
  slots.some((slot) => slot.id === id && slot.jsonPath !== undefined);

export const shareNote = (slug: string, share: number) =>
  noteOn(
    slug,
    'own-share',
    `${Math.round(share * 100)} % of its words are its own, the others are in its template or in other pages of the batch`,
  );
