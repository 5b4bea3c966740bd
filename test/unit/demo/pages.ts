import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type DefaultTreeAdapterTypes, type ParserError, parse } from 'parse5';

type Element = DefaultTreeAdapterTypes.Element;
type Node = DefaultTreeAdapterTypes.ChildNode;

const root = fileURLToPath(new URL('../../../src/demo/site/', import.meta.url));

export interface DemoPage {
  file: string;
  /** Where a browser has it: `/`, `/pricing`, `/services/`. */
  path: string;
  source: string;
  /** What the HTML standard calls parse errors. */
  errors: string[];
  /** Every element, in document order. */
  elements: Element[];
}

/** The files of the demo site, relative to it. */
export const files = readdirSync(root, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => `${entry.parentPath}/${entry.name}`.replace(/\/+/g, '/').slice(root.length))
  .sort();

export const read = (file: string) => readFileSync(root + file, 'utf8');

export const pages: DemoPage[] = files.filter((file) => file.endsWith('.html')).map(readPage);

/**
 * The file that answers a path, as every static host resolves it; undefined where there is none.
 */
export function fileAt(path: string): string | undefined {
  const wanted = decodeURI(path).slice(1);
  const tried =
    wanted === '' || wanted.endsWith('/') ? [`${wanted}index.html`] : [wanted, `${wanted}.html`];
  return tried.find((file) => files.includes(file));
}

export function attribute(element: Element, name: string): string | undefined {
  return element.attrs.find((attr) => attr.name === name)?.value;
}

export function text(node: Node): string {
  if ('value' in node) return node.value;
  return 'childNodes' in node ? node.childNodes.map(text).join('') : '';
}

export function all(page: DemoPage, ...names: string[]): Element[] {
  return page.elements.filter(({ tagName }) => names.includes(tagName));
}

function readPage(file: string): DemoPage {
  const source = read(file);
  const errors: string[] = [];
  const onParseError = ({ code, startLine }: ParserError) =>
    void errors.push(`${code} in line ${startLine}`);
  const document = parse(source, { onParseError });
  return {
    file,
    path: `/${file.replace(/(index)?\.html$/, '')}`,
    source,
    errors,
    elements: elementsIn(document.childNodes),
  };
}

function elementsIn(nodes: Node[]): Element[] {
  return nodes.flatMap((node) => ('tagName' in node ? [node, ...elementsIn(node.childNodes)] : []));
}
