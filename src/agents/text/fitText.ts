import { withoutEnd } from '../../contract/text.ts';
import { DomainError } from '../../errors.ts';
import { alignWords, wordsOf, type Alignment } from './alignWords.ts';
import { formatMarks, parseMarks, plainOf, type Node, type Part } from './marks.ts';
import { findWords, overlaps, reachOf, type Span } from './spans.ts';

/** Limit of one text's number of parts times its length: each part needs its own search. */
const MOST_WORK = 20_000_000;

interface Placed extends Span {
  part: Part;
  /** The part's new content. null: the words of the new text at this place. */
  content: Node[] | null;
}

/** A text whose parts are being placed in a new one. */
interface Fitting {
  /** The old text without marks. */
  old: string;
  /** The new text without marks. */
  plain: string;
  placed: Placed[];
  isLink: IsLink;
}

type IsLink = (part: Part) => boolean;
type Home = Span & { part: Part };

/**
 * Fits a new plain text into a slot's marked text. Each part appears once, properly nested. A part
 * goes to its words in the new text, or else to the words that replaced them. A link without either
 * keeps its text and goes to the end.
 * @param marked the slot's current text
 * @param tags the slot's `parts`: the element name of part n is at index n - 1
 * @param plain the new text, without marks
 */
export function fitText(marked: string, tags: string[], plain: string): string {
  const nodes = parseMarks(marked) ?? [];
  return formatMarks(fit(nodes, plain, (part) => isLinkTag(tags[part.number - 1])));
}

export const isLinkTag = (tag = '') => ['a', 'button'].includes(tag);

/**
 * Fits two lines, a name and its description, into a text that has the name in a part or before a
 * line break. The separator stays as it is: a comma, a dash, or only the line break.
 * @returns null if the text has another form
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

/** A copy of the node with another text: plain text, or a part that contains only this text. */
const withText = (node: Node, text: string): Node =>
  typeof node === 'string' ? text : { ...node, children: [text] };

function fit(nodes: Node[], plain: string, isLink: IsLink): Node[] {
  const parts = nodes.filter((node) => typeof node !== 'string');
  if (parts.length === 0) return plain === '' ? [] : [plain];
  const old = plainOf(nodes);
  if (parts.length * (old.length + plain.length) > MOST_WORK)
    throw new DomainError(
      'LIMIT_EXCEEDED',
      `A text with ${parts.length} links and marks is too long to be fitted anew`,
    );
  const align = alignWords(old, plain);
  const placed: Placed[] = [];
  const fitting = { old, plain, placed, isLink };
  const homeless: Part[] = [];
  const homes = locate(nodes);
  const byLength = homes
    .filter(({ part }) => hasWords(part))
    .sort((a, b) => b.to - b.from - (a.to - a.from));
  for (const home of byLength) {
    const span = recurrence(home, fitting) ?? successor(home, align(home), fitting);
    if (span) placed.push({ part: home.part, ...span, content: null });
    else homeless.push(home.part);
  }
  for (const home of homes.filter(({ part }) => !hasWords(part)))
    placed.push(gapFor(home, align(home), fitting));
  const { links = [], others = [] } = Object.groupBy(homeless, (part) =>
    keepsText(part, isLink) ? 'links' : 'others',
  );
  placed.push(...others.map((part) => emptyPlace(part, fitting)));
  return compose(fitting, links);
}

const hasWords = (part: Part) => !part.isVoid && /[\p{L}\p{N}]/u.test(plainOf(part.children));

/** Where each part stands in the text. */
function locate(nodes: Node[]): Home[] {
  let at = 0;
  return nodes.flatMap((node) => {
    const from = at;
    at += plainOf([node]).length;
    return typeof node === 'string' ? [] : [{ part: node, from, to: at }];
  });
}

/** Where the part's words recur in the new text. Of several places, the nearest to the old one. */
function recurrence(home: Span, { old, plain, placed }: Fitting): Span | null {
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
 * The words that replaced the part's words: those between the shared words around the part. If
 * these also replace other words, the part's share of them.
 */
function successor(
  home: Home,
  { between, isExact: exact }: Alignment,
  { old, plain, placed, isLink }: Fitting,
): Span | null {
  if (between.length === 0 || (!exact && keepsText(home.part, isLink))) return null;
  const words = exact ? spanOf(between) : share(home, old, between);
  const span = withoutPunctuation(words, plain, old.slice(home.from, home.to));
  // a link inside this part may move to the part's end, which must not be mid-sentence
  if (!isLink(home.part) && keepsText(home.part, isLink) && span.to < plain.length) return null;
  return free(placed)(span) ? span : null;
}

const spanOf = (words: Span[]): Span => ({ from: words[0]!.from, to: words.at(-1)!.to });

/** The span without its final punctuation, if the part's old words had none. */
function withoutPunctuation({ from, to }: Span, plain: string, own: string): Span {
  const words = plain.slice(from, to);
  const trailing = /[\p{L}\p{N}]$/u.test(own.trim())
    ? words.length - withoutEnd(words, '.,;:!?…').length
    : 0;
  return { from, to: trailing < words.length ? to - trailing : to };
}

/**
 * As many words as the part had, at the same relative position. So emphasis on the last word stays
 * on the last word.
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
 * The place of a part without words, such as a line break or an icon: before the word that followed
 * the part, if the new text has this word.
 */
function gapFor(home: Home, { before, after }: Alignment, { old, plain, placed }: Fitting): Placed {
  const words = wordsOf(plain);
  const ratio = home.from / Math.max(1, old.length);
  const reach = reachOf(placed);
  const gaps = [0, ...words.slice(1).map(({ from }) => from), plain.length].filter(
    (at) => reach(at) <= at,
  );
  let wanted = after?.from ?? before?.to ?? ratio * plain.length;
  if (home.from === 0) wanted = 0;
  else if (home.to >= old.length) wanted = plain.length;
  const at =
    gaps.sort((a, b) => Math.abs(a - wanted) - Math.abs(b - wanted) || a - b)[0] ?? plain.length;
  return { part: home.part, from: at, to: at, content: home.part.children };
}

/**
 * The place of a part whose words are gone: beside its neighbour in the old text.
 */
function emptyPlace(part: Part, { plain, placed }: Fitting): Placed {
  const inOrder = placed.toSorted((a, b) => a.part.number - b.part.number);
  const before = inOrder.findLast((other) => other.part.number < part.number);
  const behind = inOrder.find((other) => other.part.number > part.number);
  const at = before?.to ?? behind?.from ?? plain.length;
  return { part, from: at, to: at, content: emptied(part).children };
}

/**
 * Builds the new text from the placed parts.
 * @param homeless links without a place in the new text
 */
function compose({ plain, placed, isLink }: Fitting, homeless: Part[]): Node[] {
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
  for (const part of homeless) result.push(' ', part);
  return result;
}

const keepsText = (part: Part, isLink: IsLink): boolean =>
  isLink(part) ||
  part.children.some((child) => typeof child !== 'string' && keepsText(child, isLink));

const emptied = (part: Part): Part => ({
  ...part,
  children: part.children.filter((child) => typeof child !== 'string').map(emptied),
});
