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

/** Markup whose tags that the page has too, but with a mark, are as the page has them. */
export function withMarks(own: string, markup: string, sameOf: (tag: string) => string): string {
  const marked = new Map(
    (own.match(TAG) ?? []).filter(hasCurrentMark).map((tag) => [sameOf(tag), tag]),
  );
  return markup.replace(TAG, (tag) => marked.get(sameOf(tag)) ?? tag);
}
