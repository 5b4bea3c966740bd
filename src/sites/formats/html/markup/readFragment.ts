import { parseFragment, Tokenizer, type DefaultTreeAdapterTypes as Tree, type Token } from 'parse5';
import { childrenOf, isText, type Element } from '../document.ts';
import { voids } from './allowedMarkup.ts';

/** An element of new markup. `depth` is the number of its ancestors. */
export interface Nested {
  tagName: string;
  depth: number;
}

/** New markup, parsed as in browsers. */
export interface Fragment {
  elements: (Nested & { element: Element })[];
  /** Problems of the markup's syntax, for a message. */
  problems: string[];
}

const DEEPEST = 40;

/** Parses new markup. A problem is reported if browsers read it differently from its tags. */
export function readFragment(source: string): Fragment {
  const { written, problems } = readTags(source);
  const root = parseFragment(source, {
    sourceCodeLocationInfo: true,
    onParseError: ({ code, startLine }) =>
      problems.push(`parse error "${code}" in line ${startLine}`),
  });
  const elements = elementsOf(root);
  if (elements.some(({ depth }) => depth > DEEPEST))
    problems.push(`elements nested deeper than ${DEEPEST} levels`);
  const isSame =
    elements.length === written.length &&
    elements.every(
      ({ tagName, depth }, i) => tagName === written[i]!.tagName && depth === written[i]!.depth,
    );
  if (!isSame && problems.length === 0)
    problems.push('tags that browsers read in another order than they are written');
  if (root.childNodes.some((node) => isText(node) && /\S/.test(node.value)))
    problems.push('text outside of elements');
  if (elements.length === 0) problems.push('no element');
  return { elements, problems };
}

/** All elements in document order, including those in templates. */
function elementsOf(root: Tree.ParentNode): Fragment['elements'] {
  const found: Fragment['elements'] = [];
  const waiting = elementsIn(root, 0).reverse();
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    found.push(next);
    const inside = 'content' in next.element ? [next.element.content as Tree.ParentNode] : [];
    for (const parent of [next.element, ...inside])
      waiting.push(...elementsIn(parent, next.depth + 1).reverse());
  }
  return found;
}

const elementsIn = (parent: Tree.ParentNode, depth: number) =>
  childrenOf(parent).map((element) => ({ element, tagName: element.tagName, depth }));

/** Reads the elements from the tags in the source. Comments and unclosed elements are problems. */
function readTags(source: string) {
  const written: Nested[] = [];
  const problems: string[] = [];
  const open: string[] = [];
  const line = (token: Token.Token) => `in line ${token.location?.startLine ?? 1}`;
  const ignore = () => undefined;
  const refuse = (what: string) => (token: Token.Token) =>
    void problems.push(`${what} ${line(token)}`);
  const tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: true },
    {
      onStartTag: (token) => {
        written.push({ tagName: token.tagName, depth: open.length });
        if (!voids.has(token.tagName)) open.push(token.tagName);
      },
      onEndTag: (token) => {
        if (open.at(-1) === token.tagName) open.pop();
        else refuse(`</${token.tagName.slice(0, 40)}> that closes no open element`)(token);
      },
      onComment: refuse('a comment'),
      onDoctype: refuse('a doctype'),
      onCharacter: ignore,
      onWhitespaceCharacter: ignore,
      onNullCharacter: refuse('a NUL character'),
      onEof: ignore,
    },
  );
  const isLastChunk = true;
  tokenizer.write(source, isLastChunk);
  for (const tagName of open) problems.push(`<${tagName.slice(0, 40)}> without an end tag`);
  return { written, problems };
}
