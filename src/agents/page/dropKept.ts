import { mapById } from '../../contract/mapById.ts';
import type { Block, Slot } from '../../sites/formats/page.ts';
import type { TemplatePage } from '../agent.ts';
import { plainText } from '../text/marks.ts';
import { blockTree, type BlockTree } from './blockTree.ts';
import { isValue, type Kept } from './outcome.ts';

/** The parts to remove from a page, so that it states nothing that only holds for the template. */
export interface Dropped {
  /** Ids for `GeneratedPage.removed`. */
  removed: string[];
  /** Ids of everything inside the removed blocks. */
  goneIds: ReadonlySet<string>;
  removedStatements: Kept[];
  /** What can't be removed: it is in a title, a heading, or among other texts of its block. */
  remainingStatements: Kept[];
  /** Headings of sections that became empty. */
  sections: string[];
  /** Ids that links on the page still name although they are gone. */
  links: string[];
}

/**
 * Removes the blocks that state what only holds for the template, and then each block that has
 * nothing left but a heading.
 */
export function dropKept(
  { blocks = [] }: Pick<TemplatePage, 'blocks'>,
  slots: readonly Slot[],
  kept: Kept[],
): Dropped {
  const tree = blockTree(blocks);
  const gone = goneBlocks(tree, kept);
  const outermost = [...gone].filter((block) => !gone.has(tree.around(block)!));
  const values = kept.flatMap(({ ids }) => ids.filter(isValue)).filter((id) => !tree.blockOf(id));
  const removable = new Set(values.filter((id) => isDataValue(slots, id)));
  const emptied = wholesOf(slots, removable);
  const all = new Set([
    ...outermost.flatMap((block) => tree.idsIn(block)),
    ...removable,
    ...emptied,
  ]);
  const [went, stayed] = [true, false].map((goes) =>
    kept.filter(({ ids }) => ids.some((id) => all.has(id)) === goes),
  );
  const texts = mapById(slots);
  const headings = outermost
    .flatMap((block) => tree.idsIn(block).flatMap((id) => texts.get(id) ?? []))
    .filter(({ role, level = 2 }) => role === 'heading' && level <= 2);
  return {
    removed: [...outermost.map(({ id }) => id), ...removable],
    goneIds: all,
    removedStatements: went!,
    remainingStatements: stayed!,
    sections: headings.map(({ text }) => plainText(text)),
    links: [...gone]
      .flatMap(({ linked }) => linked)
      .filter(({ from }) => from.some((id) => id === null || !all.has(id)))
      .map(({ id }) => id),
  };
}

/** Whether a value of structured data can be removed. Descriptions can't. */
function isDataValue(slots: readonly Slot[], id: string): boolean {
  const slot = slots.find((slot) => slot.id === id);
  return !slot || slot.role === 'structured-data';
}

/**
 * Objects in structured data that are useless without one of their parts. They are removed as a
 * whole (`dropValues`).
 */
const WHOLE =
  /(?:^|\.)(?:aggregateRating|geo|address|openingHoursSpecification|offers|priceSpecification|reviewRating|reviews?)(?:\[\d+\])?(?=\.)/g;

/** Ids of the values that are removed together with others of their object. */
function wholesOf(slots: readonly Slot[], ids: ReadonlySet<string>): string[] {
  const objects = ({ id, jsonPath = '' }: Slot) =>
    [...jsonPath.matchAll(WHOLE)].map(
      ({ index, 0: { length } }) => `${id.split('.')[0]} ${jsonPath.slice(0, index + length)}`,
    );
  const gone = new Set(slots.filter(({ id }) => ids.has(id)).flatMap(objects));
  return slots
    .filter((slot) => objects(slot).some((object) => gone.has(object)))
    .map(({ id }) => id);
}

/** Blocks to remove, with all blocks in them, from the inside out. */
function goneBlocks(tree: BlockTree, kept: Kept[]): Set<Block> {
  const dropped = new Set(kept.flatMap(({ ids }) => ids));
  const quoted = new Set(kept.flatMap(({ kind, ids }) => (kind === 'quote' ? ids : [])));
  const gone = new Set<Block>();
  /** Blocks without visible content other than labels. */
  const bare = new Set<Block>();
  /** Blocks that only contain removed quotes. Their pictures show the quoted persons. */
  const saying = new Set<Block>();
  for (const block of tree.blocks.toReversed()) {
    const children = tree.children(block);
    const texts = block.slots.filter((id) => !block.labels.includes(id));
    const isHit =
      [...block.slots, ...block.media].some((id) => dropped.has(id)) || dropped.has(block.id);
    const isTouched = isHit || children.some((child) => gone.has(child));
    const isQuote =
      texts.every((id) => quoted.has(id) || id.endsWith('.alt')) &&
      children.every((child) => saying.has(child) || bare.has(child));
    const media = isQuote && isTouched ? [] : block.media;
    const left = [...texts.filter((id) => !id.endsWith('.alt')), ...media].filter(
      (id) => !dropped.has(id),
    );
    const others = children.filter((child) => !gone.has(child) && !bare.has(child));
    if (isQuote && (isTouched || children.some((child) => saying.has(child)))) saying.add(block);
    if (texts.length === 0 && media.length === 0 && others.length === 0 && !isTouched)
      bare.add(block);
    if (block.isUnit ? isHit : isTouched && left.length === 0 && others.length === 0)
      gone.add(block);
  }
  return gone;
}
