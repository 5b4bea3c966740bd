import { invalidInput } from '../../invalidInput.ts';
import type { TemplateBlock } from '../pageParts.ts';
import { listHeadingAnchors } from './followTexts.ts';
import { slotsByUnit } from './findMarkdownPlaces.ts';
import { locateMarkdownSections, toBlocks } from './markdownGroups.ts';
import type { MarkdownPage, NumberedNode } from './openMarkdownPage.ts';
import { listTargets } from './pageLinks.ts';
import { type MovableBlock, rearrange, type RearrangedPage } from './rearrange.ts';

const containers = new Set(['list', 'table']);
const units = new Set(['paragraph', 'blockquote', 'listItem', 'tableRow']);

/**
 * The blocks of a page that a new page can do without, outer before inner: sections, and in them
 * paragraphs, quotes, lists and tables with their items and rows. The headline is in none.
 */
export function listRemovableBlocks(page: MarkdownPage): TemplateBlock[] {
  const root = page.nodes[0]!;
  const slots = slotsByUnit(page);
  const children = Map.groupBy(page.nodes, ({ parent }) => parent);
  const blocks = new Map<NumberedNode, TemplateBlock>();
  const idsOf = (numbered: NumberedNode) => (slots.get(numbered.id) ?? []).map(({ id }) => id);
  const addBlock = (numbered: NumberedNode, around: TemplateBlock | undefined, isUnit: boolean) => {
    const [id, outerId] = [numbered.id, around?.id ?? null];
    const contents = { slots: [], labels: [], media: [], linked: [] };
    const block: TemplateBlock = { id, around: outerId, isUnit, ...contents };
    blocks.set(numbered, block);
    return block;
  };
  /** Adds what a node contains to the block around it, or makes a block of it. */
  const visit = (numbered: NumberedNode, around: TemplateBlock | undefined) => {
    const { type } = numbered.node;
    const isUnit = units.has(type) && !around?.isUnit;
    const isContainer = containers.has(type) && !around?.isUnit;
    const isHeader = type === 'tableRow' && children.get(numbered.parent)?.[0] === numbered;
    const block =
      (isUnit && !isHeader) || isContainer ? addBlock(numbered, around, isUnit) : around;
    const ownIds = idsOf(numbered);
    block?.slots.push(...ownIds);
    if (type === 'heading' || (type === 'tableCell' && !block?.isUnit))
      block?.labels.push(...ownIds);
    const inside = children.get(numbered) ?? [];
    const isContent = inside.length === 0 && ownIds.length === 0 && type !== 'thematicBreak';
    if (type === 'image' || (isContent && numbered.parent === root)) block?.media.push(numbered.id);
    for (const child of inside) visit(child, block);
  };
  const sections = locateMarkdownSections(page).filter(({ section }) => section.kind === 'section');
  const open: { end: number; block: TemplateBlock }[] = [];
  for (const [i, numbered] of (children.get(root) ?? []).entries()) {
    while (open.length > 0 && open.at(-1)!.end <= i) open.pop();
    const around = open.at(-1)?.block;
    const isSection = sections[0]?.first === i;
    const block = isSection ? addBlock(numbered, around, false) : around;
    if (isSection) open.push({ end: sections.shift()!.end, block: block! });
    visit(numbered, block);
  }
  addLinks(page, blocks);
  return [...blocks.values()];
}

/** Adds the links to headings of blocks. */
function addLinks(page: MarkdownPage, blocks: Map<NumberedNode, TemplateBlock>): void {
  const nodes = new Map(page.nodes.map((numbered) => [numbered.id, numbered]));
  const blockAround = (numbered: NumberedNode | null): string | null =>
    numbered ? (blocks.get(numbered)?.id ?? blockAround(numbered.parent)) : null;
  const links = Map.groupBy(listTargets(page), ({ url }) => url);
  const headings = page.nodes.filter(({ node }) => node.type === 'heading');
  for (const [i, id] of listHeadingAnchors(page).entries()) {
    const from = (links.get(`#${id}`) ?? []).map((link) => blockAround(nodes.get(link.id) ?? null));
    if (from.length > 0) blocks.get(headings[i]!)?.linked.push({ id, from });
  }
}

/**
 * Writes a page without the items and rows that have one of these ids.
 * @returns null if none has
 * @throws INVALID_INPUT for an id of what cannot be removed
 */
export function removeItems(page: MarkdownPage, ids: ReadonlySet<string>): RearrangedPage | null {
  const known = new Set(listRemovableBlocks(page).map(({ id }) => id));
  const unknown = ids.values().find((id) => !known.has(id));
  if (unknown !== undefined)
    throw invalidInput(`The part "${unknown.slice(0, 40)}" of the page cannot be removed`);
  const removed = page.nodes.filter(({ id, parent }) => parent !== page.nodes[0] && ids.has(id));
  if (removed.length === 0) return null;
  const orders = [...new Set(removed.map(({ parent }) => parent!))].map((parent) => {
    // what stands under a table's header row belongs to the table
    const blocks = toBlocks(page, parent).slice(parent.node.type === 'table' ? 1 : 0);
    return { blocks, order: keptIndexes(blocks, ids), pattern: 0 };
  });
  return rearrange(page, orders);
}

/** The same for sections, and for blocks that are in no other one. */
export function removeOuterBlocks(
  page: MarkdownPage,
  ids: ReadonlySet<string>,
): RearrangedPage | null {
  const blocks = toBlocks(page, page.nodes[0]!);
  const sections = locateMarkdownSections(page).filter(({ section }) => ids.has(section.id));
  const order = keptIndexes(blocks, ids).filter(
    (i) => !sections.some(({ first, end }) => first <= i && i < end),
  );
  return order.length === blocks.length
    ? null
    : rearrange(page, [{ blocks, order, pattern: 0, isSpaced: true }]);
}

const keptIndexes = (blocks: MovableBlock[], removed: ReadonlySet<string>) =>
  [...blocks.keys()].filter((i) => !removed.has(blocks[i]!.ids[0]!));
