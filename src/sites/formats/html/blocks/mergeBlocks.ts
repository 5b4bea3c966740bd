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
  /** The white space that it brought along, and where that begins. */
  space: string;
  start: number;
  /** The task's pages that it leads to. */
  slugs: string[];
}

/**
 * What a task adds to a page is a few blocks: one that links to its pages more often has changed
 * something else.
 */
const MOST_ADDED = 40;
const MOST_LINKS = 200;
/** Neighbours of a block, before and after it, whose places are looked for. */
const MOST_BESIDE = 20;

/**
 * Puts the blocks that a task added to a page into another version of that page: beside the blocks
 * that they stand beside on the task's. One whose page is linked to already is left out.
 * @param merge.slugs the pages that the task wrote: a block counts as added where it leads to one
 *   of them
 * @returns null where the task changed anything else of the page
 * @throws LIMIT_EXCEEDED
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
  return { source, left };
}

/** The blocks that the task added. null if it changed anything else of the page, by a byte. */
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

/**
 * What may have been added: the blocks around each link to one of the pages, with the space before
 * them.
 */
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

/** The page with the block; undefined where it has no place for it. */
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
 * Behind a block like it that stands for a page which the task's page has beside it: the nearest
 * one before, else after.
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

/**
 * The pages that a block's neighbours lead to, the nearest before it first; none that the task
 * wrote.
 */
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

/** The block as the task has it; an id that the page has already gets another name. */
function sourceOf({ page }: BlockPage, { member }: Added, theirs: HtmlDocument): string {
  const elements = within(member.elements);
  const taken = new Set(theirs.elements.flatMap(idsOf));
  const renamed = [...createIds(theirs)(elements)].filter(([id]) => taken.has(id));
  return renamedSource(page, member, elements, new Map(renamed));
}

/** Whether the page has all its elements, and those of the block, after it was put in. */
const isReadAlike = (after: HtmlDocument, before: HtmlDocument, { member }: Added) =>
  after.elements.length === before.elements.length + within(member.elements).length;
