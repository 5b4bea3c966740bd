import type { MergedBlocks } from '../../changes.ts';
import type { MergeLinksInput } from '../../format.ts';
import { ancestors, parseDocument, within, type HtmlDocument } from '../document.ts';
import { createIdGenerator, elementIds, renameIdsInSource } from '../groups/cloneIds.ts';
import type { GroupMember } from '../groups/findGroups.ts';
import { areAlike } from '../groups/areAlike.ts';
import { spaceBefore } from '../../escape.ts';
import { openHtmlPage } from '../openHtmlPage.ts';
import {
  openBlockPage,
  blocksAround,
  contentLinks,
  lastMemberInFolder,
  linkedSlugs,
  type BlockPage,
} from './pageBlocks.ts';

/** A block that a task added: one element, or a `dt` with its `dd`s. */
interface AddedBlock {
  member: GroupMember;
  /** The white space added before it. `start` is where that begins. */
  space: string;
  start: number;
  /** Slugs of the task's pages that it leads to. */
  slugs: string[];
}

/** Limits for one task. With more blocks or links, it must have changed something else. */
const MAX_ADDED_BLOCKS = 40;
const MAX_TASK_LINKS = 200;
/** The most neighbours of a block to look for on each side. */
const MAX_NEIGHBORS = 20;

/**
 * Adds the blocks that a task added to one version of a page to a newer version, which others have
 * changed meanwhile. Each block goes beside the same neighbours, unless the newer version already
 * links to the block's page.
 * @param merge.slugs the pages that the task wrote; a block counts as added if it leads to one of
 *   them
 * @returns the new source, and the slugs of the blocks without a place in it; null if the task
 *   changed anything else
 * @throws LIMIT_EXCEEDED for a page that is too large
 */
export function mergeBlocks({ before, task, page, slugs }: MergeLinksInput): MergedBlocks | null {
  const openSource = (source: string) => openBlockPage(openHtmlPage({ path: page.path, source }));
  const taskPage = openSource(task);
  const taskSlugs = new Set(slugs);
  const addedBlocks = findAddedBlocks(taskPage, before, taskSlugs);
  if (!addedBlocks) return null;
  const skippedSlugs: string[] = [];
  let { source } = page;
  for (const block of addedBlocks) {
    const mergedSource = insertBlock(openSource(source), taskPage, block, taskSlugs);
    if (mergedSource === undefined) skippedSlugs.push(...block.slugs);
    else source = mergedSource;
  }
  return { source, skipped: skippedSlugs };
}

/**
 * The blocks that the task added; null if it changed any other byte of the page. Goes through both
 * sources: wherever they differ, one of the candidate blocks must be the difference.
 */
function findAddedBlocks(
  taskPage: BlockPage,
  formerSource: string,
  slugs: Set<string>,
): AddedBlock[] | null {
  const taskSource = taskPage.page.source;
  const oldSource = parseDocument(formerSource).source;
  const blocks = candidateBlocks(taskPage, slugs);
  const addedBlocks: AddedBlock[] = [];
  for (let [position, oldPosition] = [0, 0]; ;) {
    const sameLength = commonLength(taskSource, position, oldSource, oldPosition);
    if (
      position + sameLength === taskSource.length &&
      oldPosition + sameLength === oldSource.length
    )
      return addedBlocks;
    const [best] = blocks
      .filter(
        ({ start, member }) =>
          start >= position && start <= position + sameLength && member.end > position + sameLength,
      )
      .map((block) => {
        const next = oldPosition + block.start - position;
        return { block, next, reach: commonLength(taskSource, block.member.end, oldSource, next) };
      })
      .sort((first, second) => second.reach - first.reach);
    if (!best || addedBlocks.length === MAX_ADDED_BLOCKS) return null;
    addedBlocks.push(best.block);
    [position, oldPosition] = [best.block.member.end, best.next];
  }
}

/** Candidates for added blocks: those around each link to one of the task's pages. */
function candidateBlocks(taskPage: BlockPage, slugs: Set<string>): AddedBlock[] {
  const links = contentLinks(taskPage.page);
  const taskLinks = links.filter(({ slug }) => slugs.has(slug)).slice(0, MAX_TASK_LINKS);
  const members = taskLinks.flatMap(({ element }) =>
    blocksAround(taskPage, element).map(({ group, index }) => group.members[index]!),
  );
  const distinctMembers = new Map(
    members.map((member) => [`${member.start} ${member.end}`, member]),
  );
  return [...distinctMembers.values()].map((member) => {
    const space = spaceBefore(taskPage.page.source, member.start);
    const start = member.start - space.length;
    return { member, space, start, slugs: [...new Set(linkedSlugs(member, taskLinks))] };
  });
}

function commonLength(
  source: string,
  from: number,
  otherSource: string,
  otherFrom: number,
): number {
  const maxLength = Math.min(source.length - from, otherSource.length - otherFrom);
  let length = 0;
  while (
    length < maxLength &&
    source.charCodeAt(from + length) === otherSource.charCodeAt(otherFrom + length)
  )
    length++;
  return length;
}

/**
 * Adds a block to a page. undefined if the page lacks the block's neighbours, or a parser would
 * read the result differently.
 */
function insertBlock(
  currentPage: BlockPage,
  taskPage: BlockPage,
  block: AddedBlock,
  slugs: Set<string>,
): string | undefined {
  const { page } = currentPage;
  const knownSlugs = new Set(contentLinks(page).map(({ slug }) => slug));
  if (block.slugs.some((slug) => knownSlugs.has(slug))) return page.bom + page.source;
  const position = findInsertPosition(currentPage, taskPage, block, slugs);
  if (position === undefined) return undefined;
  const mergedSource =
    page.bom +
    page.source.slice(0, position) +
    block.space +
    blockSource(taskPage, block, page) +
    page.source.slice(position);
  return hasOnlyBlockAdded(parseDocument(mergedSource), page, block) ? mergedSource : undefined;
}

/**
 * The position after a block of the same structure that leads to a neighbour's page. Tries the
 * neighbours before the added block first, nearest first, then those after it.
 */
function findInsertPosition(
  currentPage: BlockPage,
  taskPage: BlockPage,
  { member, slugs: blockSlugs }: AddedBlock,
  slugs: Set<string>,
) {
  const links = contentLinks(currentPage.page);
  const bySlug = Map.groupBy(links, ({ slug }) => slug);
  for (const slug of neighborSlugs(taskPage, member, slugs))
    for (const { element } of bySlug.get(slug)?.slice(0, MAX_NEIGHBORS) ?? []) {
      const neighbor = blocksAround(currentPage, element).find(({ group, index }) =>
        areAlike(group.members[index]!.elements[0]!, member.elements[0]!),
      );
      if (neighbor)
        return neighbor.group.members[lastMemberInFolder(neighbor, blockSlugs[0]!, links)]!.end;
    }
  return undefined;
}

/** Slugs of the pages that a block's neighbours lead to, the nearest before it first. */
function neighborSlugs(
  taskPage: BlockPage,
  { elements, start, end }: GroupMember,
  taskSlugs: Set<string>,
): string[] {
  const parent = elements[0]!.parentNode;
  const neighborLinks = contentLinks(taskPage.page).filter(
    ({ element, at, slug }) =>
      (at < start || at >= end) &&
      !taskSlugs.has(slug) &&
      ancestors(element).some((ancestor) => ancestor.parentNode === parent),
  );
  const distinctSlugs = (links: typeof neighborLinks) =>
    [...new Set(links.map(({ slug }) => slug))].slice(0, MAX_NEIGHBORS);
  return [
    ...distinctSlugs(neighborLinks.filter(({ at }) => at < start).reverse()),
    ...distinctSlugs(neighborLinks.filter(({ at }) => at >= end)),
  ];
}

/** The block's source. Ids that the page already has are replaced by new ones. */
function blockSource(
  { page }: BlockPage,
  { member }: AddedBlock,
  currentDocument: HtmlDocument,
): string {
  const elements = within(member.elements);
  const takenIds = new Set(currentDocument.elements.flatMap(elementIds));
  const renamedIds = [...createIdGenerator(currentDocument)(elements)].filter(([id]) =>
    takenIds.has(id),
  );
  return renameIdsInSource(page, member, elements, new Map(renamedIds));
}

/** Whether a page has only the block's elements more than before, by their number. */
const hasOnlyBlockAdded = (
  mergedDocument: HtmlDocument,
  oldDocument: HtmlDocument,
  { member }: AddedBlock,
) =>
  mergedDocument.elements.length === oldDocument.elements.length + within(member.elements).length;
