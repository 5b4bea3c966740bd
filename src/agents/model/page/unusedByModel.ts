import type { Leaf } from '../../context/contextLeaves.ts';
import { foldWords } from '../../text/fold.ts';
import { inventedIn, knownFrom, readsGerman } from './invented.ts';
import { withoutOrders } from '../../context/writerOrders.ts';
import { textSlot } from '../../facts/findFacts.ts';

/** Keys whose values are instructions for the writer, not content for the page. */
const FOR_WRITERS =
  /^(?:tone|voice|style|audience|target audience|goal|instructions?|notes?|brief|length|keywords?|seo keywords?|language|lang|locale|sprache|ton|stil|zielgruppe|hinweise?)$/;

const nothing = knownFrom([]);
const WORDY = 5;
const STEM = 5;

/**
 * Values of a context that a model's page lacks. A copywriter rephrases sentences, so only a
 * sentence's facts, numbers and names count. A value of a few words is used if the page has all of
 * its words.
 * @param leaves values that do not appear literally
 * @param texts all texts of the page
 */
export function unusedByModel(
  leaves: Leaf[],
  texts: readonly string[],
  { isTranslated }: { isTranslated: boolean },
): Leaf[] {
  const known = knownFrom(texts);
  const stems = new Set([...known.words].map((word) => word.slice(0, STEM)));
  const isGerman = readsGerman(leaves.map(({ text }) => text));
  return leaves.flatMap(({ owner, text: whole }) => {
    const text = withoutOrders(whole);
    if (FOR_WRITERS.test(foldWords(owner)) || text === '') return [];
    const words = foldWords(text).split(' ');
    const missing = inventedIn(textSlot(`… ${text}`), `… ${text}`, known, { isGerman });
    const isWordy = words.length >= WORDY || isTranslated;
    if (missing.length > 0) return [{ owner, text: isWordy ? missing.join(', ') : text }];
    const hasFacts =
      inventedIn(textSlot(`… ${text}`), `… ${text}`, nothing, { isGerman }).length > 0;
    const isSaid =
      isWordy ||
      hasFacts ||
      words.every((word) => word.length < STEM || stems.has(word.slice(0, STEM)));
    return isSaid ? [] : [{ owner, text }];
  });
}
