import { resultOrNull } from '../../../errors.ts';
import { type MemberOrder, patternIndex, unknownGroupError } from '../memberOrder.ts';
import type { GroupRole, PageSection, SlotGroup } from '../pageParts.ts';
import type { GroupChange, PageChange } from '../format.ts';
import { invalidInput } from '../../invalidInput.ts';
import { unknownSectionError } from '../partErrors.ts';
import { slotsByUnit } from './findMarkdownPlaces.ts';
import { nodeRange, nodeText } from './nodeKeys.ts';
import {
  computePerPage,
  type MarkdownPage,
  type NumberedNode,
  parentsOf,
} from './openMarkdownPage.ts';
import { type BlockOrder, type MovableBlock, rearrange } from './rearrange.ts';

/** A group with the source ranges of its members. */
export interface MarkdownGroup extends Omit<BlockOrder, 'order'> {
  slotGroup: SlotGroup;
}

/** Groups are tried one by one only up to this number. */
const MAX_TRIED_GROUPS = 20;

/**
 * The groups of a page that can be changed, in document order: items of lists, rows of tables, and
 * objects of lists in front matter. A list in another list is part of its members.
 */
export const findMarkdownGroups = computePerPage((page: MarkdownPage): MarkdownGroup[] => {
  const groups = [...listObjectGroups(page), ...listNodeGroups(page)];
  if (canChange(page, groups)) return groups;
  return groups.slice(0, MAX_TRIED_GROUPS).filter((group) => canChange(page, [group]));
});

/** A group by its id. Throws INVALID_INPUT for an unknown one. */
export function findMarkdownGroup(page: MarkdownPage, id: string): MarkdownGroup {
  const group = findMarkdownGroups(page).find(({ slotGroup }) => slotGroup.id === id);
  if (!group) throw unknownGroupError(id);
  return group;
}

/** Tries to add and to remove members. */
function canChange(page: MarkdownPage, groups: MarkdownGroup[]): boolean {
  const canArrange = (orderOf: (group: MarkdownGroup) => MemberOrder) => {
    const orders = groups.map((group) => ({ ...group, order: orderOf(group) }));
    return resultOrNull(() => rearrange(page, orders)) !== null;
  };
  return canArrange(({ blocks }) => [...blocks.keys(), 'clone']) && canArrange(() => [0]);
}

function listObjectGroups(page: MarkdownPage): MarkdownGroup[] {
  const { values = [], lists = [] } = page.frontMatter ?? {};
  return lists
    .filter(
      ({ path, items }) =>
        items.length <= values.length && path.every((step) => typeof step === 'string'),
    )
    .flatMap(({ path, items }) => {
      const blocks = items.map((item) => ({
        ...item,
        ids: values.flatMap(({ start }, i) =>
          start >= item.start && start < item.end ? [`s0.${i}`] : [],
        ),
      }));
      const role = /faq|question/i.test(String(path.at(-1))) ? 'question' : 'card';
      return createGroup(page, `g0.${path.join('.')}`, role, blocks);
    });
}

function listNodeGroups(page: MarkdownPage): MarkdownGroup[] {
  const isGroup = ({ node }: NumberedNode) => node.type === 'list' || node.type === 'table';
  return page.nodes.flatMap((numbered) => {
    if (!isGroup(numbered) || parentsOf(numbered).some(isGroup)) return [];
    const isTable = numbered.node.type === 'table';
    const blocks = toBlocks(page, numbered).slice(isTable ? 1 : 0);
    const [first = NaN, second] = blocks.map(({ start }) =>
      Number.parseInt(page.source.slice(start, start + 9), 10),
    );
    const id = numbered.id.replace('s', 'g');
    return createGroup(page, id, isTable ? 'table-row' : 'list-item', blocks).map((group) => {
      return { ...group, isNumbered: second === first + 1 };
    });
  });
}

/** The children of a node, each with everything in it. */
export function toBlocks({ nodes }: MarkdownPage, parent: NumberedNode): MovableBlock[] {
  const numberOf = ({ id }: NumberedNode) => Number(id.slice(1));
  const blocks: MovableBlock[] = [];
  for (const numbered of nodes.slice(numberOf(parent) + 1)) {
    if (numbered.parent === parent) blocks.push({ ...nodeRange(numbered.node), ids: [] });
    else if (!parentsOf(numbered).includes(parent)) break;
    blocks.at(-1)?.ids.push(numbered.id);
  }
  return blocks;
}

function createGroup(
  page: MarkdownPage,
  id: string,
  role: GroupRole,
  blocks: MovableBlock[],
): MarkdownGroup[] {
  const members = blocks.map(({ ids }) => ids.flatMap((unit) => slotsByUnit(page).get(unit) ?? []));
  if (members.length < 2 || members.some(({ length }) => length === 0)) return [];
  const shapes = members.map((member) =>
    member.map((slot) => [slot.role, slot.parts].join()).join(),
  );
  const pattern = patternIndex(shapes);
  const slotIds = members.map((member) => member.map((slot) => slot.id));
  const slotGroup = { id, role, section: members[0]![0]!.section, members: slotIds, pattern };
  return [{ slotGroup, blocks, pattern }];
}

/** Changes the members of a group: see `GroupChange`. */
function orderOfChange({ blocks }: MarkdownGroup, change: GroupChange): MemberOrder {
  const order: MemberOrder = change.kind === 'members' ? change.order : [...blocks.keys()];
  if (change.kind === 'exchange') {
    const [first, second] = change.memberIndexes;
    [order[first], order[second]] = [second, first];
  }
  const isKnown = (entry: MemberOrder[number] | undefined) =>
    entry === 'clone' || (entry !== undefined && blocks[entry] !== undefined);
  if (order.length > 0 && Array.from(order).every(isKnown)) return order;
  throw invalidInput(
    `Group ${change.group} has the members 0 to ${blocks.length - 1}, but not all of the requested ones`,
  );
}

/** A section or table, with the indexes of its first block and the one after its last. */
interface LocatedSection {
  section: PageSection;
  first: number;
  end: number;
}

/** The sections and tables of a page, in document order. */
export function locateMarkdownSections(page: MarkdownPage): LocatedSection[] {
  const blocks = page.nodes.filter(({ parent }) => parent === page.nodes[0]);
  const sections: LocatedSection[] = [];
  const open: LocatedSection[] = [];
  let above = '';
  for (const [first, { id, node }] of blocks.entries()) {
    if (node.type === 'table')
      sections.push({
        section: { id, kind: 'table', name: above, above, level: 0 },
        first,
        end: first + 1,
      });
    if (node.type !== 'heading') continue;
    while (open.length > 0 && open.at(-1)!.section.level >= node.depth) open.pop()!.end = first;
    above = nodeText(node);
    if (node.depth === 1) continue;
    const section: PageSection = { id, kind: 'section', name: above, level: node.depth };
    open.push({ section, first, end: blocks.length });
    sections.push(open.at(-1)!);
  }
  return sections;
}

export const listMarkdownSections = (page: MarkdownPage): PageSection[] =>
  locateMarkdownSections(page).map(({ section }) => section);

type BlockChange = Extract<
  PageChange,
  { kind: 'members' | 'exchange' | 'remove-section' | 'move-section' }
>;

/**
 * Changes the members of a group, or removes or moves a section or table.
 * @throws INVALID_INPUT for an unknown group, member or section
 */
export function changeBlocks(page: MarkdownPage, change: BlockChange): string {
  if (change.kind === 'members' || change.kind === 'exchange') {
    const group = findMarkdownGroup(page, change.group);
    return rearrange(page, [{ ...group, order: orderOfChange(group, change) }]).source;
  }
  const sections = locateMarkdownSections(page);
  const findSection = (id: string) => {
    const found = sections.find(({ section }) => section.id === id);
    if (!found) throw unknownSectionError(id);
    return found;
  };
  const { first, end } = findSection(change.id);
  const blocks = toBlocks(page, page.nodes[0]!);
  const order = [...blocks.keys()];
  const moved = order.splice(first, end - first);
  if (change.kind === 'move-section') {
    const other = findSection(change.other);
    const position =
      change.where === 'before' ? order.indexOf(other.first) : order.indexOf(other.end - 1) + 1;
    if (position < 0 || !order.includes(other.first))
      throw invalidInput('A section cannot be moved next to a part of itself');
    order.splice(position, 0, ...moved);
  }
  if (order.length === 0) throw invalidInput('The only section of a page cannot be removed');
  return rearrange(page, [{ blocks, order, pattern: 0, isSpaced: true }]).source;
}
