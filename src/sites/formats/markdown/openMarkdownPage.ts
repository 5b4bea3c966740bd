import type { Nodes } from 'mdast';
import type { PageFile } from '../../../contract/site.ts';
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

/** The pages that were opened last: a task makes several pages from one template. */
const recentPages: MarkdownPage[] = [];
const MAX_RECENT_PAGES = 8;
/** Characters of a cached page. */
const MAX_RECENT_LENGTH = 60_000;

/**
 * Parses a page of a site. Pages that were parsed lately are cached. A new page is first parsed at
 * the path of its template, and reads the same at its own.
 * @throws DomainError PAGE_UNREADABLE with line and column for what does not parse; LIMIT_EXCEEDED
 *   for a page that is nested too deep
 */
export function openMarkdownPage({ path, source }: PageSource): MarkdownPage {
  const same = recentPages.filter(
    (page) => page.source === source && isMdx(page.path) === isMdx(path),
  );
  const known = same.find((page) => page.path === path);
  const file = { path, slug: markdownPaths.slugOf(path) };
  const page = known ?? (same[0] ? { ...same[0], path, file } : parsePage(source, file));
  if (known) recentPages.splice(recentPages.indexOf(known), 1);
  if (source.length <= MAX_RECENT_LENGTH) recentPages.unshift(page);
  if (recentPages.length > MAX_RECENT_PAGES) recentPages.pop();
  return page;
}

function parsePage(source: string, file: PageFile): MarkdownPage {
  const document = parseMarkdown(file.path, source);
  return { ...document, file, nodes: numberNodes(document.tree) };
}

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
