import type { ContextValue } from '../../shared/context/contextValues.ts';
import { foldWords } from '../../shared/text/foldText.ts';
import { findInventions, createKnownContent, isGermanText } from './findInventions.ts';
import { removeWriterInstructions } from '../../shared/context/writerInstructions.ts';
import { textSlot } from '../../shared/facts/findFacts.ts';

/** Keys whose values are instructions for the writer, not content for the page. */
const WRITER_KEY =
  /^(?:tone|voice|style|audience|target audience|goal|instructions?|notes?|brief|length|keywords?|seo keywords?|language|lang|locale|sprache|ton|stil|zielgruppe|hinweise?)$/;

const nothingKnown = createKnownContent([]);
const MIN_SENTENCE_WORDS = 5;
const STEM_LENGTH = 5;

/**
 * Selects the values of a context that a model's page really lacks. A copywriter rephrases
 * sentences, so only a sentence's facts, numbers and names count. A value of a few words is used if
 * the page has all of its words.
 * @param contextValues values that do not appear literally
 * @param texts all texts of the page
 * @param options.isTranslated whether the page is in another language than its template
 */
export function selectUnusedByModel(
  contextValues: ContextValue[],
  texts: readonly string[],
  { isTranslated }: { isTranslated: boolean },
): ContextValue[] {
  const knownContent = createKnownContent(texts);
  const stems = new Set([...knownContent.words].map((word) => word.slice(0, STEM_LENGTH)));
  const isGerman = isGermanText(contextValues.map(({ text }) => text));
  return contextValues.flatMap(({ owner, text: value }) => {
    const text = removeWriterInstructions(value);
    if (WRITER_KEY.test(foldWords(owner)) || text === '') return [];
    const words = foldWords(text).split(' ');
    const missingValues = findInventions(textSlot(`… ${text}`), `… ${text}`, knownContent, {
      isGerman,
    });
    const isWordy = words.length >= MIN_SENTENCE_WORDS || isTranslated;
    if (missingValues.length > 0)
      return [{ owner, text: isWordy ? missingValues.join(', ') : text }];
    const hasFacts =
      findInventions(textSlot(`… ${text}`), `… ${text}`, nothingKnown, { isGerman }).length > 0;
    const isStated =
      isWordy ||
      hasFacts ||
      words.every((word) => word.length < STEM_LENGTH || stems.has(word.slice(0, STEM_LENGTH)));
    return isStated ? [] : [{ owner, text }];
  });
}
