import { LRUCache } from 'lru-cache';
import type { Nodes } from 'mdast';
import type { PageFile } from '../../../contract/site.ts';
import { getOrCreate } from '../../remembered.ts';
import type { PageSource } from '../format.ts';
import { markdownPaths } from './markdownPaths.ts';
import {
  isMdx,
  MAX_DEPTH,
  type MarkdownDocument,
  parseMarkdown,
  tooDeepError,
} from './parseMarkdown.ts';

/** A parsed page of a site in Markdown. */
export interface MarkdownPage extends MarkdownDocument {
  file: PageFile;
  /**
   * All nodes but texts, in document order. A node's id is `s` with its number, from 1. Front
   * matter has the number 0. An edit of texts keeps the numbers.
   */
  nodes: NumberedNode[];
}

export interface NumberedNode {
  id: string;
  node: Exclude<Nodes, { type: 'text' }>;
  parent: NumberedNode | null;
}

/** The nodes around a node, from the inside out. */
export const parentsOf = ({ parent }: NumberedNode): NumberedNode[] =>
  parent ? [parent, ...parentsOf(parent)] : [];

/**
 * The pages that were opened last, up to this many characters: a task makes several pages from one
 * template, and then checks them.
 */
const recentPages = new LRUCache<string, MarkdownPage>({
  maxSize: 480_000,
  maxEntrySize: 60_000,
  sizeCalculation: (_page, key) => key.length,
});

/**
 * Parses a page of a site. Pages that were parsed lately are cached, and the last of them is often
 * the template or the former version of the next one. A new page is first parsed at the path of its
 * template, and reads the same at its own.
 * @throws DomainError PAGE_UNREADABLE with line and column for what does not parse; LIMIT_EXCEEDED
 *   for a page that is nested too deep
 */
export function openMarkdownPage({ path, source }: PageSource): MarkdownPage {
  const file = { path, slug: markdownPaths.slugOf(path) };
  // how a page reads depends on the ending of its path, which tells its kind
  const key = `${path.slice(path.lastIndexOf('.'))} ${source}`;
  const page = getOrCreate<string, MarkdownPage>(recentPages, key, () => {
    const similar = recentPages.values().find((recent) => isMdx(recent.path) === isMdx(path));
    const document = parseMarkdown(path, source, similar);
    return { ...document, file, nodes: numberNodes(document.tree) };
  });
  return page.path === path ? page : { ...page, path, file };
}

/** Computes once for each parsed page what does not depend on the page's folder and name. */
export const computePerPage = <Value extends NonNullable<unknown>>(
  compute: (page: MarkdownPage) => Value,
): ((page: MarkdownPage) => Value) => {
  const values = new WeakMap<MarkdownPage['nodes'], Value>();
  return (page) => getOrCreate(values, page.nodes, () => compute(page));
};

function numberNodes(tree: Nodes): NumberedNode[] {
  const nodes: NumberedNode[] = [];
  const visit = (node: Nodes, parent: NumberedNode | null, depth: number) => {
    if (depth > MAX_DEPTH) throw tooDeepError();
    if (node.type === 'text') return;
    const numbered: NumberedNode = { id: `s${nodes.length}`, node, parent };
    nodes.push(numbered);
    if ('children' in node) for (const child of node.children) visit(child, numbered, depth + 1);
  };
  visit(tree, null, 0);
  return nodes;
}
