import { findWords, type TextSpan } from '../text/textSpans.ts';

const BEGINNING =
  /(?<![\p{L}])(?:since|seit|depuis|desde|dal|sinds|moved|incorporated|built|settled|started|began|begun|founded|opened|born|established|launched|gegründet|eröffnet|begann|begonnen|angefangen|fondée?s?|ouverte?s?|commencé|créée?s?|fundad[ao]s?|empezamos|empezó|abrimos|nació|nacimos|começámos|começou|nasceu|fondat[aoi]|nat[aoi]|iniziato|opgericht|begonnen)(?![\p{L}])/iu;
const YEAR = /(?<!\d)(?:1[5-9]|20)\d{2}(?!\d)/;
/** Words right before a place: `in Austin`. */
const PLACED = /(?<![\p{L}])(?:in|at|from|aus|à|au|en|a|em|te)\s$/iu;
const LONGEST_WORD = 6;

/** The sentences of a text that tell what began in a place: `We started in Austin in 1998`. */
export function historyIn(text: string, place: string): TextSpan[] {
  if (!YEAR.test(text) || !BEGINNING.test(text)) return [];
  let to = 0;
  const sentences = text.split(/(?<=[.!?\n])/).map((sentence) => {
    const from = to;
    to += sentence.length;
    return { from, to, sentence };
  });
  return sentences.filter(({ sentence }) => {
    const isPlaced = ({ from }: TextSpan) =>
      PLACED.test(sentence.slice(Math.max(0, from - LONGEST_WORD), from));
    return (
      YEAR.test(sentence) && BEGINNING.test(sentence) && findWords(sentence, place).some(isPlaced)
    );
  });
}
