import type { ParserError } from 'parse5';

/** What the parser reports, and where. */
export interface ParseFault {
  /** Counted from 1. */
  line: number;
  element: string;
}

/**
 * Collects the errors that the parser reports.
 * @returns the errors by code and tag, of several with the same key the first; and a listener that
 *   takes the next one
 */
export function createParseErrors(source: string) {
  const errors = new Map<string, ParseFault>();
  const take = ({ code, startOffset, startLine: line }: ParserError) => {
    const element = tagAt(source, startOffset);
    const key = `${code} at ${element}`;
    if (!errors.has(key)) errors.set(key, { line, element });
  };
  return { errors, take };
}

/** The tag that a position is in, or that stands before it. */
function tagAt(source: string, offset: number): string {
  const start = source.slice(Math.max(0, offset - 200), offset + 1).lastIndexOf('<');
  const at = Math.max(0, offset - 200) + start;
  const [tag] =
    start < 0 ? [] : (/^<\/?[a-z][a-z0-9-]{0,30}/i.exec(source.slice(at, at + 33)) ?? []);
  return tag ? `${tag.toLowerCase()}>` : 'text';
}
