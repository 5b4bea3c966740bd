import { isText, childrenOf, tokensOf, type Element } from '../document.ts';
import { countsOf } from '../../../countsOf.ts';
import { escapeAttribute } from '../escape.ts';
import type { Fragment, Nested } from './readFragment.ts';

/** An element around a section's content. */
export interface Tag {
  tagName: string;
  classes: string[];
}

/** Markup to insert: its source, and the nesting of its elements. */
export interface Made {
  source: string;
  shape: Nested[];
}

const textual = new Set(
  'h1 h2 h3 h4 h5 h6 p ul ol dl blockquote figure table details hr a img address pre'.split(' '),
);

/** Whether an element is a text, a list or a picture, and no box for others. */
export const isTextual = ({ tagName }: { tagName: string }) => textual.has(tagName);

/**
 * The elements in a section that hold all of its content: `section`, `div.container`. Without the
 * innermost one if it only arranges columns.
 */
export function holdersOf(section: Element): Element[] {
  if (isTextual(section)) return [];
  const holders = [section];
  for (let inner = onlyChild(section); inner; inner = onlyChild(inner)) holders.push(inner);
  const isOfColumns = holders.length > 2 && !childrenOf(holders.at(-1)!).some(isTextual);
  return isOfColumns ? holders.slice(0, -1) : holders;
}

/** The element that holds all content of another one. */
function onlyChild(element: Element): Element | undefined {
  const [inner, ...others] = childrenOf(element);
  const hasText = element.childNodes.some((node) => isText(node) && /\S/.test(node.value));
  return inner && others.length === 0 && !hasText && !isTextual(inner) ? inner : undefined;
}

/** What most sections have around their content: elements, with the classes that most have. */
export function wrapperOf(sections: Element[]): Tag[] {
  const holders = sections.map(holdersOf);
  const usual = (words: string[]) =>
    [...countsOf(words)].filter(([, count]) => count * 2 > sections.length).map(([word]) => word);
  const wrapper: Tag[] = [];
  for (;;) {
    const level = holders.flatMap((one) => one.slice(wrapper.length, wrapper.length + 1));
    const [tagName] = usual(level.map((element) => element.tagName));
    if (tagName === undefined) return wrapper;
    const alike = level.filter((element) => element.tagName === tagName);
    const classes = usual(alike.flatMap((element) => [...new Set(tokensOf(element, 'class'))]));
    wrapper.push({ tagName, classes });
  }
}

const hasClassOf = (element: Element, { classes }: Tag) =>
  classes.some((name) => tokensOf(element, 'class').includes(name));

/** Whether an element does what a neighbour's does. A `section` may have other classes. */
const isLike = (element: Element, tag: Tag) =>
  element.tagName === tag.tagName &&
  (tag.tagName !== 'div' || tag.classes.length === 0 || hasClassOf(element, tag));

/** Whether new markup has elements of its neighbours' wrapper. */
export const hasPartOf = (wrapper: Tag[], elements: Fragment['elements']): boolean =>
  elements.some(({ element }) => wrapper.some((tag) => hasClassOf(element, tag)));

/**
 * New markup with what its neighbours have around theirs, and it has not.
 * @param space the white space before a neighbour
 */
export function wrapped(
  { source, elements }: Pick<Fragment, 'elements'> & { source: string },
  wrapper: Tag[],
  space: string,
): Made {
  const roots = elements.filter(({ depth }) => depth === 0).map(({ element }) => element);
  const own = wrapper.findIndex((tag) => roots.every((root) => isLike(root, tag)));
  const isHeld = own === -1 && hasPartOf(wrapper.slice(-1), elements);
  const outer = isHeld ? [] : wrapper.slice(0, own === -1 ? wrapper.length : own);
  const isBare = roots.length === 1 && childrenOf(roots[0]!).some(isTextual);
  const inner = own !== -1 && isBare ? wrapper.slice(own + 1) : [];
  const rootDepth = outer.length;
  const [root, rest] =
    inner.length > 0 ? [elements.slice(0, 1), elements.slice(1)] : [[], elements];
  const indent = space.slice(Math.max(0, space.lastIndexOf('\n')));
  const filled = inner.length > 0 ? filledWith(inner, source, { root: roots[0]!, indent }) : source;
  return {
    source: around(outer, filled, indent),
    shape: [
      ...nested(outer, 0),
      ...deeper(root, rootDepth),
      ...nested(inner, rootDepth + 1),
      ...deeper(rest, rootDepth + inner.length),
    ],
  };
}

const nested = (tags: Tag[], from: number): Nested[] =>
  tags.map(({ tagName }, i) => ({ tagName, depth: from + i }));

const deeper = (elements: Nested[], by: number): Nested[] =>
  elements.map(({ tagName, depth }) => ({ tagName, depth: depth + by }));

/** Puts elements around a source, indented where the page is. */
function around(tags: Tag[], source: string, indent: string): string {
  const line = (depth: number) => (indent.startsWith('\n') ? indent + '  '.repeat(depth) : '');
  const opened = tags.map((tag, i) => startTag(tag) + line(i + 1)).join('');
  const closed = tags.map(({ tagName }, i) => `${line(i)}</${tagName}>`).toReversed();
  return opened + source + closed.join('');
}

const startTag = ({ tagName, classes }: Tag) =>
  classes.length === 0
    ? `<${tagName}>`
    : `<${tagName} class="${escapeAttribute(classes.join(' '), '"')}">`;

/** Puts elements around the content of the only root of a source. */
function filledWith(
  tags: Tag[],
  source: string,
  { root, indent }: { root: Element; indent: string },
): string {
  const { startTag, endTag } = root.sourceCodeLocation!;
  const [start, end] = [startTag!.endOffset, endTag!.startOffset];
  return (
    source.slice(0, start) + around(tags, source.slice(start, end), indent) + source.slice(end)
  );
}
