import { escapeMarks } from '../../../../sites/pages/slotText.ts';
import type { Edit } from '../../../siteCalls.ts';
import type { GroupListing } from '../../../tools/grouping.ts';
import type { StepOf } from '../planSteps.ts';
import { call } from './askSite.ts';
import {
  called,
  memberAt,
  onlyGroup,
  onlyMember,
  underHeading,
  type Group,
  type ItemPlace,
} from './findItems.ts';
import { textsFor } from './newItemTexts.ts';
import { refuse } from './refuse.ts';

/** Adds a member to the only group that fits. The prompt may omit texts that all members share. */
export function addItem(groups: GroupListing, step: StepOf<'add'>): Edit[] {
  const { slug, after } = step;
  const group = onlyGroup(groups, step);
  const index =
    after === undefined ? group.members.length - 1 : onlyMember([group], step, after).index;
  const { texts, notes } = textsFor(group, step.texts.map(escapeMarks), slug);
  return [
    call('add_items', {
      slug,
      group: group.id,
      after: index,
      items: [texts],
      ...(notes.length > 0 && { notes }),
    }),
  ];
}

/** Removes the only member with a text, or the member at a position. */
export function removeItem(groups: GroupListing, step: StepOf<'remove'>): Edit[] {
  const { group, index } = memberNamed(groups, step, step.now ?? step.position!);
  return [call('remove_items', { slug: step.slug, group: group.id, indexes: [index] })];
}

/** Swaps two members. */
export function swapItems(groups: GroupListing, step: StepOf<'swap'>): Edit[] {
  const [first, second] = step.members.map((member) => memberNamed(groups, step, member));
  const swapped = ({ id }: Group, ...members: [number, number]) => [
    call('move_items', { slug: step.slug, group: id, members }),
  ];
  if (!first || !second) return swapped(onlyPair(groups, step), 0, 1);
  if (first.group !== second.group) throw refuse('the two do not stand in one list or other group');
  return swapped(first.group, first.index, second.index);
}

/** The only group with two members. */
function onlyPair(groups: GroupListing, step: StepOf<'swap'>) {
  const pairs = called(underHeading(groups, step), step).filter(
    ({ members }) => members.length === 2,
  );
  return pairs.length === 1 ? pairs[0]! : onlyGroup(pairs, step);
}

const memberNamed = (groups: GroupListing, place: ItemPlace, name: string | number) =>
  typeof name === 'number'
    ? memberAt(groups, place, name)
    : onlyMember(underHeading(groups, place), place, name);
