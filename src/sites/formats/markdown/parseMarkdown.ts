import type { Root } from 'mdast';
import { fromMarkdown, type Options } from 'mdast-util-from-markdown';
import { directiveFromMarkdown } from 'mdast-util-directive';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { mdxFromMarkdown } from 'mdast-util-mdx';
import { directive } from 'micromark-extension-directive';
import { gfm } from 'micromark-extension-gfm';
import { mdxjs } from 'micromark-extension-mdxjs';
import { DomainError } from '../../../errors.ts';
import type { TextRange } from '../../../text/textRange.ts';
import { refuseEntryBody } from '../../dataFiles/entryBody.ts';
import { readEntryPath } from '../../dataFiles/entryPaths.ts';
import { type FrontMatter, readFrontMatter } from '../frontMatter.ts';
import { followWords, type ParsedBody } from './followWords.ts';
import { CODE_CHARACTER, findTemplateCode } from '../generatorCode.ts';

/** A page in Markdown. All offsets in it, also those of the tree, are offsets in its source. */
export interface MarkdownDocument extends ParsedBody {
  path: string;
  source: string;
  frontMatter: FrontMatter | null;
  /** Template tags and shortcodes, with what is between paired ones, in order. */
  code: TextRange[];
}

/** Pages that are nested deeper are unreadable. */
export const MAX_DEPTH = 100;

export const isMdx = (path: string) => path.endsWith('.mdx');
/** `:name` in a sentence is text: only `::name` and `:::name` in a line of their own are syntax. */
const blockDirectives = { flow: directive().flow! };

/** Addresses in texts are links if they are written so, not if entities only read like one. */
const gfmNodes = gfmFromMarkdown().map((extension) => ({ ...extension, transforms: [] }));

const markdownOptions: Options = {
  extensions: [gfm(), blockDirectives],
  mdastExtensions: [gfmNodes, directiveFromMarkdown()],
};
const mdxOptions: Options = {
  extensions: [gfm(), blockDirectives, mdxjs({ addResult: false })],
  mdastExtensions: [gfmNodes, directiveFromMarkdown(), mdxFromMarkdown()],
};

/**
 * Parses a page in Markdown or MDX.
 * @param similar a page of the same kind that may differ only in words: see `followWords`
 * @throws DomainError PAGE_UNREADABLE with line and column, for front matter or JSX that does not
 *   parse; LIMIT_EXCEEDED for front matter with too many values
 */
export function parseMarkdown(
  path: string,
  source: string,
  similar?: ParsedBody,
): MarkdownDocument {
  const frontMatter = readFrontMatter(source);
  const bodyStart = frontMatter?.end ?? (source.startsWith('\uFEFF') ? 1 : 0);
  if (readEntryPath(path)) refuseEntryBody(source, bodyStart);
  const code = isMdx(path) ? [] : findTemplateCode(source, bodyStart);
  const masked = maskSource(source, bodyStart, code);
  const tree = (similar && followWords(similar, masked)) ?? parseBody(path, masked);
  return { path, source, frontMatter, tree, masked, code };
}

/** A line that begins with more quotes and lists than a page may have. The parser is slow there. */
const deepLine = new RegExp(
  `^(?:[ \\t]*(?:>|[-+*](?=[ \\t])|\\d{1,9}[.)](?=[ \\t]))){${MAX_DEPTH}}`,
  'm',
);

/** The most `*`, `_` and `~` without an empty line between. The parser compares them in pairs. */
const MAX_MARKS = 2_000;

/** The most comments and declarations of HTML in this way. Each looks for its end in the block. */
const MAX_DECLARATIONS = 200;

function checkMarks(body: string): void {
  const counts = { marks: 0, declarations: 0 };
  for (const [match] of body.matchAll(/\n[ \t]*\r?(?=\n)|\*+|_+|~+|<[!?]/g)) {
    if (match.startsWith('\n')) counts.marks = counts.declarations = 0;
    else counts[match.startsWith('<') ? 'declarations' : 'marks']++;
    if (counts.marks > MAX_MARKS) throw tooManyError(MAX_MARKS, '* _ ~');
    if (counts.declarations > MAX_DECLARATIONS) throw tooManyError(MAX_DECLARATIONS, '<! <?');
  }
}

const tooManyError = (limit: number, signs: string) =>
  new DomainError(
    'LIMIT_EXCEEDED',
    `The page has more than ${limit} of the signs ${signs} without an empty line between them`,
  );

/** The most `//` in a line of MDX. In an expression, each may be a comment up to the line's end. */
const MAX_COMMENTS = 500;

function checkComments(body: string): void {
  if (body.split('\n').some((line) => line.split('//').length > MAX_COMMENTS))
    throw new DomainError('LIMIT_EXCEEDED', `A line has more than ${MAX_COMMENTS} of the signs //`);
}

function parseBody(path: string, body: string): Root {
  if (deepLine.test(body)) throw tooDeepError();
  checkMarks(body);
  if (isMdx(path)) checkComments(body);
  try {
    return fromMarkdown(body, isMdx(path) ? mdxOptions : markdownOptions);
  } catch (error) {
    if (error instanceof RangeError) throw tooDeepError();
    const { line, column, reason } = error as { line?: number; column?: number; reason?: string };
    // an element that is open at the end of the page has its position only in the message
    const [, openLine, openColumn] = /\((\d+):(\d+)-/.exec(reason ?? '') ?? [];
    if (reason === undefined || (line ?? openLine) === undefined) throw error;
    throw new DomainError(
      'PAGE_UNREADABLE',
      `Line ${line ?? openLine}, column ${column ?? openColumn}: this is not valid MDX (${reason})`,
    );
  }
}

/**
 * The body at its offsets in the source: front matter becomes blank lines, a byte-order mark a
 * space, and template code one character that means nothing in Markdown.
 */
function maskSource(source: string, bodyStart: number, code: TextRange[]): string {
  const parts = [source.slice(0, bodyStart).replace(/[^\r\n]/g, ' ')];
  let end = bodyStart;
  for (const range of code) {
    parts.push(source.slice(end, range.start), CODE_CHARACTER.repeat(range.end - range.start));
    end = range.end;
  }
  return parts.join('') + source.slice(end);
}

export const tooDeepError = () =>
  new DomainError('LIMIT_EXCEEDED', `The page is nested deeper than ${MAX_DEPTH} levels`);
