import type { DefaultTreeAdapterTypes as Tree } from 'parse5';
import { indexFrom, outermostRanges, type TextRange } from '../../../text/textRange.ts';

/**
 * Code of a generator or a program in a page: `---` front matter, `{{ … }}`, `{% … %}` or `<?php …
 * ?>`. It is not a text of the page, and is kept byte for byte.
 */
export interface TemplateCode extends TextRange {
  kind: 'front matter' | 'template tag';
  text: string;
  /** The element that it is in, or in whose tag or title it is; null outside of all elements. */
  element: Tree.Element | null;
}

const FRONT_MATTER =
  /^(?:(---|\+\+\+|;;;)[a-z]*[ \t]*\r?\n(?:[^]*?\r?\n)??(?:\1|\.{3})[ \t]*(?:\r?\n|$)|\{[ \t]*\r?\n[^]*?\r?\n\}[ \t]*\r?\n(?=\s*[<{]))/;
/** No tag begins with what begins another one, so that all are found in linear time. */
const TAG =
  /\{\{(?:(?!\{\{|<\/?[a-z!])[^])*?\}\}(?!\})|\{%(?:(?!\{%)[^])*?%\}|\{#(?:(?!\{#|<\/?[a-z!])[^])*?#\}|\{!!(?:(?!\{!!)[^])*?!!\}|<%(?:(?!<%)[^])*?%>|<\?(?:php\b|=)(?:(?!<\?(?:php\b|=))[^])*?(?:\?>|$)|\$\{[^{}<>\n]{1,200}\}|(?<![\w.@])@(?:[a-z][\w.]*|(?:else )?(?:if|for|foreach|switch|case|while|unless) )?\((?:[^()\n]|\([^()\n]*\))*\)/i;
const TAGS = new RegExp(TAG, 'gi');

/** What every tag begins with. Most texts need no other search. */
const HINT = /\{[{%#!]|<%|<\?|\$\{|@[\w. ]*\(/;

/** Whether a text has template tags in it. */
export const hasTemplateCode = (text: string): boolean => HINT.test(text) && TAG.test(text);

/** Elements whose content the parser reads as plain text. Scripts and styles are code anyway. */
const RAW = new Set('script style textarea xmp iframe noembed noframes plaintext'.split(' '));

/**
 * Parses a page whose template code may hold quotes and angle brackets. The parser sees a comment
 * in the place of code between tags, and letters in the place of code in a tag, so all positions
 * are those of the source.
 * @param parseAs parses a text of the same length. If the page has code, it is called twice, the
 *   second time with `isFinal`
 * @returns the document, and the code by the positions at which it starts
 */
export function parseAround(
  source: string,
  parseAs: (source: string, isFinal: boolean) => Tree.Document,
): { root: Tree.Document; code: Map<number, TemplateCode> } {
  const templateCodes = findCode(source);
  if (templateCodes.length === 0) return { root: parseAs(source, true), code: new Map() };
  const { tags, raw } = contextsOf(parseAs(masked(source, templateCodes, lettersFor), false));
  const own = templateCodes.filter((one) => !raw(one));
  const mask = (one: TemplateCode) => (tags(one) ? lettersFor(one) : commentFor(one));
  const root = parseAs(masked(source, own, mask), true);
  restore(root, own);
  return { root, code: new Map(own.map((one) => [one.start, one])) };
}

function findCode(source: string): TemplateCode[] {
  const front = FRONT_MATTER.exec(source)?.[0] ?? '';
  const body = source.slice(front.length);
  const tags = HINT.test(body) ? [...body.matchAll(TAGS)] : [];
  const codeAt = (kind: TemplateCode['kind'], start: number, text: string): TemplateCode => ({
    kind,
    text,
    start,
    end: start + text.length,
    element: null,
  });
  return [
    ...(front === '' ? [] : [codeAt('front matter', 0, front)]),
    ...tags.map(({ 0: text, index }) => codeAt('template tag', front.length + index, text)),
  ];
}

/** The source with other characters in the place of each piece of code. */
function masked(source: string, code: TemplateCode[], mask: (code: TemplateCode) => string) {
  let result = '';
  let from = 0;
  for (const one of code) {
    result += source.slice(from, one.start) + mask(one);
    from = one.end;
  }
  return result + source.slice(from);
}

const FIRST = '\uE000';
const filler = (text: string) => text.replace(/[^\r\n]/g, '\uE001');
const lettersFor = ({ text }: TemplateCode) => FIRST + filler(text.slice(1));
const commentFor = ({ text }: TemplateCode) =>
  text.length < 7 ? `<!${filler(text.slice(3))}>` : `<!--${filler(text.slice(7))}-->`;
const LETTERS = /\uE000[\uE001\r\n]*/g;

/** Whether code begins in one of some ranges. */
function beginsIn(ranges: TextRange[]): (code: TemplateCode) => boolean {
  const sorted = outermostRanges(ranges);
  return ({ start }) => {
    const range = sorted[indexFrom(sorted, start + 1, (one) => one.start) - 1];
    return range !== undefined && start < range.end;
  };
}

/** Makes tests for code in tags and titles, and for code where the parser sees no tags. */
function contextsOf(root: Tree.Document) {
  const tags: TextRange[] = [];
  const raw: TextRange[] = [];
  for (const node of nodesOf(root)) {
    const place = node.sourceCodeLocation;
    if (!place) continue;
    const { startOffset: start, endOffset: end } = place;
    if (node.nodeName === '#comment' || node.nodeName === '#documentType') raw.push({ start, end });
    if (!('tagName' in node) || !node.sourceCodeLocation?.startTag) continue;
    const { startTag, endTag } = node.sourceCodeLocation;
    tags.push({ start, end: startTag.endOffset });
    const content = { start: startTag.endOffset, end: endTag?.startOffset ?? end };
    if (node.tagName === 'title') tags.push(content);
    else if (RAW.has(node.tagName)) raw.push(content);
  }
  return { tags: beginsIn(tags), raw: beginsIn(raw) };
}

function* nodesOf(root: Tree.ParentNode): Generator<Tree.ChildNode> {
  const unvisitedNodes = [...root.childNodes];
  for (let node = unvisitedNodes.pop(); node; node = unvisitedNodes.pop()) {
    yield node;
    if ('childNodes' in node) unvisitedNodes.push(...node.childNodes);
    if ('content' in node) unvisitedNodes.push(...node.content.childNodes);
  }
}

/** Puts the code back into attributes and titles, and tells each piece of code its element. */
function restore(root: Tree.Document, code: TemplateCode[]) {
  const codeFrom = (position: number) => indexFrom(code, position, ({ start }) => start);
  const written = (text: string, start: number, element: Tree.Element) => {
    let next = codeFrom(start);
    return text.replace(LETTERS, (letters) => {
      const one = code[next++];
      if (one) one.element = element;
      return one?.text ?? letters;
    });
  };
  for (const node of nodesOf(root)) {
    const start = node.sourceCodeLocation?.startOffset;
    if (start === undefined) continue;
    const parent = node.parentNode && 'tagName' in node.parentNode ? node.parentNode : null;
    const one = node.nodeName === '#comment' ? code[codeFrom(start)] : undefined;
    if (one?.start === start) one.element = parent;
    if ('value' in node && parent && node.value.includes(FIRST))
      node.value = written(node.value, start, parent);
    if (!('tagName' in node)) continue;
    for (const attribute of node.attrs) {
      const at = node.sourceCodeLocation?.attrs?.[attributeName(attribute)];
      if (at && attribute.value.includes(FIRST))
        attribute.value = written(attribute.value, at.startOffset, node);
    }
  }
}

const attributeName = ({ name, prefix }: { name: string; prefix?: string }) =>
  prefix ? `${prefix}:${name}` : name;
