import { defaultTreeAdapter, parseFragment, type DefaultTreeAdapterTypes as Tree } from 'parse5';

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

/** Makes the content of a shadow root the children of its `template` element. */
export const openShadowRoots: Pick<
  typeof defaultTreeAdapter,
  'setTemplateContent' | 'getTemplateContent'
> = {
  setTemplateContent(template, content) {
    if (!isShadowRoot(template)) defaultTreeAdapter.setTemplateContent(template, content);
  },
  getTemplateContent: (template) =>
    isShadowRoot(template)
      ? (template as Tree.ParentNode as Tree.DocumentFragment)
      : defaultTreeAdapter.getTemplateContent(template),
};

/** Replaces the text of a `noscript` element by the elements that it is without scripts. */
export function readNoscript(source: string, element: Tree.Element) {
  const { startTag, endTag, startLine = 1 } = element.sourceCodeLocation ?? {};
  if (element.tagName !== 'noscript' || !startTag || !endTag) return;
  const place = { start: startTag.endOffset, end: endTag.startOffset, line: startLine };
  element.childNodes = nodesIn(source, place);
  for (const node of element.childNodes) node.parentNode = element;
}

/** The nodes in a conditional comment. */
export function conditionalNodes(source: string, comment: Tree.CommentNode): Tree.ChildNode[] {
  const place = comment.sourceCodeLocation;
  if (!place || !/^\[if\s[^\]]*\]>/i.test(comment.data)) return [];
  const [start, end] = [place.startOffset + '<!--'.length, place.endOffset - '-->'.length];
  return nodesIn(source, { start, end, line: place.startLine });
}

/** Parses a part of a source. The positions of the nodes count from the start of the source. */
function nodesIn(
  source: string,
  { start, end, line }: { start: number; end: number; line: number },
): Tree.ChildNode[] {
  const treeAdapter = { ...defaultTreeAdapter, ...openShadowRoots };
  const { childNodes } = parseFragment(source.slice(start, end), {
    sourceCodeLocationInfo: true,
    scriptingEnabled: false,
    treeAdapter,
  });
  const by = { Offset: start, Line: line - 1 };
  const waiting: Tree.ChildNode[] = [...childNodes];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (node.sourceCodeLocation) node.sourceCodeLocation = moved(node.sourceCodeLocation, by);
    if ('childNodes' in node) waiting.push(...node.childNodes);
    if ('content' in node) waiting.push(...node.content.childNodes);
  }
  return childNodes;
}

/** A `sourceCodeLocation` moved by a number of characters and lines. */
function moved<Place extends object>(place: Place, by: { Offset: number; Line: number }): Place {
  const parts = Object.entries(place).map(([name, value]: [string, unknown]) => {
    if (typeof value === 'object' && value !== null) return [name, moved(value, by)];
    const [unit] = /Offset$|Line$/.exec(name) ?? [];
    return [name, unit ? Number(value) + by[unit as 'Offset' | 'Line'] : value];
  });
  return Object.fromEntries(parts) as Place;
}
