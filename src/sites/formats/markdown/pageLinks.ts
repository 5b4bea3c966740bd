import type { Definition, Image, Link, LinkReference } from 'mdast';
import MagicString from 'magic-string';
import { withoutUndefined } from '../../../contract/withoutUndefined.ts';
import { collapseSpaces } from '../../../text/text.ts';
import { readEntryPath } from '../../dataFiles/entryPaths.ts';
import { invalidInput } from '../../invalidInput.ts';
import { decodeUrlPart, parseReference } from '../../pages/urls/urls.ts';
import { escapeMarks } from '../../pages/texts/slotText.ts';
import { validHtmlLine } from '../escape.ts';
import type { PageMove, SiteTarget } from '../changes.ts';
import { fileOfUrl, movedUrl, slugOf, urlTo } from '../fileUrls.ts';
import type { PageSource } from '../format.ts';
import { writeOwnValues } from '../ownValues.ts';
import { checkImage, unknownLinkError } from '../partErrors.ts';
import type { EditableUrl, PageImage, PageLink, TemplateLink } from '../pageParts.ts';
import { editMarkdownPage, type TargetEdit } from './editPage.ts';
import { findMarkdownPlaces, slotsByUnit } from './findMarkdownPlaces.ts';
import { nodeRange, nodeText } from './nodeKeys.ts';
import { altRange, targetRange } from './linkParts.ts';
import {
  type MarkdownPage,
  type NumberedNode,
  openMarkdownPage,
  parentsOf,
} from './openMarkdownPage.ts';
import { escapedKind } from './readRun.ts';
import { CODE_CHARACTER } from '../generatorCode.ts';

/** Links and images of a page. */

interface LinkNode extends NumberedNode {
  node: Link | LinkReference;
}
interface ImageNode extends NumberedNode {
  node: Image;
}

const isLink = (numbered: NumberedNode): numbered is LinkNode =>
  numbered.node.type === 'link' || numbered.node.type === 'linkReference';
const isImage = (numbered: NumberedNode): numbered is ImageNode => numbered.node.type === 'image';

/** Links of a page in document order. */
export function listMarkdownLinks(page: MarkdownPage): PageLink[] {
  const urlOf = createUrlReader(page);
  return page.nodes.filter(isLink).map(({ id, node }): PageLink => {
    const href = urlOf(node);
    const text = collapseSpaces(withoutCode(nodeText(node))).trim();
    return {
      id: `${id}.href`,
      role: 'link',
      text,
      href,
      ...withoutUndefined({ slug: slugOf(page.file, href) }),
    };
  });
}

/** The links of a page, with the slots in each and those that it stands in. */
export function listTemplateLinks(page: MarkdownPage): TemplateLink[] {
  const slots = slotsByUnit(page);
  const nodes = new Map(page.nodes.map((numbered) => [`${numbered.id}.href`, numbered]));
  const inside = Map.groupBy(page.nodes, ({ parent }) => parent);
  return listMarkdownLinks(page).map((link) => {
    const node = nodes.get(link.id)!;
    const related = [...parentsOf(node), node, ...(inside.get(node) ?? [])];
    const ids = related.flatMap(({ id }) => slots.get(id) ?? []).map(({ id }) => id);
    return { ...link, slots: ids };
  });
}

export const withoutCode = (text: string) => text.replaceAll(CODE_CHARACTER, '');

/** Makes a function that reads the URL of a link or image, also from its definition. */
export function createUrlReader(
  page: MarkdownPage,
): (node: Link | LinkReference | Image) => string {
  const definitions = definitionsOf(page);
  return (node) => {
    const target = node.type === 'linkReference' ? definitions.get(node.identifier)?.node : node;
    if (!target) return '';
    // template code in a URL is masked in the tree
    const range = target.url.includes(CODE_CHARACTER) ? targetRange(page, target) : undefined;
    return range ? page.source.slice(range.start, range.end) : target.url;
  };
}

/** The first definition of each label counts. */
const definitionsOf = ({ nodes }: MarkdownPage) =>
  new Map(
    nodes
      .flatMap(({ id, node }) => (node.type === 'definition' ? [{ id, node }] : []))
      .toReversed()
      .map((definition) => [definition.node.identifier, definition]),
  );

/** Images of a page in document order. */
export const listMarkdownImages = (page: MarkdownPage): PageImage[] =>
  page.nodes.filter(isImage).map(({ id, node }) => ({
    id: `${id}.alt`,
    file: /^data:/i.test(node.url)
      ? ''
      : decodeUrlPart(parseReference(node.url).path.split('/').at(-1)),
    path: fileOfUrl(page.file, node.url),
    alt: validHtmlLine(withoutCode(node.alt ?? '')),
  }));

/** Paths, relative to the site's root, of the files of the site that a page refers to. */
export const listMarkdownFiles = (page: MarkdownPage): string[] => [
  ...new Set(listPageUrls(page).map(({ url }) => fileOfUrl(page.file, url))),
];

/** A URL in a page, and the node that has it. */
export interface PageUrl {
  url: string;
  kind: 'link' | 'load';
  start: number;
}

/** Every URL in a page's links, images and attributes of JSX. */
export function listPageUrls(page: MarkdownPage): PageUrl[] {
  const urlOf = createUrlReader(page);
  return page.nodes.flatMap(({ node }): PageUrl[] => {
    const { start } = nodeRange(node);
    if (node.type === 'link' || node.type === 'definition')
      return [{ url: node.type === 'link' ? urlOf(node) : node.url, kind: 'link', start }];
    if (node.type === 'image') return [{ url: urlOf(node), kind: 'load', start }];
    if (node.type !== 'mdxJsxFlowElement' && node.type !== 'mdxJsxTextElement') return [];
    return node.attributes.flatMap((attribute): PageUrl[] => {
      const isUrl =
        attribute.type === 'mdxJsxAttribute' && /^(?:href|to|src|poster)$/i.test(attribute.name);
      if (!isUrl || typeof attribute.value !== 'string') return [];
      return [{ url: attribute.value, kind: attribute.name === 'href' ? 'link' : 'load', start }];
    });
  });
}

/** The URLs that people can change, in document order: of links, and of the site's images. */
export function listMarkdownUrls(page: MarkdownPage): EditableUrl[] {
  const links = listMarkdownLinks(page).map(({ id, text, href, slug }): EditableUrl => {
    const { query, fragment } = parseReference(href);
    const value = slug === undefined ? href : slug + query + fragment;
    return { id, kind: 'link', name: text, value };
  });
  const images = listMarkdownImages(page).flatMap(({ id, alt, path }): EditableUrl[] =>
    path === ''
      ? []
      : [{ id: id.replace(/alt$/, 'src'), kind: 'image', name: alt, value: `/${path}` }],
  );
  const positionOf = ({ id }: EditableUrl) => Number.parseInt(id.slice(1), 10);
  return [...links, ...images].sort((first, second) => positionOf(first) - positionOf(second));
}

/**
 * Changes the target of a link.
 * @throws INVALID_INPUT if `id` is not a link whose target can be changed
 */
export function writeMarkdownLink(
  source: PageSource,
  id: string,
  target: string | SiteTarget,
): string {
  const page = openMarkdownPage(source);
  const link = page.nodes.find((numbered) => `${numbered.id}.href` === id);
  if (!link || !isLink(link)) throw unknownLinkError(id);
  const url =
    typeof target === 'string'
      ? target
      : urlTo(page.file, createUrlReader(page)(link.node), target);
  const { node } = link;
  if (node.type === 'link') return writeTargets(page, [{ id: link.id, node, url }], id);
  const definition = definitionsOf(page).get(node.identifier);
  const users = page.nodes.filter(
    (other) => other.node.type === 'linkReference' && other.node.identifier === node.identifier,
  );
  if (!definition || users.length > 1) throw unknownLinkError(id);
  return writeTargets(page, [{ ...definition, url }], id);
}

export interface NewTarget {
  id: string;
  node: Link | Image | Definition;
  url: string;
}

/**
 * Writes new targets. Those that cannot be written are left out, unless `id` is given.
 * @throws INVALID_INPUT for the link `id`
 */
export function writeTargets(page: MarkdownPage, newTargets: NewTarget[], id?: string): string {
  const targets = new Map<string, TargetEdit>();
  for (const { id: nodeId, node, url } of newTargets) {
    const range = targetRange(page, node);
    const isSame = range && page.source.slice(range.start, range.end) === url;
    if (isSame) continue;
    if (range) targets.set(nodeId, { ...range, url });
    else if (id !== undefined) throw unknownLinkError(id);
  }
  return editMarkdownPage(page, { targets });
}

/** Changes an image's file and alternative text. */
export function writeMarkdownImage(
  source: PageSource,
  { id, target, alt }: { id: string; target: SiteTarget; alt: string },
): string {
  const page = openMarkdownPage(source);
  const image = checkImage(findImage(page, id), id, target.path);
  const url = urlTo(page.file, image.node.url, target);
  const written = writeTargets(page, [{ ...image, url }], id);
  return writeMarkdownAlt({ ...source, source: written }, `${image.id}.alt`, alt);
}

const findImage = (page: MarkdownPage, id: string) =>
  page.nodes.filter(isImage).find((image) => image.id === id.split('.')[0]);

/** Writes an image's alternative text. Throws INVALID_INPUT if `id` is not an image. */
export function writeMarkdownAlt(source: PageSource, id: string, text: string): string {
  const page = openMarkdownPage(source);
  const image = page.nodes.filter(isImage).find((one) => `${one.id}.alt` === id);
  if (!image) throw unknownLinkError(id);
  if (findMarkdownPlaces(page).some(({ slot }) => slot.id === id))
    return editMarkdownPage(source, { texts: { [id]: escapeMarks(text) } });
  const range = altRange(page, image.node);
  const alt = validHtmlLine(text);
  if (!range) throw unknownLinkError(id);
  const written =
    page.source.slice(0, range.start) + escapedKind.escape(alt) + page.source.slice(range.end);
  const editedImage = findImage(openMarkdownPage({ ...source, source: written }), id);
  if (editedImage?.node.alt !== alt || editedImage.node.url !== image.node.url)
    throw unknownLinkError(id);
  return written;
}

/**
 * Updates the URLs in a page after this or another page of its site moved. An entry of a data file
 * that moved gets the address of its new key.
 * @throws INVALID_INPUT for another page that states its address in its front matter
 */
export function followMarkdownMove(source: PageSource, { from, to }: PageMove): string {
  const page = openMarkdownPage(source);
  const isMoved = page.file.path === from.path;
  const keys = page.frontMatter?.entries.map(({ key }) => key) ?? [];
  const hasFormerAddress = keys.includes('aliases') || keys.includes('redirect_from');
  if (isMoved && readEntryPath(from.path) && !hasFormerAddress)
    return writeOwnValues(page.source, { from, target: to, moveUrl: (url) => url });
  const key = keys.find((name) => /^(?:slug|permalink|url)$/.test(name));
  if (isMoved && key !== undefined)
    throw invalidInput(
      `The front matter of ${page.file.slug} states its address ("${key}"), so moving its file would not move the page`,
    );
  const newFile = isMoved ? to : page.file;
  const newTargets = listTargets(page).map((target) => {
    return { ...target, url: movedUrl({ file: page.file, newFile }, target.url, { from, to }) };
  });
  return writeTargets(page, newTargets);
}

/** The links, images and definitions of a page, with their URLs. */
export function listTargets(page: MarkdownPage): NewTarget[] {
  const urlOf = createUrlReader(page);
  return page.nodes.flatMap(({ id, node }): NewTarget[] => {
    if (node.type === 'definition') return [{ id, node, url: node.url }];
    return node.type === 'link' || node.type === 'image' ? [{ id, node, url: urlOf(node) }] : [];
  });
}

/** Turns links to a page into plain text. Returns the same source if there are none. */
export function dropMarkdownLinks(source: PageSource, slug: string): string {
  const page = openMarkdownPage(source);
  const urlOf = createUrlReader(page);
  const cuts = page.nodes.filter(isLink).flatMap(({ node }) => {
    const [first, last] = [node.children[0], node.children.at(-1)];
    const { start, end } = nodeRange(node);
    if (slugOf(page.file, urlOf(node)) !== slug || !first || !last || page.source[start] !== '[')
      return [];
    return [
      { start, end: nodeRange(first).start },
      { start: nodeRange(last).end, end },
    ];
  });
  const sourceEditor = new MagicString(page.source);
  for (const { start, end } of cuts) sourceEditor.remove(start, end);
  return sourceEditor.toString();
}
