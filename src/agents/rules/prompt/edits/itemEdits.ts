import { escapeMarks } from '../../../../sites/pages/texts/slotText.ts';
import type { RulesEdit } from '../../../shared/tools/rulesCalls.ts';
import type { GroupListing } from '../../../shared/tools/groupMembers.ts';
import type { PromptStepOf } from '../promptSteps.ts';
import { createSiteCall } from './siteQueries.ts';
import {
  preferNamedGroups,
  findMemberAtPosition,
  findOnlyGroup,
  findOnlyMember,
  selectGroupsUnderHeading,
  type ListedGroup,
  type ItemLocation,
} from './findGroupItems.ts';
import { createNewItemTexts } from './newItemTexts.ts';
import { createInstructionError } from './instructionError.ts';

/**
 * Adds a member to the only group that fits (a group: like blocks of a page, such as cards). The
 * prompt may omit texts that all members share.
 */
export function createAddItemEdits(groups: GroupListing, step: PromptStepOf<'add'>): RulesEdit[] {
  const { slug, after } = step;
  const group = findOnlyGroup(groups, step);
  const index =
    after === undefined ? group.members.length - 1 : findOnlyMember([group], step, after).index;
  const { texts, notes } = createNewItemTexts(group, step.texts.map(escapeMarks), slug);
  return [
    createSiteCall('add_items', {
      slug,
      group: group.id,
      after: index,
      items: [texts],
      ...(notes.length > 0 && { notes }),
    }),
  ];
}

/** Removes the only member with the text `now`, or the member at a position. */
export function createRemoveItemEdits(
  groups: GroupListing,
  step: PromptStepOf<'remove'>,
): RulesEdit[] {
  const { group, index } = findNamedMember(groups, step, step.now ?? step.position!);
  return [createSiteCall('remove_items', { slug: step.slug, group: group.id, indexes: [index] })];
}

/** Swaps the two members that the prompt names, or the members of the only group with two. */
export function createSwapItemEdits(groups: GroupListing, step: PromptStepOf<'swap'>): RulesEdit[] {
  const [firstMember, secondMember] = step.members.map((member) =>
    findNamedMember(groups, step, member),
  );
  const createSwapEdit = ({ id }: ListedGroup, ...members: [number, number]) => [
    createSiteCall('move_items', { slug: step.slug, group: id, members }),
  ];
  if (!firstMember || !secondMember) return createSwapEdit(findOnlyPair(groups, step), 0, 1);
  if (firstMember.group !== secondMember.group)
    throw createInstructionError('the two items are not in the same list or group');
  return createSwapEdit(firstMember.group, firstMember.index, secondMember.index);
}

/** The only group with exactly two members. */
function findOnlyPair(groups: GroupListing, step: PromptStepOf<'swap'>) {
  const pairs = preferNamedGroups(selectGroupsUnderHeading(groups, step), step).filter(
    ({ members }) => members.length === 2,
  );
  return pairs.length === 1 ? pairs[0]! : findOnlyGroup(pairs, step);
}

const findNamedMember = (groups: GroupListing, location: ItemLocation, name: string | number) =>
  typeof name === 'number'
    ? findMemberAtPosition(groups, location, name)
    : findOnlyMember(selectGroupsUnderHeading(groups, location), location, name);
