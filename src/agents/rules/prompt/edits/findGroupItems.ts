import { foldWords } from '../../../shared/text/foldText.ts';
import { plainText } from '../../../shared/text/parseMarks.ts';
import type { GroupListing } from '../../../shared/tools/groupMembers.ts';
import type { ItemKind } from '../promptInstruction.ts';
import { isHeadingCalled } from './matchNames.ts';
import { joinFirstNames, createInstructionError } from './instructionError.ts';
import { preferFitting, selectByText, selectSlotsByText } from './findByText.ts';

export type ListedGroup = GroupListing[number];
export type GroupItem = ListedGroup['members'][number];

/** What a prompt says of a group (like blocks of a page, such as cards) or of a member of it. */
export interface ItemLocation {
  slug: string;
  item: ItemKind;
  /** The prompt's word for a member. */
  noun?: string;
  /** The heading above the group. */
  section?: string;
}

/** A member of a group. Its position counts from 0. */
interface MemberPosition {
  group: ListedGroup;
  index: number;
}

/** Most groups that a message names. */
const MAX_NAMED_GROUPS = 4;
const LONGEST_WITH_NAME = 80;

/** The groups under the heading `section`, or all groups if the prompt names no heading. */
export function selectGroupsUnderHeading(
  groups: GroupListing,
  { slug, section }: Pick<ItemLocation, 'slug' | 'section'>,
): GroupListing {
  if (section === undefined) return groups;
  const groupsUnderHeading = selectByText(groups, section, (group) => group.section ?? '');
  if (groupsUnderHeading.length === 0)
    throw createInstructionError(`${slug} has no list or group under this heading`);
  return groupsUnderHeading;
}

/** The groups whose heading fits the prompt's word for a member. All groups if there are none. */
export const preferNamedGroups = (
  groups: GroupListing,
  { noun }: Pick<ItemLocation, 'noun'>,
): GroupListing =>
  preferFitting(groups, (group) => noun !== undefined && isGroupNamed(group, noun));

const isGroupNamed = ({ section }: ListedGroup, noun: string) =>
  isHeadingCalled(noun.replace('team ', ''), section ?? '');

/**
 * The only group that fits. Ignores groups inside another group's member. Throws INVALID_INPUT if
 * no group fits, or several; so do findMemberAtPosition and findOnlyMember for members.
 */
export function findOnlyGroup(groups: GroupListing, location: ItemLocation): ListedGroup {
  const { slug, item, noun, section } = location;
  const fittingGroups = preferNamedGroups(
    preferFitting(selectGroupsUnderHeading(groups, location), ({ role }) => role === item),
    location,
  );
  const innerGroups = new Set(
    findNestedPairs(fittingGroups, ({ members }) => members.flat()).map(({ inner }) => inner),
  );
  const outerGroups = fittingGroups.filter((group) => !innerGroups.has(group));
  if (outerGroups.length === 1) return outerGroups[0]!;
  if (outerGroups.length === 0)
    throw createInstructionError(`${slug} has no list or group to which an item can be added`);
  if (
    noun !== undefined &&
    section === undefined &&
    !outerGroups.some((group) => isGroupNamed(group, noun))
  )
    throw createInstructionError(`no ${noun === 'people' ? noun : `${noun}s`} on ${slug}`);
  const groupNames = preferFitting(outerGroups, ({ section }) => section !== null).map(
    (group) =>
      describeGroupSize(group) + (group.section === null ? '' : ` under "${group.section}"`),
  );
  throw createInstructionError(
    `${slug} has ${outerGroups.length} groups that fit: ${joinFirstNames(groupNames, MAX_NAMED_GROUPS)}. Name the heading above one of them`,
  );
}

/** The member at a position of the only group that fits. Positions count from 1; -1 is the last. */
export function findMemberAtPosition(
  groups: GroupListing,
  location: ItemLocation,
  position: number,
): MemberPosition {
  const group = findOnlyGroup(groups, location);
  const index = position < 0 ? group.members.length + position : position - 1;
  if (!group.members[index])
    throw createInstructionError(`${location.slug} has only ${describeGroupSize(group)}`);
  return { group, index };
}

/** The only member that has a text. Of members inside each other, it is the innermost one. */
export function findOnlyMember(
  groups: GroupListing,
  { slug, item }: ItemLocation,
  text: string,
): MemberPosition {
  const members = groups.flatMap((group) =>
    group.members.map((slots, index) => ({ group, index, slots })),
  );
  const wantedSlots = new Set(
    findSlotsNaming(
      members.flatMap(({ slots }) => slots),
      text,
    ),
  );
  const membersWithText = preferFitting(
    members.filter(({ slots }) => slots.some((slot) => wantedSlots.has(slot))),
    ({ group }) => group.role === item,
  );
  const outerMembers = new Set(
    findNestedPairs(membersWithText, ({ slots }) => slots).map(({ outer }) => outer),
  );
  const innermostMembers = membersWithText.filter((member) => !outerMembers.has(member));
  if (innermostMembers.length === 1) return innermostMembers[0]!;
  if (innermostMembers.length === 0)
    throw createInstructionError(`no item of a list or group on ${slug} has this text`);
  throw createInstructionError(
    `${innermostMembers.length} items on ${slug} have this text, in groups of ${innermostMembers.map(({ group }) => describeGroupSize(group)).join(', ')}. Choose one by the heading above it, e.g. \`under "…"\``,
  );
}

/** The slots that have a text. If there are none, the slots that begin with it as a name. */
function findSlotsNaming(slots: GroupItem, text: string): GroupItem {
  const slotsWithText = selectSlotsByText(slots, text);
  return slotsWithText.length > 0
    ? slotsWithText
    : slots.filter((slot) => beginsWithName(plainText(slot.text), text));
}

/** Whether a short text begins with a name of several words: `Ann Lee, Head of Support`. */
function beginsWithName(text: string, name: string): boolean {
  const [foldedText, foldedName] = [foldWords(text), foldWords(name)];
  return (
    foldedText.length <= LONGEST_WITH_NAME &&
    foldedName.includes(' ') &&
    `${foldedText} `.startsWith(`${foldedName} `)
  );
}

/** All pairs of groups or members of which `outer` has every text of `inner`. */
function findNestedPairs<T>(
  things: T[],
  textsOf: (thing: T) => GroupItem,
): { outer: T; inner: T }[] {
  const thingsByFirstId = Map.groupBy(things, (thing) => textsOf(thing)[0]?.id);
  return things.flatMap((outer) => {
    const ids = new Set(textsOf(outer).map(({ id }) => id));
    return [...ids]
      .flatMap((id) => thingsByFirstId.get(id) ?? [])
      .filter((inner) => inner !== outer && textsOf(inner).every(({ id }) => ids.has(id)))
      .map((inner) => ({ outer, inner }));
  });
}

const describeGroupSize = ({ role, members }: ListedGroup) =>
  `${members.length} ${role === 'other' ? 'item' : role.replace('-', ' ')}s`;
