import { reviewLimits } from '../../../contract/reviews/pageReviews.ts';
import type { TextSlot } from '../../formats/pageParts.ts';
import { type ComparedText, type DifferingTexts, pairPageTexts } from './diffPageTexts.ts';
import { plainLine } from './slotText.ts';

/** The texts of a page that differ from its template. */
export interface TemplateDifferences {
  /** `place`: the slot of the template's text, or `+1`, `+2` … for texts that it lacks. */
  texts: (DifferingTexts & { place: string })[];
  /** The share of the page's words that are in these texts: 0 to 1. */
  ownShare: number;
}

/** Characters of a text that are compared with those of other pages. */
const LONGEST_TEXT = 2_000;

/** Compares a page with its template. */
export function compareWithTemplate(
  templateSlots: TextSlot[],
  slots: TextSlot[],
): TemplateDifferences {
  const pairs = pairPageTexts(templateSlots, slots);
  const ownWords = countWords(pairs.map(({ after }) => after?.plain ?? ''));
  const allWords = countWords(slots.map(({ text }) => plainLine(text)));
  let addedTexts = 0;
  return {
    ownShare: allWords === 0 ? 0 : Math.min(1, ownWords / allWords),
    texts: pairs.slice(0, reviewLimits.textsPerPage).map(({ before, after }) => ({
      place: before?.id ?? `+${++addedTexts}`,
      before: before && cutText(before),
      after: after && cutText(after),
    })),
  };
}

const countWords = (texts: string[]) =>
  texts.reduce((sum, text) => sum + text.split(' ').filter(Boolean).length, 0);

const cutText = (text: ComparedText): ComparedText => ({
  ...text,
  plain: text.plain.slice(0, LONGEST_TEXT),
});
