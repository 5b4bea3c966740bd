/** The most characters that are looked at. Those of a longer text would say nothing more. */
const MOST = 3_000;

const isLetter = (sign: string) => /\p{L}/u.test(sign);
const isLower = (sign: string) => /\p{Ll}/u.test(sign);
const isUpper = (sign: string) => /\p{Lu}/u.test(sign);
const isLatin = (sign: string) => /\p{Script=Latin}/u.test(sign);
const isAscii = (sign: string) => sign < '\u0080';

/** A character outside ASCII, with its neighbours; '' for those beyond the ends of the text. */
interface Place {
  sign: string;
  earlier: string;
  before: string;
  after: string;
}

/**
 * How well a text reads that was decoded with one of several encodings: the mean value of its
 * characters outside ASCII. 1 stands for a letter of the encoding's languages at a usual place, -3
 * for no character at all. 0 if there are no such characters.
 * @param usual letters of the encoding's languages, in lower case, or their script
 */
export function plausibility(text: string, usual: string | RegExp): number {
  let sum = 0;
  let seen = 0;
  for (const { 0: sign, index } of text.matchAll(/[^\0-\u007f]/gu)) {
    const after = text.charAt(index + sign.length);
    const place = { sign, earlier: text.charAt(index - 2), before: text.charAt(index - 1), after };
    sum += worth(place, usual);
    if (++seen === MOST) break;
  }
  return seen === 0 ? 0 : sum / seen;
}

function worth(place: Place, usual: string | RegExp): number {
  if (/[\p{Cc}\p{Cn}\p{Co}\ufffd]/u.test(place.sign)) return -3;
  return isLetter(place.sign) ? worthOfLetter(place, usual) : worthOfMark(place);
}

function worthOfLetter({ sign, earlier, before, after }: Place, usual: string | RegExp): number {
  if (isUpper(sign) && isLower(before)) return -2;
  const isMixed = [before, after].some(
    (other) => isLetter(other) && isLatin(other) !== isLatin(sign),
  );
  if (isMixed) return -2;
  const isRun =
    isLatin(sign) && [before, earlier].every((other) => isLetter(other) && !isAscii(other));
  if (isRun) return -1.5;
  if (/[\uff61-\uff9f]/.test(sign)) return -0.3;
  if (/\d/.test(before) || /\d/.test(after)) return -0.5;
  const isAlone = !isLetter(before) && !isLetter(after);
  if (typeof usual !== 'string') return usual.test(sign) && !isAlone ? 1 : -0.5;
  if (isAlone) return isUpper(sign) ? 0.3 : 0.7;
  if (usual.includes(sign.toLowerCase()))
    return !usual.includes('ø') || isInPlace(sign, after) ? 1 : 0.3;
  return /[þðý]/i.test(sign) ? 0.5 : 0;
}

/**
 * Whether a letter stands where its language has it. Italian and French have ì, ò and ù at the end
 * of words, Spanish has ñ before vowels, Portuguese has õ before e.
 */
function isInPlace(sign: string, after: string): boolean {
  if (/[ìòù]/.test(sign)) return !isLetter(after);
  if (sign === 'ñ') return /[aeiouáéíóú]/.test(after);
  return sign !== 'õ' || after === 'e';
}

/**
 * Characters outside ASCII that are common in texts: quotes, dashes, currencies, measures, Chinese
 * and Japanese punctuation.
 */
const common = /[‘’‚“”„‹›«»–—…€£¥°§©®™·•½¼¾²³¿¡\u00a0\u3000-\u303f\uff01-\uff60]/u;

function worthOfMark({ sign, before, after }: Place): number {
  if (!common.test(sign) && !/\p{M}/u.test(sign)) return -1;
  if (/\p{M}/u.test(sign)) return isLetter(before) || /\p{M}/u.test(before) ? 0.8 : -1;
  if (!isAscii(before) && before !== '' && !isLetter(before)) return -0.5;
  if (/[«»‹›“”„‘’¿¡]/.test(sign) && isLetter(before) !== isLetter(after)) return 1;
  if (/[’‘·–]/.test(sign)) return 0.8;
  if (isLetter(before) && isLetter(after) && isLatin(before)) return -1.5;
  if (/[£¥]/.test(sign) && isLetter(after)) return -1;
  if (/[¿¡°„]/.test(sign) && isLetter(before)) return -1;
  return 0.6;
}
