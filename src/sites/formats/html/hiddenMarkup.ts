import { defaultTreeAdapter, parseFragment, type DefaultTreeAdapterTypes as Tree } from 'parse5';
import { DomainError } from '../../../errors.ts';

/**
 * Reads markup that the parser leaves aside. Browsers show a declarative shadow root, and a
 * `noscript` element without scripts. Old ones show conditional comments:
 *
 *     <shop-card><template shadowrootmode="open"><p>Our shop</p></template></shop-card>
 *     <noscript><img src="../shop.jpg" alt="Our shop"></noscript>
 *     <!--[if lt IE 9]><script src="../shiv.js"></script><![endif]-->
 */

const isShadowRoot = ({ attrs }: Tree.Element) =>
  attrs.some(
    ({ name, value }) => /^shadowroot(?:mode)?$/.test(name) && /^(?:open|closed)$/i.test(value),
  );

const MAX_DEPTH = 500;

/**
 * Builds the tree of a page, or of a part of it. The content of a shadow root becomes the children
 * of its `template` element.
 * @param depth how many elements are around the part
 * @throws LIMIT_EXCEEDED for elements that are nested more than 500 levels deep
 */
export function createTreeAdapter(depth = 0): typeof defaultTreeAdapter {
  let openElementCount = depth;
  return {
    ...defaultTreeAdapter,
    setTemplateContent(template, content) {
      if (!isShadowRoot(template)) defaultTreeAdapter.setTemplateContent(template, content);
    },
    getTemplateContent: (template) =>
      isShadowRoot(template)
        ? (template as Tree.ParentNode as Tree.DocumentFragment)
        : defaultTreeAdapter.getTemplateContent(template),
    onItemPush() {
      if (++openElementCount > MAX_DEPTH)
        throw new DomainError(
          'LIMIT_EXCEEDED',
          `The page nests elements more than ${MAX_DEPTH} levels deep`,
        );
    },
    onItemPop: () => void openElementCount--,
  };
}

/**
 * Replaces the text of a `noscript` element by the elements that it is without scripts. One that is
 * itself in a `noscript` element has its elements already.
 */
export function readNoscript(source: string, element: Tree.Element) {
  const { startTag, endTag, startLine = 1 } = element.sourceCodeLocation ?? {};
  if (element.tagName !== 'noscript' || !startTag || !endTag) return;
  if (element.childNodes.some((node) => node.nodeName !== '#text')) return;
  const contentRange = { start: startTag.endOffset, end: endTag.startOffset, line: startLine };
  element.childNodes = nodesIn(source, contentRange, element);
  for (const node of element.childNodes) node.parentNode = element;
}

/** The nodes in a conditional comment. */
export function conditionalNodes(source: string, comment: Tree.CommentNode): Tree.ChildNode[] {
  const location = comment.sourceCodeLocation;
  if (!location || !/^\[if\s[^\]]*\]>/i.test(comment.data)) return [];
  const [start, end] = [location.startOffset + '<!--'.length, location.endOffset - '-->'.length];
  return nodesIn(source, { start, end, line: location.startLine }, comment);
}

/** Parses a part of a source. The positions of the nodes count from the start of the source. */
function nodesIn(
  source: string,
  { start, end, line }: { start: number; end: number; line: number },
  parentNode: Tree.ChildNode,
): Tree.ChildNode[] {
  let depth = 0;
  for (let node = parentNode.parentNode; node && 'parentNode' in node; node = node.parentNode)
    depth++;
  const { childNodes } = parseFragment(source.slice(start, end), {
    sourceCodeLocationInfo: true,
    scriptingEnabled: false,
    treeAdapter: createTreeAdapter(depth),
  });
  const move = createMove({ offset: start, line: line - 1 });
  const unmovedNodes: Tree.ChildNode[] = [...childNodes];
  for (let node = unmovedNodes.pop(); node; node = unmovedNodes.pop()) {
    if (node.sourceCodeLocation) move(node.sourceCodeLocation);
    if ('childNodes' in node) unmovedNodes.push(...node.childNodes);
    if ('content' in node) unmovedNodes.push(...node.content.childNodes);
  }
  return childNodes;
}

/**
 * Moves positions in place. The parser uses some objects at two places, such as those of an
 * element's attributes, so each object is moved once.
 */
function createMove({ offset, line }: { offset: number; line: number }) {
  const movedLocations = new Set<object>();
  return function move(location: object) {
    if (movedLocations.has(location)) return;
    movedLocations.add(location);
    const positions = location as Record<string, unknown>;
    for (const name in positions) {
      const value = positions[name];
      if (typeof value === 'object' && value !== null) move(value);
      else if (typeof value === 'number' && name.endsWith('Offset'))
        positions[name] = value + offset;
      else if (typeof value === 'number' && name.endsWith('Line')) positions[name] = value + line;
    }
  };
}
