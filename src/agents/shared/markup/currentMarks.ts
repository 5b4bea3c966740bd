import type { TextRange } from '../../../text/textRange.ts';

const ARIA_CURRENT = /\saria-current\s*=\s*(["'])[^"'<>]*\1/gi;
const CLASS_ATTRIBUTE = /\sclass\s*=\s*(["'])([^"'<>]*)\1/gi;
const MARK_WORD = /(?<![^\s])(?:is-)?(?:active|current|selected)(?![^\s])/g;

/**
 * Finds what marks a link as the one to the current page: `aria-current`, and classes such as
 * `active`.
 */
export function findCurrentMarks(markup: string): TextRange[] {
  const ranges = [...markup.matchAll(ARIA_CURRENT)].map(createMatchRange);
  for (const match of markup.matchAll(CLASS_ATTRIBUTE)) {
    const value = match[2]!;
    const marks = [...value.matchAll(MARK_WORD)];
    if (marks.length === 0) continue;
    if (value.replace(MARK_WORD, '').trim() === '') {
      ranges.push(createMatchRange(match));
      continue;
    }
    const start = match.index + match[0].length - 1 - value.length;
    for (const mark of marks) ranges.push(includeAdjacentSpace(value, mark, start));
  }
  return ranges;
}

const createMatchRange = ({ 0: text, index }: RegExpExecArray): TextRange => ({
  start: index,
  end: index + text.length,
});

/** The range of a class name with the white space before it, or else with that behind it. */
function includeAdjacentSpace(
  value: string,
  { 0: word, index }: RegExpExecArray,
  start: number,
): TextRange {
  const textBefore = value.slice(0, index);
  const leadingSpaces = textBefore.length - textBefore.trimEnd().length;
  const end = index + word.length;
  const trailingSpaces =
    leadingSpaces > 0 ? 0 : value.slice(end).length - value.slice(end).trimStart().length;
  return { start: start + index - leadingSpaces, end: start + end + trailingSpaces };
}

export const hasCurrentMark = (markup: string): boolean => findCurrentMarks(markup).length > 0;

const TAG_PATTERN = /<[a-z][^<>]*>/gi;

/**
 * Adapts markup from another page to a page: a tag that the page has exactly once, with such a mark
 * or without it, is written as the page has it.
 * @param ownMarkup the page's own markup
 * @param markup the markup from the other page
 * @param createTagKey returns the same key for a tag with a mark and without it
 */
export function copyMarks(
  ownMarkup: string,
  markup: string,
  createTagKey: (tag: string) => string,
): string {
  const tagsByKey = Map.groupBy(ownMarkup.match(TAG_PATTERN) ?? [], createTagKey);
  return markup.replace(TAG_PATTERN, (tag) => {
    const [firstTag = tag, ...otherTags] = tagsByKey.get(createTagKey(tag)) ?? [];
    return otherTags.length === 0 ? firstTag : tag;
  });
}
