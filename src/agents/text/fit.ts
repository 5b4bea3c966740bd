import { withoutEnd } from '../../contract/text.ts';
import { DomainError } from '../../errors.ts';
import { alignWords, wordsOf, type Alignment } from './align.ts';
import { formatMarks, parseMarks, plainOf, type Node, type Part } from './marks.ts';
import { findWords, overlaps, reachOf, type Span } from './words.ts';

/** A text's parts are looked for one by one: no honest text has so many, and is so long. */
const MOST_WORK = 20_000_000;

/** A text before and after, without marks. */
interface Texts {
  old: string;
  plain: string;
}

interface Placed extends Span {
  part: Part;
  /** The part's new content; null: whatever the new text has there. */
  content: Node[] | null;
}

/**
 * Fits a new plain text into a slot's marked text: every part once, properly nested. A part goes to
 * where its own words recur in the new text, else to the words that took the place of its own; a
 * link without such words keeps its text after the sentence.
 * @param marked the slot's present text
 * @param tags the slot's `parts`: element names by part number - 1
 * @param plain the new text, without marks
 */
export function fitText(marked: string, tags: string[], plain: string): string {
  const nodes = parseMarks(marked) ?? [];
  return formatMarks(
    fit(nodes, plain, (part) => ['a', 'button'].includes(tags[part.number - 1] ?? '')),
  );
}

/**
 * Fits a name, and on a second line what is said of it, into a text that has the name in a part of
 * its own or before a line break. What the text has between the two stays: a comma, a dash, or only
 * the break.
 * @returns null for another text
 */
export function fitByline(marked: string, plain: string): string | null {
  const [name = '', about] = plain.split('\n');
  const nodes = parseMarks(marked) ?? [];
  const [first, second, ...others] = nodes;
  if (about === undefined || first === undefined) return null;
  const isNamed =
    typeof first !== 'string' &&
    !first.isVoid &&
    first.children.every((child) => typeof child === 'string');
  if (isNamed && typeof second === 'string' && others.length === 0)
    return formatMarks([{ ...first, children: [name] }, /^[\s,;|·–—-]*/u.exec(second)![0], about]);
  const isBroken = typeof first === 'string' && typeof second === 'object' && second.isVoid;
  return isBroken && others.length === 1
    ? formatMarks([name, second, withText(others[0]!, about)])
    : null;
}

/** A run of text, or a part that has only one. */
const withText = (node: Node, text: string): Node =>
  typeof node === 'string' ? text : { ...node, children: [text] };

function fit(nodes: Node[], plain: string, isLink: (part: Part) => boolean): Node[] {
  const parts = nodes.filter((node) => typeof node !== 'string');
  if (parts.length === 0) return plain === '' ? [] : [plain];
  const words = plainOf(nodes);
  if (parts.length * (words.length + plain.length) > MOST_WORK)
    throw new DomainError(
      'LIMIT_EXCEEDED',
      `A text with ${parts.length} links and marks is too long to be fitted anew`,
    );
  const align = alignWords(words, plain);
  const placed: Placed[] = [];
  const homeless: Part[] = [];
  const old = locate(nodes);
  const byLength = old
    .filter(({ part }) => hasWords(part))
    .sort((a, b) => b.to - b.from - (a.to - a.from));
  for (const home of byLength) {
    const span =
      recurrence(home, words, plain, placed) ??
      successor(home, align(home), { old: words, plain }, placed, isLink);
    if (span) placed.push({ part: home.part, ...span, content: null });
    else homeless.push(home.part);
  }
  for (const home of old.filter(({ part }) => !hasWords(part)))
    placed.push(gapFor(home, align(home), { old: words, plain }, placed));
  return compose(plain, placed, homeless, isLink);
}

const hasWords = (part: Part) => !part.isVoid && /[\p{L}\p{N}]/u.test(plainOf(part.children));

function locate(nodes: Node[]): (Span & { part: Part })[] {
  let at = 0;
  return nodes.flatMap((node) => {
    const from = at;
    at += plainOf([node]).length;
    return typeof node === 'string' ? [] : [{ part: node, from, to: at }];
  });
}

/** Where the part's own words stand in the new text, nearest to their old place. */
function recurrence(home: Span, old: string, plain: string, placed: Span[]): Span | null {
  const center = ({ from, to }: Span, length: number) => (from + to) / 2 / Math.max(1, length);
  const distance = (span: Span) => Math.abs(center(span, plain.length) - center(home, old.length));
  const found = findWords(plain, old.slice(home.from, home.to), { anyCase: true });
  return found.filter(free(placed)).sort((a, b) => distance(a) - distance(b))[0] ?? null;
}

function free(placed: Span[]): (span: Span) => boolean {
  const reach = reachOf(placed);
  return ({ from, to }) => reach(to) <= from;
}

/**
 * The words that took the place of the part's own: all between the kept words around it, or its
 * share of them.
 */
function successor(
  home: Span & { part: Part },
  { between, exact }: Alignment,
  { old, plain }: Texts,
  placed: Span[],
  isLink: (part: Part) => boolean,
): Span | null {
  if (between.length === 0 || (!exact && keepsText(home.part, isLink))) return null;
  const words = exact ? spanOf(between) : share(home, old, between);
  const span = withoutPunctuation(words, plain, old.slice(home.from, home.to));
  // a link inside the part may have to follow the part's words: that must not be in the middle of
  // the sentence
  if (!isLink(home.part) && keepsText(home.part, isLink) && span.to < plain.length) return null;
  return free(placed)(span) ? span : null;
}

const spanOf = (words: Span[]): Span => ({ from: words[0]!.from, to: words.at(-1)!.to });

/** A full stop behind the part stays behind it. */
function withoutPunctuation({ from, to }: Span, plain: string, own: string): Span {
  const words = plain.slice(from, to);
  const trailing = /[\p{L}\p{N}]$/u.test(own.trim())
    ? words.length - withoutEnd(words, '.,;:!?…').length
    : 0;
  return { from, to: trailing < words.length ? to - trailing : to };
}

/**
 * As many words as the part had, at the same relative place: emphasis on the last word stays on the
 * last word.
 */
function share(home: Span, old: string, words: Span[]): Span {
  const oldWords = wordsOf(old);
  const own = oldWords.filter((word) => overlaps(word, home)).length;
  const before = oldWords.filter((word) => word.to <= home.from).length;
  const count = Math.min(Math.max(1, own), words.length);
  const others = Math.max(1, oldWords.length - own);
  const start = Math.round((before / others) * (words.length - count));
  return spanOf(words.slice(start, start + count));
}

/**
 * A place between words for a line break, an icon or another part without words: before the word
 * that followed it, if that is kept.
 */
function gapFor(
  home: Span & { part: Part },
  { before, after }: Alignment,
  { old, plain }: Texts,
  placed: Span[],
): Placed {
  const words = wordsOf(plain);
  const ratio = home.from / Math.max(1, old.length);
  const reach = reachOf(placed);
  const gaps = [0, ...words.slice(1).map(({ from }) => from), plain.length].filter(
    (at) => reach(at) <= at,
  );
  const wanted =
    home.from === 0
      ? 0
      : home.to >= old.length
        ? plain.length
        : (after?.from ?? before?.to ?? ratio * plain.length);
  const at =
    gaps.sort((a, b) => Math.abs(a - wanted) - Math.abs(b - wanted) || a - b)[0] ?? plain.length;
  return { part: home.part, from: at, to: at, content: home.part.children };
}

function compose(
  plain: string,
  placed: Placed[],
  homeless: Part[],
  isLink: (part: Part) => boolean,
): Node[] {
  const result: Node[] = [];
  let from = 0;
  const order = (a: Placed, b: Placed) =>
    a.from - b.from || a.to - b.to || a.part.number - b.part.number;
  for (const { part, content, ...span } of placed.sort(order)) {
    if (span.from > from) result.push(plain.slice(from, span.from));
    result.push({
      ...part,
      children: content ?? fit(part.children, plain.slice(span.from, span.to), isLink),
    });
    from = Math.max(from, span.to);
  }
  if (from < plain.length) result.push(plain.slice(from));
  for (const part of homeless)
    result.push(...(keepsText(part, isLink) ? [' ', part] : [emptied(part)]));
  return result;
}

const keepsText = (part: Part, isLink: (part: Part) => boolean): boolean =>
  isLink(part) ||
  part.children.some((child) => typeof child !== 'string' && keepsText(child, isLink));

const emptied = (part: Part): Part => ({
  ...part,
  children: part.children.filter((child) => typeof child !== 'string').map(emptied),
});
