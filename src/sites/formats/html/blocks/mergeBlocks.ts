import type { MergedBlocks } from '../../changes.ts';
import type { PageFile } from '../../../../contract/site.ts';
import { descendants, parseDocument, type Element, type HtmlDocument } from '../document.ts';
import { createIds, idsOf, renamedSource } from '../groups/cloneIds.ts';
import type { Member } from '../groups/findGroups.ts';
import { movableElements } from '../groups/movableElements.ts';
import { areAlike } from '../groups/areAlike.ts';
import { spaceBefore } from '../escape.ts';
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
  /** The white space that it brought along. */
  space: string;
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
 * @param sources the page as the task found it, as the task leaves it, and as others left it
 * @param slugs the pages that the task wrote: a block counts as added where it leads to one of them
 * @returns null where the task changed anything else of the page
 * @throws LIMIT_EXCEEDED
 */
export function mergeBlocks(
  file: PageFile,
  { before, task, theirs }: { before: string; task: string; theirs: string },
  slugs: string[],
): MergedBlocks | null {
  const own = openPage(task, file);
  const added = addedTo(own, before, new Set(slugs));
  if (!added) return null;
  const left: string[] = [];
  let source = theirs;
  for (const block of added) {
    const merged = insert(openPage(source, file), own, block, new Set(slugs));
    if (merged === undefined) left.push(...block.slugs);
    else source = merged;
  }
  return { source, left };
}

const openPage = (source: string, file: PageFile) => blockPage(parseDocument(source), file);

/**
 * The blocks without which the task's page is the one before it, byte for byte; null where there
 * are none such.
 */
function addedTo(own: BlockPage, before: string, slugs: Set<string>): Added[] | null {
  const task = own.page.source;
  const old = parseDocument(before).source;
  const blocks = blocksFor(own, slugs);
  const added: Added[] = [];
  for (let [at, oldAt] = [0, 0]; ;) {
    const same = commonLength(task, at, old, oldAt);
    if (at + same === task.length && oldAt + same === old.length) return added;
    const found = blocks
      .filter(({ member, space }) => member.start - space.length >= at)
      .filter(
        ({ member, space }) => member.start - space.length <= at + same && member.end > at + same,
      )
      .map((block) => {
        const next = oldAt + block.member.start - block.space.length - at;
        return { block, next, reach: commonLength(task, block.member.end, old, next) };
      })
      .reduce<{ block: Added; next: number; reach: number } | null>(
        (best, one) => (best && best.reach >= one.reach ? best : one),
        null,
      );
    if (!found || added.length === MOST_ADDED) return null;
    added.push(found.block);
    [at, oldAt] = [found.block.member.end, found.next];
  }
}

/**
 * What may have been added: the blocks around each link to one of the pages, with the space before
 * them.
 */
function blocksFor(own: BlockPage, slugs: Set<string>): Added[] {
  const links = contentLinks(own);
  const movable = movableElements(own.page);
  const wanted = links.filter(({ slug }) => slugs.has(slug)).slice(0, MOST_LINKS);
  const members = wanted.flatMap(({ element }) =>
    blocksAround(own, element, movable).map(({ group, index }) => group.members[index]!),
  );
  const distinct = new Map(members.map((member) => [`${member.start} ${member.end}`, member]));
  return [...distinct.values()].map((member) => ({
    member,
    space: spaceBefore(own.page.source, member.start),
    slugs: [...new Set(slugsIn(member, wanted))],
  }));
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
  const links = contentLinks(theirs);
  const known = new Set(links.map(({ slug }) => slug));
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
  const links = contentLinks(theirs);
  const bySlug = Map.groupBy(links, ({ slug }) => slug);
  const movable = movableElements(theirs.page);
  for (const slug of neighboursOf(own, member, slugs))
    for (const { element } of bySlug.get(slug)?.slice(0, MOST_BESIDE) ?? []) {
      const beside = blocksAround(theirs, element, movable).find(({ group, index }) =>
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
  const beside = contentLinks(own).filter(
    ({ element, at, slug }) =>
      (at < start || at >= end) && !written.has(slug) && isInside(element, parent),
  );
  const slugs = (links: typeof beside) =>
    [...new Set(links.map(({ slug }) => slug))].slice(0, MOST_BESIDE);
  return [
    ...slugs(beside.filter(({ at }) => at < start).reverse()),
    ...slugs(beside.filter(({ at }) => at >= end)),
  ];
}

function isInside(element: Element, around: unknown): boolean {
  for (let node: unknown = element.parentNode; node; node = (node as Element).parentNode)
    if (node === around) return true;
  return false;
}

const allIn = (elements: Element[]) =>
  elements.flatMap((element) => [element, ...descendants(element)]);

/** The block as the task has it; an id that the page has already gets another name. */
function sourceOf({ page }: BlockPage, { member }: Added, theirs: HtmlDocument): string {
  const elements = allIn(member.elements);
  const taken = new Set([...theirs.numbers.keys()].flatMap(idsOf));
  const renamed = [...createIds(theirs)(elements)].filter(([id]) => taken.has(id));
  return renamedSource(page, member, elements, new Map(renamed));
}

/** Whether the page has all its elements, and those of the block, after it was put in. */
function isReadAlike({ numbers }: HtmlDocument, before: HtmlDocument, { member }: Added): boolean {
  return numbers.size === before.numbers.size + allIn(member.elements).length;
}
