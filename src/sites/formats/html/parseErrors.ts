import type { ParserError } from 'parse5';

/** Place of an error that the parser reports. */
export interface ParseFault {
  /** Line number, from 1. */
  line: number;
  element: string;
}

/**
 * Collects the errors that the parser reports.
 * @param source the page's source, to name the tag at an error
 * @returns `errors`: the first error of each code and tag; `take`: the parser's error callback
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

/** The tag at a position, else the last tag before it, else `text`. */
function tagAt(source: string, offset: number): string {
  const start = source.slice(Math.max(0, offset - 200), offset + 1).lastIndexOf('<');
  const tagStart = Math.max(0, offset - 200) + start;
  const [tag] =
    start < 0
      ? []
      : (/^<\/?[a-z][a-z0-9-]{0,30}/i.exec(source.slice(tagStart, tagStart + 33)) ?? []);
  return tag ? `${tag.toLowerCase()}>` : 'text';
}
