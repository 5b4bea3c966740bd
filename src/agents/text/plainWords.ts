/** Characters of what a model says to people that are kept. */
const LONGEST = 2_000;

const TAG = /<[!/?a-z][^<>]*>?/gi;
const MARKS = /\*\*|`|^#{1,6} /gm;
const CONTROLS = /[^\P{Cc}\n]+/gu;
const INVISIBLE = /[\p{Cf}\p{Co}\p{Cs}]/gu;

/**
 * What a language model says to people, as plain text: without markup, control and invisible
 * characters, and cut.
 */
export function plainWords(text: string): string {
  let plain = text
    .slice(0, 2 * LONGEST)
    .replace(INVISIBLE, '')
    .replace(CONTROLS, ' ')
    .replace(MARKS, '');
  // what is around a tag may be one, once that is gone
  for (let before = ''; before !== plain;) plain = (before = plain).replace(TAG, '');
  return [...plain.trim()].slice(0, LONGEST).join('').trim();
}
