/** A longer text of a language model is cut to this many characters. */
const MAX_TEXT_LENGTH = 2_000;

const TAG_PATTERN = /<[!/?a-z][^<>]*>?/gi;
const MARKDOWN_MARKS = /\*\*|`|^#{1,6} /gm;
const CONTROL_CHARACTERS = /[^\P{Cc}\n]+/gu;
const INVISIBLE_CHARACTERS = /[\p{Cf}\p{Co}\p{Cs}]/gu;

/**
 * Cleans a language model's text for people: cuts it, and removes markup, control characters and
 * invisible characters.
 */
export function cleanModelText(text: string): string {
  let cleanText = text
    .slice(0, 2 * MAX_TEXT_LENGTH)
    .replace(INVISIBLE_CHARACTERS, '')
    .replace(CONTROL_CHARACTERS, ' ')
    .replace(MARKDOWN_MARKS, '');
  // removing a tag may join the text around it into another tag
  for (let previousText = ''; previousText !== cleanText;)
    cleanText = (previousText = cleanText).replace(TAG_PATTERN, '');
  return [...cleanText.trim()].slice(0, MAX_TEXT_LENGTH).join('').trim();
}
