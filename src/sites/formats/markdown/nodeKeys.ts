import type { Nodes } from 'mdast';
import type { TextRange } from '../../../text/textRange.ts';
import { hasWords } from '../../../text/text.ts';
import { hasGeneratorCode } from '../generatorCode.ts';

/** The range of a node in the source. */
export const nodeRange = ({ position }: Nodes): TextRange => ({
  start: position?.start.offset ?? 0,
  end: position?.end.offset ?? 0,
});

type JsxElement = Extract<Nodes, { type: 'mdxJsxFlowElement' }>;
type JsxAttribute = JsxElement['attributes'][number];
type NamedJsxAttribute = Extract<JsxAttribute, { type: 'mdxJsxAttribute' }>;

/** Attributes of JSX whose values are texts for people. */
const textAttributes =
  /^(?:title|subtitle|heading|headline|alt|label|description|caption|summary|text|tagline|eyebrow|quote|question|answer|cta|aria-label)$/i;

/** Whether an attribute of JSX is a text for people, written as a string. */
export const isJsxText = (
  attribute: JsxAttribute,
): attribute is NamedJsxAttribute & { value: string } =>
  attribute.type === 'mdxJsxAttribute' &&
  typeof attribute.value === 'string' &&
  textAttributes.test(attribute.name) &&
  hasWords(attribute.value) &&
  !hasGeneratorCode(attribute.value);

/** What an edit of texts must not change in a node. Texts for people are left out. */
export function nodeKey(node: Nodes, url = 'url' in node ? node.url : ''): string {
  switch (node.type) {
    case 'link':
    case 'image':
    case 'definition':
      return [node.type, url, node.title ?? ''].join(' ');
    case 'linkReference':
    case 'imageReference':
    case 'footnoteReference':
    case 'footnoteDefinition':
      return `${node.type} ${node.identifier}`;
    case 'heading':
      return `heading ${node.depth}`;
    case 'list':
      return `list ${node.ordered} ${node.start}`;
    case 'listItem':
      return `listItem ${node.checked}`;
    case 'table':
      return `table ${node.align?.join(' ')}`;
    case 'code':
      return `code ${node.lang} ${node.meta} ${node.value}`;
    case 'containerDirective':
    case 'leafDirective':
      return `${node.type} ${node.name} ${JSON.stringify(node.attributes)}`;
    case 'mdxJsxFlowElement':
    case 'mdxJsxTextElement':
      return `${node.type} ${node.name} ${node.attributes.map(attributeKey).join(' ')}`;
    default:
      return 'value' in node ? `${node.type} ${node.value}` : node.type;
  }
}

const attributeKey = (attribute: JsxAttribute): string => {
  if (isJsxText(attribute)) return attribute.name;
  if (attribute.type === 'mdxJsxExpressionAttribute') return `{${attribute.value}}`;
  const { name, value } = attribute;
  return `${name}=${typeof value === 'object' && value ? `{${value.value}}` : value}`;
};

/** The text of a node and the nodes in it, as readers see it. */
export function nodeText(node: Nodes): string {
  if (node.type === 'text' || node.type === 'inlineCode') return node.value;
  if (node.type === 'image') return node.alt ?? '';
  if (node.type === 'break') return ' ';
  return 'children' in node ? node.children.map(nodeText).join('') : '';
}
