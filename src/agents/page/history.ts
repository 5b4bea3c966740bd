import { findWords, spansOf, type Span } from '../text/spans.ts';

const BEGINNING =
  /(?<![\p{L}])(?:started|began|begun|founded|opened|born|established|launched|gegründet|eröffnet|begann|begonnen|angefangen|fondée?s?|ouverte?s?|commencé|créée?s?|fundad[ao]s?|empezamos|empezó|abrimos|nació|nacimos|começámos|começou|nasceu|fondat[aoi]|nat[aoi]|iniziato|opgericht|begonnen)(?![\p{L}])/iu;
const YEAR = /(?<!\d)(?:1[5-9]|20)\d{2}(?!\d)/;
/** Words between which a place stands: `in Austin`. */
const PLACED = /(?<![\p{L}])(?:in|at|from|aus|à|au|en|a|em|te)\s$/iu;
const LONGEST_WORD = 6;
const SENTENCE = /[^.!?\n]+[.!?]*/g;

/** The sentences of a text that tell what began in a place: `We started in Austin in 1998`. */
export function historyIn(text: string, place: string): Span[] {
  if (!YEAR.test(text) || !BEGINNING.test(text)) return [];
  return spansOf(text, SENTENCE).filter(({ from, to }) => {
    const sentence = text.slice(from, to);
    const isPlaced = (span: Span) =>
      PLACED.test(sentence.slice(Math.max(0, span.from - LONGEST_WORD), span.from));
    return (
      YEAR.test(sentence) && BEGINNING.test(sentence) && findWords(sentence, place).some(isPlaced)
    );
  });
}
