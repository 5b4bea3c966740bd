import type { PageFile } from '../../../contract/site.ts';
import { resultOrNull } from '../../../errors.ts';
import { countItems } from '../../countItems.ts';
import { invalidInput } from '../../invalidInput.ts';
import { plainLine } from '../../pages/texts/slotText.ts';
import { slugFolder } from '../../pages/urls/urls.ts';
import type { LinkingPage, MergedBlocks } from '../changes.ts';
import { movedUrl, slugOf } from '../fileUrls.ts';
import type { AddLinksInput, LinkBlockQuery, MergeLinksInput, PageSource } from '../format.ts';
import type { LinkBlockAnswer } from '../linkBlocks.ts';
import { slotsByUnit } from './findMarkdownPlaces.ts';
import { writeMarkdownTexts } from './followTexts.ts';
import { findMarkdownGroups, type MarkdownGroup } from './markdownGroups.ts';
import { type MarkdownPage, openMarkdownPage } from './openMarkdownPage.ts';
import { listTargets, listTemplateLinks, writeTargets } from './pageLinks.ts';
import { readNewId, rearrange } from './rearrange.ts';

/** An item of a list or a row of a table that leads to a page. */
interface LinkMember {
  group: MarkdownGroup;
  index: number;
}

/** The links of a page, and the pages that they lead to. */
interface PageLinks {
  /** Slugs by the ids of the links' nodes. */
  slugs: Map<string, string>;
  /**
   * The folder that links of the site leave out: with `/content`, a link to `/places/austin` leads
   * to `/content/places/austin`. Generators serve pages without the folder of their files.
   */
  prefix: string;
}

/**
 * Reads the links of a page that may lead to one of these pages.
 * @param slugs of pages; what their links leave out, all links of the site do
 */
function readLinks(page: MarkdownPage, slugs: string[]): PageLinks {
  const links = listTargets(page).flatMap(({ id, node, url }) => {
    const slug = node.type === 'image' ? undefined : slugOf(page.file, url);
    return slug === undefined ? [] : [{ id, slug, isAbsolute: url.startsWith('/') }];
  });
  const isLinked = slugs.some((slug) => links.some((link) => link.slug === slug));
  const prefixes = links.flatMap(({ slug, isAbsolute }) => {
    const wholeSlug = isAbsolute && slug !== '/' && slugs.find((other) => other.endsWith(slug));
    return wholeSlug ? [wholeSlug.slice(0, -slug.length)] : [];
  });
  const prefix = isLinked ? '' : (prefixes[0] ?? '');
  const slugsById = links.map(
    ({ id, slug, isAbsolute }) => [id, (isAbsolute ? prefix : '') + slug] as const,
  );
  return { slugs: new Map(slugsById), prefix };
}

/** The slugs of the pages that each member of a group links to. */
const memberSlugs = ({ blocks }: MarkdownGroup, { slugs }: PageLinks): string[][] =>
  blocks.map(({ ids }) => ids.flatMap((id) => slugs.get(id) ?? []));

/** The only member of a group that links to a page, in the first such group. */
function findLinkMember(page: MarkdownPage, slug: string): LinkMember | undefined {
  const links = readLinks(page, [slug]);
  for (const group of findMarkdownGroups(page)) {
    const linking = [...memberSlugs(group, links).entries()].filter(([, to]) => to.includes(slug));
    if (linking.length === 1) return { group, index: linking[0]![0] };
  }
  return undefined;
}

const linkedSlugs = ({ slugs }: PageLinks) => [...new Set(slugs.values())];

/** See `FormatCalls.linkingPages`. */
export function findPagesThatLink(sources: PageSource[], slug: string): LinkingPage[] {
  return sources.flatMap((source) => {
    const page = resultOrNull(() => openMarkdownPage(source));
    if (!page || page.file.slug === slug) return [];
    const to = linkedSlugs(readLinks(page, [slug]));
    if (!to.includes(slug)) return [];
    return [{ slug: page.file.slug, to, hasBlock: findLinkMember(page, slug) !== undefined }];
  });
}

/** See `FormatCalls.linkBlock`. */
export function describeLinkMember({ page: source, template }: LinkBlockQuery): LinkBlockAnswer {
  const page = openMarkdownPage(source);
  const links = readLinks(page, [template.slug]);
  const linked = linkedSlugs(links);
  const member = findLinkMember(page, template.slug);
  if (!member) return { block: null, linked, isListed: false };
  const slots = slotsByUnit(page);
  const [own = [], ...others] = [member.index, ...member.group.blocks.keys()].map((index) =>
    member.group.blocks[index]!.ids.flatMap((id) => slots.get(id) ?? []),
  );
  const lines = countItems(others.flatMap((texts) => texts.map(({ text }) => plainLine(text))));
  const ownLinks = listTemplateLinks(page).filter(
    ({ id }) => links.slugs.get(id.split('.')[0]!) === template.slug,
  );
  const ownIds = own.map(({ id }) => id);
  const block = {
    slots: own,
    naming: ownIds.filter((id) => ownLinks.some(({ slots: ids }) => ids.includes(id))),
    common: own.map(({ text }) => plainLine(text)).filter((line) => lines.get(line)! > 1),
    removable: [],
  };
  return { block, linked, isListed: false };
}

/**
 * Adds a clone of that member for each new page, after the last member for a page in the template's
 * folder: see `FormatCalls.addLinks`.
 * @throws INVALID_INPUT if no member links to the template, or a text cannot be written
 */
export function addLinkMembers({ page: source, template, items }: AddLinksInput): string {
  const page = openMarkdownPage(source);
  const member = findLinkMember(page, template.slug);
  if (!member) throw invalidInput(`No block of ${page.file.slug} links to ${template.slug}`);
  const { group, index } = member;
  const order: (number | 'clone')[] = [...group.blocks.keys()];
  const links = readLinks(page, [template.slug]);
  const last = lastInFolder(memberSlugs(group, links), template.slug);
  order.splice(last + 1, 0, ...items.map(() => 'clone' as const));
  const arranged = rearrange(page, [{ ...group, pattern: index, order }]);
  const arrangedSource = { ...source, source: arranged.source };
  const arrangedPage = openMarkdownPage(arrangedSource);
  const targets = new Map(listTargets(arrangedPage).map((target) => [target.id, target]));
  const newIdOf = (id: string, i: number) =>
    readNewId(arranged.ids, id.replace(/^s\d+/, `$&+${i + 1}`));
  const newTargets = items.flatMap(({ file }, i) =>
    group.blocks[index]!.ids.flatMap((id) => {
      const target = targets.get(newIdOf(id, i) ?? '');
      const move = { from: withoutPrefix(template, links), to: withoutPrefix(file, links) };
      return target
        ? [{ ...target, url: movedUrl({ file: page.file, newFile: page.file }, target.url, move) }]
        : [];
    }),
  );
  const texts = items.flatMap((item, i) =>
    Object.entries(item.texts).map(([id, text]): [string, string] => [newIdOf(id, i) ?? id, text]),
  );
  return writeMarkdownTexts(
    { ...source, source: writeTargets(arrangedPage, newTargets) },
    Object.fromEntries(texts),
  );
}

/** A page as links of the site name it. */
const withoutPrefix = (file: PageFile, { prefix }: PageLinks): PageFile =>
  file.slug.startsWith(`${prefix}/`) ? { ...file, slug: file.slug.slice(prefix.length) } : file;

/** The index of the last member that links to a page in the folder of another page. */
const lastInFolder = (slugs: string[][], slug: string) =>
  slugs.findLastIndex((to) => to.some((other) => slugFolder(other) === slugFolder(slug)));

/** Removes the items of lists and the rows of tables that lead to a page. */
export function dropLinkMembers(source: PageSource, slug: string): PageSource {
  const page = openMarkdownPage(source);
  const member = findLinkMember(page, slug);
  if (!member || member.group.blocks.length === 1) return source;
  const { group, index } = member;
  const order = [...group.blocks.keys()].filter((other) => other !== index);
  const rearranged = rearrange(page, [{ ...group, order }]);
  return dropLinkMembers({ path: source.path, source: rearranged.source }, slug);
}

/**
 * Adds the members that a task added to a newer version of the page, after the member that they
 * followed: see `FormatCalls.mergeLinks`.
 */
export function mergeLinkMembers({
  before,
  task,
  page: current,
  slugs,
}: MergeLinksInput): MergedBlocks | null {
  const taskPage = openMarkdownPage({ ...current, source: task });
  for (const group of findMarkdownGroups(taskPage)) {
    const to = memberSlugs(group, readLinks(taskPage, slugs));
    const added = [...to.keys()].filter((i) => to[i]!.some((slug) => slugs.includes(slug)));
    const kept = [...to.keys()].filter((i) => !added.includes(i));
    if (added.length === 0 || kept.length === 0) continue;
    if (rearrange(taskPage, [{ ...group, order: kept }]).source !== before) continue;
    return insertMembers({ taskPage, group, to }, { added, current });
  }
  return null;
}

function insertMembers(
  { taskPage, group, to }: { taskPage: MarkdownPage; group: MarkdownGroup; to: string[][] },
  { added, current }: { added: number[]; current: PageSource },
): MergedBlocks {
  const first = added[0]!;
  const neighbors = [...to.slice(0, first).reverse(), ...to.slice(first)].flat();
  let { source } = current;
  const skipped: string[] = [];
  for (const index of added.toReversed()) {
    const page = openMarkdownPage({ ...current, source });
    const linked = linkedSlugs(readLinks(page, to[index]!));
    if (to[index]!.every((slug) => linked.includes(slug))) continue;
    const places = neighbors.values().map((slug) => findLinkMember(page, slug));
    const place = places.find((member) => member !== undefined);
    const block = group.blocks[index]!;
    const { end } = place?.group.blocks[place.index] ?? { end: 0 };
    const gapStart = group.blocks[index - 1]?.end ?? block.end;
    const text = taskPage.source.slice(gapStart, block.end);
    const merged = source.slice(0, end) + text + source.slice(end);
    const hasMember =
      place &&
      openMarkdownPage({ ...current, source: merged }).nodes.length ===
        page.nodes.length + block.ids.length;
    if (hasMember) source = merged;
    else skipped.push(...to[index]!);
  }
  return { source, skipped };
}
