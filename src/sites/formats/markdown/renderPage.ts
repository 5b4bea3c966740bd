import { renderedUrl, safeUrl } from '../../pages/urls/renderedUrl.ts';
import type { Nodes, PhrasingContent } from 'mdast';
import { escapeAttribute, escapeText } from '../escape.ts';
import type { FrameSettings } from '../format.ts';
import { findMarkdownPlaces } from './findMarkdownPlaces.ts';
import { nodeRange, nodeText } from './nodeKeys.ts';
import type { MarkdownPage } from './openMarkdownPage.ts';
import { createUrlReader } from './pageLinks.ts';
import { type MarkdownPiece, readPieces } from './readRun.ts';
import type { VerifiedPlace } from '../verifiedPlace.ts';

/**
 * The plain rendering of a page: what people see and edit where no host builds the site. The
 * service runs no generator, so the site's design is missing. Only known elements of Markdown
 * become elements of HTML. HTML, components and template tags of the page show as code, so that no
 * page can run a script.
 */

const NOTICE = 'Plain rendering: your site’s design is missing.';
const STYLE =
  'body{max-width:46rem;margin:2rem auto;padding:0 1rem;font:1rem/1.6 system-ui,sans-serif;color:#1b1b1b}img{max-width:100%}pre{overflow:auto;padding:.75rem;background:#f4f4f4}table{border-collapse:collapse}td,th{border:1px solid #ccc;padding:.25rem .5rem}blockquote{margin-left:0;padding-left:1rem;border-left:3px solid #ccc}.plain-rendering{padding:.5rem .75rem;background:#fff4ce}.front-matter{padding:.75rem;border:1px solid #ddd}.front-matter p{margin:.25rem 0}';

interface PageRendering {
  page: MarkdownPage;
  attribute: string;
  places: Map<number, VerifiedPlace>;
  idsByNode: Map<Nodes, string>;
  urlOf: ReturnType<typeof createUrlReader>;
}

/** Renders a page for a frame, with its texts marked: see `FormatCalls.frame`. */
export function renderPage(page: MarkdownPage, { url, head, attribute }: FrameSettings): string {
  const places = findMarkdownPlaces(page);
  const rendering: PageRendering = {
    page,
    attribute,
    places: new Map(places.filter(({ gaps }) => gaps).map((place) => [place.start, place])),
    idsByNode: new Map(page.nodes.map(({ id, node }) => [node, id])),
    urlOf: createUrlReader(page),
  };
  const title = places.find(({ slot }) => slot.role === 'title')?.slot.text ?? page.file.slug;
  return [
    '<!doctype html><html><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width">',
    `<base href="${escapeAttribute(url, '"')}" target="_self">${head}`,
    `<title>${escapeText(title)}</title><style>${STYLE}</style></head><body>`,
    `<p class="plain-rendering" role="note">${NOTICE}</p>`,
    renderFields(rendering, places),
    `<main>${renderBlocks(rendering, page.tree.children)}</main></body></html>`,
  ].join('\n');
}

/** The texts of front matter as fields. */
function renderFields({ page, attribute }: PageRendering, places: VerifiedPlace[]): string {
  const fields = places.filter(({ slot }) => slot.id.startsWith('s0.'));
  if (fields.length === 0) return '';
  const rows = fields.map(({ slot }) => {
    const path = page.frontMatter?.values[Number(slot.id.slice(3))]?.path.join('.') ?? '';
    return `<p>${escapeText(path)}: ${markText(attribute, `${slot.id} 0`, slot.text)}</p>`;
  });
  return `<section class="front-matter">${rows.join('\n')}</section>`;
}

const markText = (attribute: string, mark: string, text: string) =>
  `<slot-text ${attribute}="${escapeAttribute(mark, '"')}">${escapeText(text)}</slot-text>`;

const renderBlocks = (rendering: PageRendering, nodes: Nodes[]): string =>
  nodes.map((node) => renderBlock(rendering, node)).join('\n');

function renderBlock(rendering: PageRendering, node: Nodes): string {
  const inside = () => ('children' in node ? renderBlocks(rendering, node.children) : '');
  switch (node.type) {
    case 'heading':
    case 'paragraph':
    case 'tableCell': {
      const tag =
        node.type === 'heading' ? `h${node.depth}` : node.type === 'paragraph' ? 'p' : 'td';
      return `<${tag}>${renderText(rendering, node.children)}</${tag}>`;
    }
    case 'list':
      return node.ordered
        ? `<ol start="${node.start ?? 1}">${inside()}</ol>`
        : `<ul>${inside()}</ul>`;
    case 'thematicBreak':
      return '<hr>';
    case 'code':
      return `<pre><code>${escapeText(node.value)}</code></pre>`;
    case 'definition':
      return '';
    default: {
      const tag = tagNames[node.type];
      if (tag !== undefined) return `<${tag}>${inside()}</${tag}>`;
      return `<pre><code>${escapeText(sourceOf(rendering, node))}</code></pre>`;
    }
  }
}

/** The elements of HTML that stand for blocks with other blocks in them. */
const tagNames: Partial<Record<Nodes['type'], string>> = {
  table: 'table',
  tableRow: 'tr',
  blockquote: 'blockquote',
  listItem: 'li',
  containerDirective: 'section',
  mdxJsxFlowElement: 'section',
  footnoteDefinition: 'section',
};

const sourceOf = ({ page }: PageRendering, node: Nodes) => {
  const { start, end } = nodeRange(node);
  return page.source.slice(start, end);
};

/** The text of a block: with its slot's texts marked, if it is one. */
function renderText(rendering: PageRendering, nodes: PhrasingContent[]): string {
  const pieces = readPieces(rendering.page, nodes);
  if (!pieces) return escapeText(nodes.map(nodeText).join(''));
  return renderPieces(rendering, pieces, null);
}

/** The texts of a slot that were rendered so far. */
interface SlotText {
  place: VerifiedPlace;
  index: number;
}

/** Renders running text. The slot begins with the piece at which its place starts. */
function renderPieces(
  rendering: PageRendering,
  pieces: MarkdownPiece[],
  around: SlotText | null,
): string {
  let slot = around;
  let text = '';
  const output: string[] = [];
  const flush = () => {
    output.push(
      slot
        ? markText(rendering.attribute, `${slot.place.slot.id} ${slot.index}`, text)
        : escapeText(text),
    );
    text = '';
  };
  for (const piece of pieces) {
    const place = around ? undefined : rendering.places.get(piece.start);
    if (place && !slot && piece.end <= place.end && piece.kind !== 'atom') {
      flush();
      slot = { place, index: 0 };
    }
    if (piece.kind === 'text') text += piece.value;
    if (piece.kind === 'atom' || piece.kind === 'part') {
      flush();
      if (slot) slot.index++;
      output.push(renderInline(rendering, piece, slot));
      if (slot && piece.kind === 'part') slot.index++;
    }
    if (slot && !around && piece.end >= slot.place.end) {
      flush();
      slot = null;
    }
  }
  if (slot || text !== '') flush();
  return output.join('');
}

function renderInline(
  rendering: PageRendering,
  piece: MarkdownPiece,
  slot: SlotText | null,
): string {
  const { page, urlOf } = rendering;
  const { node } = piece;
  if (piece.kind === 'part') {
    const content = renderPieces(rendering, piece.children, slot);
    if (node?.type === 'link' || node?.type === 'linkReference')
      return `<a href="${safeUrl(renderedUrl(urlOf(node)))}">${content}</a>`;
    const tag = ['em', 'strong', 'del'].includes(piece.name) ? piece.name : 'span';
    return `<${tag}>${content}</${tag}>`;
  }
  if (node?.type === 'break') return '<br>';
  if (node?.type === 'image')
    return `<img src="${safeUrl(urlOf(node))}" alt="${escapeAttribute(node.alt ?? '', '"')}">`;
  if (node?.type === 'link')
    return `<a href="${safeUrl(renderedUrl(urlOf(node)))}">${escapeText(nodeText(node))}</a>`;
  const source =
    node?.type === 'inlineCode' ? node.value : page.source.slice(piece.start, piece.end);
  return `<code>${escapeText(source)}</code>`;
}
