import type { TextRange } from '../../../text/textRange.ts';
import { sourceLines } from '../../../text/sourceLines.ts';
import { invalidInput } from '../../invalidInput.ts';
import type { MemberOrder } from '../memberOrder.ts';
import { slotsByUnit } from './findMarkdownPlaces.ts';
import { nodeKey } from './nodeKeys.ts';
import { type MarkdownPage, openMarkdownPage } from './openMarkdownPage.ts';

/** A block with everything in it: its range, and the ids of its nodes or values, in order. */
export interface MovableBlock extends TextRange {
  ids: string[];
}

/** Adjacent blocks, and the order that they get. Clones are made of the block `pattern`. */
export interface BlockOrder {
  blocks: MovableBlock[];
  order: MemberOrder;
  pattern: number;
  /** For an ordered list: whether its items count up. */
  isNumbered?: boolean;
  /** Whether blocks that were not neighbours need an empty line between them. */
  isSpaced?: boolean;
}

/** A page with its blocks in another order. */
export interface RearrangedPage {
  source: string;
  /**
   * The new id of a node or value by its former one: `s12`, or `s0.3` in front matter. `+n` after
   * the number stands for the nth clone: `s12+1`, `s0+1.3`.
   */
  ids: ReadonlyMap<string, string>;
}

/**
 * Writes a page with blocks removed, cloned or moved. What is between two blocks moves with the
 * second one.
 * @throws INVALID_INPUT if the page would then be read in another way
 */
export function rearrange(page: MarkdownPage, orders: BlockOrder[]): RearrangedPage {
  const sorted = orders.toSorted((first, second) => startOf(first) - startOf(second));
  const parts: string[] = [];
  const unitIds: string[] = [];
  const [allIds, positions] = listUnits(page);
  let [sourceEnd, nextUnit] = [0, 0];
  for (const blockOrder of sorted) {
    const { blocks } = blockOrder;
    parts.push(page.source.slice(sourceEnd, startOf(blockOrder)), writeBlocks(page, blockOrder));
    const firstUnit = positions.get(blocks[0]!.ids[0]!)!;
    unitIds.push(...allIds.slice(nextUnit, firstUnit), ...orderedIds(blockOrder));
    sourceEnd = blocks.at(-1)!.end;
    nextUnit = firstUnit + blocks.reduce((sum, { ids }) => sum + ids.length, 0);
  }
  unitIds.push(...allIds.slice(nextUnit));
  const source = parts.join('') + page.source.slice(sourceEnd);
  const newPage = openMarkdownPage({ path: page.file.path, source });
  const [newIds] = listUnits(newPage);
  const ids = new Map(unitIds.map((id, i) => [id, newIds[i] ?? '']));
  if (newIds.length !== unitIds.length || !haveSameUnits(page, newPage, ids))
    throw invalidInput('Blocks of this page cannot be moved without changing the Markdown around');
  return { source, ids };
}

/** The new id of a text, link or image (`s12+1.alt`). */
export function readNewId(ids: RearrangedPage['ids'], id: string): string | undefined {
  const [unit = id] = /^s[\d+]+/.exec(id) ?? [];
  const newUnit = ids.get(unit);
  return ids.get(id) ?? (newUnit === undefined ? undefined : newUnit + id.slice(unit.length));
}

const startOf = ({ blocks }: BlockOrder) => blocks[0]!.start;
/** The id of the unit that a clone's unit is copied from: `s0.3` for `s0+1.3`. */
const originalId = (id: string) => id.replace(/\+\d+/, '');

/** The ids of all values of front matter and all nodes, in order, with their positions. */
function listUnits({ frontMatter, nodes }: MarkdownPage): [string[], Map<string, number>] {
  const ids = [
    ...(frontMatter?.values ?? []).map((_, i) => `s0.${i}`),
    ...nodes.slice(1).map(({ id }) => id),
  ];
  return [ids, new Map(ids.map((id, i) => [id, i]))];
}

function orderedIds({ blocks, order, pattern }: BlockOrder): string[] {
  let clones = 0;
  return order.flatMap((entry) => {
    if (entry !== 'clone') return blocks[entry]!.ids;
    clones++;
    return blocks[pattern]!.ids.map((id) => id.replace(/^s\d+/, `$&+${clones}`));
  });
}

function writeBlocks({ source }: MarkdownPage, blockOrder: BlockOrder): string {
  const { blocks, order, pattern, isNumbered, isSpaced } = blockOrder;
  const gaps = blocks.slice(1).map(({ start }, i) => source.slice(blocks[i]!.end, start));
  const emptyLine = sourceLines(source).end.repeat(2);
  const gapBefore = (index: number, previous: number | 'clone' | undefined) => {
    const gap = gaps[index - 1] ?? gaps.at(-1) ?? emptyLine;
    const isKept = !isSpaced || previous === index - 1 || /\n[ \t]*\r?\n/.test(gap);
    return isKept ? gap : emptyLine;
  };
  return order
    .map((entry, i) => {
      const index = entry === 'clone' ? pattern : entry;
      const block = blocks[index]!;
      const raw = source.slice(block.start, block.end);
      const text = isNumbered ? renumber(raw, source.slice(blocks[0]!.start), i) : raw;
      return i === 0
        ? text
        : gapBefore(entry === 'clone' ? blocks.length : index, order[i - 1]) + text;
    })
    .join('');
}

/** Gives an item of an ordered list the number of its place, if it has as many digits. */
const renumber = (item: string, list: string, index: number) =>
  item.replace(/^\d+/, (number) => {
    const newNumber = String(Number.parseInt(list, 10) + index);
    return newNumber.length === number.length ? newNumber : number;
  });

/** Whether the units of the new page are those of the old one with these ids. */
function haveSameUnits(
  page: MarkdownPage,
  newPage: MarkdownPage,
  ids: ReadonlyMap<string, string>,
): boolean {
  const [describe, describeNew] = [page, newPage].map(createUnitDescription);
  return [...ids].every(([id, newId]) => describe!(originalId(id)) === describeNew!(newId));
}

/** Makes a function that tells what a unit is, with the texts of its slots. */
function createUnitDescription(page: MarkdownPage): (id: string) => string {
  const values = page.frontMatter?.values ?? [];
  const slots = slotsByUnit(page);
  const nodes = new Map(page.nodes.map((numbered) => [numbered.id, numbered]));
  return (id) => {
    const numbered = nodes.get(id);
    const value = numbered ? undefined : values[Number(id.slice(3))];
    const names = value?.path.map((step) => (typeof step === 'number' ? '' : step));
    const slotTexts = (slots.get(id) ?? []).map(({ text }) => text);
    const own = numbered
      ? [numbered.parent?.node.type, nodeKey(numbered.node)]
      : [names, value?.value];
    return JSON.stringify([own, slotTexts]);
  };
}
