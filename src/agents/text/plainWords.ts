/** A longer text of a language model is cut to this many characters. */
const LONGEST = 2_000;

const TAG = /<[!/?a-z][^<>]*>?/gi;
const MARKS = /\*\*|`|^#{1,6} /gm;
const CONTROLS = /[^\P{Cc}\n]+/gu;
const INVISIBLE = /[\p{Cf}\p{Co}\p{Cs}]/gu;

/**
 * Cleans a language model's text for people: cuts it, and removes markup, control characters and
 * invisible characters.
 */
export function plainWords(text: string): string {
  let plain = text
    .slice(0, 2 * LONGEST)
    .replace(INVISIBLE, '')
    .replace(CONTROLS, ' ')
    .replace(MARKS, '');
  // removing a tag may join the text around it into another tag
  for (let before = ''; before !== plain;) plain = (before = plain).replace(TAG, '');
  return [...plain.trim()].slice(0, LONGEST).join('').trim();
}
