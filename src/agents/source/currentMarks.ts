import type { Range } from '../../text/range.ts';

const ARIA_CURRENT = /\saria-current\s*=\s*(["'])[^"'<>]*\1/gi;
const CLASS = /\sclass\s*=\s*(["'])([^"'<>]*)\1/gi;
const MARK = /(?<![^\s])(?:is-)?(?:active|current|selected)(?![^\s])/g;

/** What marks the link to the current page. */
export function currentMarks(markup: string): Range[] {
  const found = [...markup.matchAll(ARIA_CURRENT)].map(rangeOfMatch);
  for (const match of markup.matchAll(CLASS)) {
    const value = match[2]!;
    const marks = [...value.matchAll(MARK)];
    if (marks.length === 0) continue;
    if (value.replace(MARK, '').trim() === '') {
      found.push(rangeOfMatch(match));
      continue;
    }
    const start = match.index + match[0].length - 1 - value.length;
    for (const mark of marks) found.push(withSpace(value, mark, start));
  }
  return found;
}

const rangeOfMatch = ({ 0: text, index }: RegExpExecArray): Range => ({
  start: index,
  end: index + text.length,
});

/** A word with the white space before it, else with that behind it. */
function withSpace(value: string, { 0: word, index }: RegExpExecArray, start: number): Range {
  const before = value.slice(0, index);
  const lead = before.length - before.trimEnd().length;
  const end = index + word.length;
  const trail = lead > 0 ? 0 : value.slice(end).length - value.slice(end).trimStart().length;
  return { start: start + index - lead, end: start + end + trail };
}

export const hasCurrentMark = (markup: string): boolean => currentMarks(markup).length > 0;

const TAG = /<[a-z][^<>]*>/gi;

/**
 * Markup for a page: a tag that the page has once, with a mark or without, is as the page has it.
 * @param own the page's own markup
 * @param sameOf what a tag and the same one with a mark have in common
 */
export function withMarks(own: string, markup: string, sameOf: (tag: string) => string): string {
  const tags = Map.groupBy(own.match(TAG) ?? [], sameOf);
  return markup.replace(TAG, (tag) => {
    const [found = tag, ...others] = tags.get(sameOf(tag)) ?? [];
    return others.length === 0 ? found : tag;
  });
}
