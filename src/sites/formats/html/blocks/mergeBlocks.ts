import type { MergedBlocks } from '../../changes.ts';
import type { MergeLinks } from '../../format.ts';
import { ancestors, parseDocument, within, type HtmlDocument } from '../document.ts';
import { createIds, idsOf, renamedSource } from '../groups/cloneIds.ts';
import type { Member } from '../groups/findGroups.ts';
import { areAlike } from '../groups/areAlike.ts';
import { spaceBefore } from '../escape.ts';
import { openPage } from '../openPage.ts';
import {
  blockPage,
  blocksAround,
  contentLinks,
  lastOfFolder,
  slugsIn,
  type BlockPage,
} from './blocksForPage.ts';

/** A block that a task added. */
interface Added {
  member: Member;
  /** The white space added before it. `start` is where that begins. */
  space: string;
  start: number;
  /** Slugs of the task's pages that it leads to. */
  slugs: string[];
}

/** Limits for one task. With more blocks or links, it must have changed something else. */
const MOST_ADDED = 40;
const MOST_LINKS = 200;
/** The most neighbours of a block to look for on each side. */
const MOST_BESIDE = 20;

/**
 * Adds the blocks that a task added to one version of a page to another version, beside the same
 * neighbours. Leaves out a block if the page already links to the block's page.
 * @param merge.slugs the pages that the task wrote; a block counts as added if it leads to one of
 *   them
 * @returns null if the task changed anything else in the page
 * @throws LIMIT_EXCEEDED for a page that is too large
 */
export function mergeBlocks({ before, task, page, slugs }: MergeLinks): MergedBlocks | null {
  const open = (source: string) => blockPage(openPage({ path: page.path, source }));
  const own = open(task);
  const written = new Set(slugs);
  const added = addedTo(own, before, written);
  if (!added) return null;
  const left: string[] = [];
  let { source } = page;
  for (const block of added) {
    const merged = insert(open(source), own, block, written);
    if (merged === undefined) left.push(...block.slugs);
    else source = merged;
  }
  return { source, skipped: left };
}

/** The blocks that the task added. null if it changed any other byte of the page. */
function addedTo(own: BlockPage, before: string, slugs: Set<string>): Added[] | null {
  const task = own.page.source;
  const old = parseDocument(before).source;
  const blocks = blocksFor(own, slugs);
  const added: Added[] = [];
  for (let [at, oldAt] = [0, 0]; ;) {
    const same = commonLength(task, at, old, oldAt);
    if (at + same === task.length && oldAt + same === old.length) return added;
    const [best] = blocks
      .filter(({ start, member }) => start >= at && start <= at + same && member.end > at + same)
      .map((block) => {
        const next = oldAt + block.start - at;
        return { block, next, reach: commonLength(task, block.member.end, old, next) };
      })
      .sort((a, b) => b.reach - a.reach);
    if (!best || added.length === MOST_ADDED) return null;
    added.push(best.block);
    [at, oldAt] = [best.block.member.end, best.next];
  }
}

/** Candidates for added blocks: those around each link to one of the task's pages. */
function blocksFor(own: BlockPage, slugs: Set<string>): Added[] {
  const links = contentLinks(own.page);
  const wanted = links.filter(({ slug }) => slugs.has(slug)).slice(0, MOST_LINKS);
  const members = wanted.flatMap(({ element }) =>
    blocksAround(own, element).map(({ group, index }) => group.members[index]!),
  );
  const distinct = new Map(members.map((member) => [`${member.start} ${member.end}`, member]));
  return [...distinct.values()].map((member) => {
    const space = spaceBefore(own.page.source, member.start);
    const start = member.start - space.length;
    return { member, space, start, slugs: [...new Set(slugsIn(member, wanted))] };
  });
}

function commonLength(a: string, fromA: number, b: string, fromB: number): number {
  const most = Math.min(a.length - fromA, b.length - fromB);
  let length = 0;
  while (length < most && a.charCodeAt(fromA + length) === b.charCodeAt(fromB + length)) length++;
  return length;
}

/** Adds a block to a page; undefined if no place is found for it. */
function insert(
  theirs: BlockPage,
  own: BlockPage,
  block: Added,
  slugs: Set<string>,
): string | undefined {
  const { page } = theirs;
  const known = new Set(contentLinks(page).map(({ slug }) => slug));
  if (block.slugs.some((slug) => known.has(slug))) return page.bom + page.source;
  const at = placeFor(theirs, own, block, slugs);
  if (at === undefined) return undefined;
  const written =
    page.bom +
    page.source.slice(0, at) +
    block.space +
    sourceOf(own, block, page) +
    page.source.slice(at);
  return isReadAlike(parseDocument(written), page, block) ? written : undefined;
}

/**
 * The position after a block of the same structure that leads to a neighbour's page. Tries the
 * neighbours before the added block first, nearest first, then those after it.
 */
function placeFor(
  theirs: BlockPage,
  own: BlockPage,
  { member, slugs: led }: Added,
  slugs: Set<string>,
) {
  const links = contentLinks(theirs.page);
  const bySlug = Map.groupBy(links, ({ slug }) => slug);
  for (const slug of neighboursOf(own, member, slugs))
    for (const { element } of bySlug.get(slug)?.slice(0, MOST_BESIDE) ?? []) {
      const beside = blocksAround(theirs, element).find(({ group, index }) =>
        areAlike(group.members[index]!.elements[0]!, member.elements[0]!),
      );
      if (beside) return beside.group.members[lastOfFolder(beside, led[0]!, links)]!.end;
    }
  return undefined;
}

/** Slugs of the pages that a block's neighbours lead to, the nearest before it first. */
function neighboursOf(
  own: BlockPage,
  { elements, start, end }: Member,
  written: Set<string>,
): string[] {
  const parent = elements[0]!.parentNode;
  const beside = contentLinks(own.page).filter(
    ({ element, at, slug }) =>
      (at < start || at >= end) &&
      !written.has(slug) &&
      ancestors(element).some((around) => around.parentNode === parent),
  );
  const slugs = (links: typeof beside) =>
    [...new Set(links.map(({ slug }) => slug))].slice(0, MOST_BESIDE);
  return [
    ...slugs(beside.filter(({ at }) => at < start).reverse()),
    ...slugs(beside.filter(({ at }) => at >= end)),
  ];
}

/** The block's source. Ids that the page already has are renamed. */
function sourceOf({ page }: BlockPage, { member }: Added, theirs: HtmlDocument): string {
  const elements = within(member.elements);
  const taken = new Set(theirs.elements.flatMap(idsOf));
  const renamed = [...createIds(theirs)(elements)].filter(([id]) => taken.has(id));
  return renamedSource(page, member, elements, new Map(renamed));
}

/** Whether the new page has exactly the block's elements more than before, by number. */
const isReadAlike = (after: HtmlDocument, before: HtmlDocument, { member }: Added) =>
  after.elements.length === before.elements.length + within(member.elements).length;
