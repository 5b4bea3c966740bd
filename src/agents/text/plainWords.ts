/** Characters that are kept of a model's words for people. */
const LONGEST = 2_000;

const TAG = /<[!/?a-z][^<>]*>?/gi;
const MARKS = /\*\*|`|^#{1,6} /gm;
const CONTROLS = /[^\P{Cc}\n]+/gu;
const INVISIBLE = /[\p{Cf}\p{Co}\p{Cs}]/gu;

/** A language model's words for people, cut, without markup, control and invisible characters. */
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
