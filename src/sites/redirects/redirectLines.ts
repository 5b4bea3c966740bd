import type { PlannedRule } from './planRedirects.ts';

/** The longest line that is read. Cloudflare Pages allows 1,000 characters for a URL. */
const MAX_LINE_LENGTH = 2_000;

/**
 * A rule of a `_redirects` file (docs.netlify.com, "Redirects and rewrites";
 * developers.cloudflare.com/pages, "Redirects").
 */
export interface RedirectLine extends PlannedRule {
  /** Where `to` begins in the line. */
  toAt: number;
}

/** Reads a line such as `/old /new 301!`. null for an empty line, a comment, or an invalid rule. */
export function readRedirectLine(line: string): RedirectLine | null {
  if (line.length > MAX_LINE_LENGTH) return null;
  const words = [...line.replace(/^\uFEFF/, ' ').matchAll(/\S+/g)];
  const commentIndex = words.findIndex(([word]) => word.startsWith('#'));
  const [from, ...otherWords] = commentIndex === -1 ? words : words.slice(0, commentIndex);
  const targetIndex = otherWords.findIndex(([word]) => /^(?:\/|https?:\/\/)/i.test(word));
  const to = otherWords[targetIndex];
  if (!from || !to || !/^(?:\/|https?:\/\/)/i.test(from[0])) return null;
  const [status = '301', ...conditions] = otherWords.slice(targetIndex + 1).map(([word]) => word);
  const [, code, force] = /^(\d{3})(!?)$/.exec(status) ?? [];
  const isCode = code !== undefined;
  return {
    from: from[0],
    to: to[0],
    status: isCode ? Number(code) : 301,
    isForced: force === '!',
    isPlain: targetIndex === 0 && conditions.length === 0 && isCode,
    toAt: to.index,
  };
}
