import { mapById } from '../../../contract/mapById.ts';
import type { TemplateBlock, TextSlot } from '../../../sites/formats/pageParts.ts';
import type { TemplatePage } from '../agentTypes.ts';
import { plainText } from '../text/parseMarks.ts';
import { createBlockTree, type BlockTree } from './blockTree.ts';
import { isHiddenValueId, type CarriedOverStatement } from './templateOutcome.ts';

/** What is removed from a page, so that it states nothing that only holds for the template. */
export interface DroppedContent {
  /** Ids for `GeneratedPage.removed`. */
  removed: string[];
  /** Ids of everything inside the removed blocks. */
  goneIds: ReadonlySet<string>;
  removedStatements: CarriedOverStatement[];
  /**
   * Statements that can't be removed: they are in a title, in a heading, or among other texts of
   * their block.
   */
  remainingStatements: CarriedOverStatement[];
  /** Headings of sections that became empty. */
  sections: string[];
  /** Ids that links on the page still name although they are gone. */
  links: string[];
}

/**
 * Finds what to remove from a page: the blocks that state what only holds for the template, such as
 * its prices, and then each block that has nothing left but a heading. The page itself is not
 * changed.
 * @param carriedOver all statements on the page that only hold for the template
 */
export function dropCarriedOver(
  { blocks = [] }: Pick<TemplatePage, 'blocks'>,
  slots: readonly TextSlot[],
  carriedOver: CarriedOverStatement[],
): DroppedContent {
  const tree = createBlockTree(blocks);
  const removedBlocks = findRemovedBlocks(tree, carriedOver);
  const outermost = [...removedBlocks].filter((block) => !removedBlocks.has(tree.around(block)!));
  const valueIds = carriedOver
    .flatMap(({ ids }) => ids.filter(isHiddenValueId))
    .filter((id) => !tree.blockOf(id));
  const removable = new Set(valueIds.filter((id) => isRemovableValue(slots, id)));
  const emptied = findWholeObjectIds(slots, removable);
  const removedIds = new Set([
    ...outermost.flatMap((block) => tree.idsIn(block)),
    ...removable,
    ...emptied,
  ]);
  const [removedStatements, remainingStatements] = [true, false].map((isRemoved) =>
    carriedOver.filter(({ ids }) => ids.some((id) => removedIds.has(id)) === isRemoved),
  );
  const slotsById = mapById(slots);
  const headings = outermost
    .flatMap((block) => tree.idsIn(block).flatMap((id) => slotsById.get(id) ?? []))
    .filter(({ role, level = 2 }) => role === 'heading' && level <= 2);
  return {
    removed: [...outermost.map(({ id }) => id), ...removable],
    goneIds: removedIds,
    removedStatements: removedStatements!,
    remainingStatements: remainingStatements!,
    sections: headings.map(({ text }) => plainText(text)),
    links: [...removedBlocks]
      .flatMap(({ linked }) => linked)
      .filter(({ from }) => from.some((id) => id === null || !removedIds.has(id)))
      .map(({ id }) => id),
  };
}

/** Whether a value of structured data can be removed. Descriptions can't. */
function isRemovableValue(slots: readonly TextSlot[], id: string): boolean {
  const slot = slots.find((slot) => slot.id === id);
  return !slot || slot.role === 'structured-data';
}

/**
 * Objects in structured data that are useless without one of their parts. They are removed as a
 * whole (`dropValues`).
 */
const WHOLE_OBJECT =
  /(?:^|\.)(?:aggregateRating|geo|address|openingHoursSpecification|offers|priceSpecification|reviewRating|reviews?)(?:\[\d+\])?(?=\.)/g;

/** Ids of the values that are removed together with others of their object. */
function findWholeObjectIds(slots: readonly TextSlot[], ids: ReadonlySet<string>): string[] {
  const listObjects = ({ id, jsonPath = '' }: TextSlot) =>
    [...jsonPath.matchAll(WHOLE_OBJECT)].map(
      ({ index, 0: { length } }) => `${id.split('.')[0]} ${jsonPath.slice(0, index + length)}`,
    );
  const removedObjects = new Set(slots.filter(({ id }) => ids.has(id)).flatMap(listObjects));
  return slots
    .filter((slot) => listObjects(slot).some((object) => removedObjects.has(object)))
    .map(({ id }) => id);
}

/** Blocks to remove, with all blocks in them, from the inside out. */
function findRemovedBlocks(
  tree: BlockTree,
  carriedOver: CarriedOverStatement[],
): Set<TemplateBlock> {
  const droppedIds = new Set(carriedOver.flatMap(({ ids }) => ids));
  const quotedIds = new Set(carriedOver.flatMap(({ kind, ids }) => (kind === 'quote' ? ids : [])));
  const removedBlocks = new Set<TemplateBlock>();
  /** Blocks without visible content other than labels. */
  const bareBlocks = new Set<TemplateBlock>();
  /**
   * Blocks that only contain removed quotes, or quotes and other removed texts. Their pictures show
   * the quoted persons or their businesses.
   */
  const quoteBlocks = new Set<TemplateBlock>();
  for (const block of tree.blocks.toReversed()) {
    const children = tree.children(block);
    const textIds = block.slots.filter((id) => !block.labels.includes(id));
    const isHit =
      [...block.slots, ...block.media].some((id) => droppedIds.has(id)) || droppedIds.has(block.id);
    const isTouched = isHit || children.some((child) => removedBlocks.has(child));
    const isQuoted = (id: string) => quotedIds.has(id) || id.endsWith('.alt');
    const isQuoteOrBare = (child: TemplateBlock) => quoteBlocks.has(child) || bareBlocks.has(child);
    const hasQuote =
      textIds.some((id) => quotedIds.has(id)) || children.some((child) => quoteBlocks.has(child));
    const isQuote = hasQuote
      ? textIds.every((id) => isQuoted(id) || droppedIds.has(id)) &&
        children.every((child) => isQuoteOrBare(child) || removedBlocks.has(child))
      : textIds.every(isQuoted) && children.every(isQuoteOrBare);
    const media = isQuote && isTouched ? [] : block.media;
    const remainingContent = [...textIds.filter((id) => !id.endsWith('.alt')), ...media].filter(
      (id) => !droppedIds.has(id),
    );
    const remainingChildren = children.filter(
      (child) => !removedBlocks.has(child) && !bareBlocks.has(child),
    );
    if (isQuote && (isTouched || children.some((child) => quoteBlocks.has(child))))
      quoteBlocks.add(block);
    if (textIds.length === 0 && media.length === 0 && remainingChildren.length === 0 && !isTouched)
      bareBlocks.add(block);
    if (
      block.isUnit
        ? isHit
        : isTouched && remainingContent.length === 0 && remainingChildren.length === 0
    )
      removedBlocks.add(block);
  }
  return removedBlocks;
}
