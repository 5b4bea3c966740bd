import { type Note, noteOn } from '../../../../contract/task.ts';
import { escapeMarks } from '../../../../sites/pages/slotText.ts';
import { foldWords } from '../../../text/fold.ts';
import { plainText } from '../../../text/marks.ts';
import type { GroupListing } from '../../../tools/grouping.ts';
import type { ItemKind } from '../instructions.ts';
import type { Edit } from '../../../siteCalls.ts';
import type { Placed, Step } from '../planSteps.ts';
import { isCalled } from './namingWords.ts';
import { refuse, saying } from './slotTexts.ts';

type Group = GroupListing[number];
type Item = Group['members'][number];

/**
 * Adds a member to the only group that is meant. Texts that all members share need not be given.
 */
export function addItem(groups: GroupListing, step: Extract<Step, { kind: 'add' }>): Edit[] {
  const group = onlyGroup(groups, step);
  const after =
    step.after === undefined
      ? group.members.length - 1
      : onlyMember([group], { ...step, now: step.after }).index;
  const { texts, notes } = textsFor(group, step.texts.map(escapeMarks), step.slug);
  return [
    {
      name: 'add_items',
      arguments: {
        slug: step.slug,
        group: group.id,
        after,
        items: [texts],
        ...(notes.length > 0 && { notes }),
      },
    },
  ];
}

/** Takes out the only member that says a text. */
export function removeItem(groups: GroupListing, step: Placed<'remove'>): Edit[] {
  const { now, position } = step;
  const { group, index } =
    now === undefined
      ? memberAt(groups, step, position!)
      : onlyMember(underHeading(groups, step), { ...step, now });
  return [
    { name: 'remove_items', arguments: { slug: step.slug, group: group.id, indexes: [index] } },
  ];
}

/** Puts two members into each other's place. */
export function swapItems(groups: GroupListing, step: Placed<'swap'>): Edit[] {
  const [first, second] = step.members.map((member) =>
    typeof member === 'number'
      ? memberAt(groups, step, member)
      : onlyMember(underHeading(groups, step), { ...step, now: member }),
  );
  if (!first || !second) return swapOnlyTwo(groups, step);
  if (first.group !== second.group) throw refuse('the two do not stand in one list or other group');
  return [swapCall(step.slug, first.group, first.index, second.index)];
}

/**
 * Whether the two may be members of a group: by their positions, or one of them says what is named.
 */
export const mayBeItems = (
  groups: GroupListing,
  { members, item, section }: Placed<'swap'>,
): boolean =>
  item !== 'any' ||
  section !== undefined ||
  members.length < 2 ||
  members.every((member) => typeof member === 'number' || isSaidIn(groups, member));

const isSaidIn = (groups: GroupListing, name: string) => {
  const slots = groups.flatMap(({ members }) => members.flat()).map(({ text }) => plainText(text));
  return (
    slots.some((text) => isNameIn(text, name)) || saying(slots, name, (text) => text).length > 0
  );
};

function swapOnlyTwo(groups: GroupListing, step: Placed<'swap'>): Edit[] {
  const pairs = called(underHeading(groups, step), step).filter(
    ({ members }) => members.length === 2,
  );
  const group = pairs.length === 1 ? pairs[0]! : onlyGroup(pairs, step);
  return [swapCall(step.slug, group, 0, 1)];
}

const swapCall = (slug: string, { id }: Group, one: number, other: number): Edit => ({
  name: 'move_items',
  arguments: { slug, group: id, members: [one, other] },
});

/** The member at a position of the only group that is meant. */
function memberAt(
  groups: GroupListing,
  place: Place,
  position: number,
): { group: Group; index: number } {
  const group = onlyGroup(groups, place);
  const index = position < 0 ? group.members.length + position : position - 1;
  if (index < 0 || index >= group.members.length)
    throw refuse(`there are only ${nameOf(group)} on ${place.slug}`);
  return { group, index };
}

interface Place {
  slug: string;
  item: ItemKind;
  noun?: string;
  section?: string;
}

export function underHeading(
  groups: GroupListing,
  { slug, section }: Pick<Place, 'slug' | 'section'>,
): GroupListing {
  if (section === undefined) return groups;
  const found = saying(groups, section, (group) => group.section ?? '');
  if (found.length === 0) throw refuse(`${slug} has no list or other group under this heading`);
  return found;
}

const isNamed = ({ section }: Group, noun: string) =>
  isCalled(noun.replace('team ', ''), section ?? '');
/** Most groups in a message. */
const NAMED = 4;

/**
 * Those under a heading that says what the prompt calls them; where none does, the heading may say
 * it otherwise.
 */
function called(groups: GroupListing, { noun }: Place): GroupListing {
  const own = noun === undefined ? [] : groups.filter((group) => isNamed(group, noun));
  return own.length > 0 ? own : groups;
}

/** Those that are what the prompt calls them; where none is, it may call them so all the same. */
function ofKind<T>(things: T[], item: ItemKind, groupOf: (thing: T) => Group): T[] {
  const same = things.filter((thing) => groupOf(thing).role === item);
  return same.length > 0 ? same : things;
}

function onlyGroup(groups: GroupListing, place: Place): Group {
  const found = called(
    ofKind(underHeading(groups, place), place.item, (group) => group),
    place,
  );
  const inside = new Set(nested(found, ({ members }) => members.flat()).map(({ inner }) => inner));
  const outer = found.filter((group) => !inside.has(group));
  if (outer.length === 1) return outer[0]!;
  if (outer.length === 0) throw refuse(`${place.slug} has no list or other group that could grow`);
  if (
    place.noun !== undefined &&
    place.section === undefined &&
    !outer.some((group) => isNamed(group, place.noun!))
  )
    throw refuse(`no ${place.noun === 'people' ? 'people' : `${place.noun}s`} on ${place.slug}`);
  const headed = outer.filter(({ section }) => section !== null);
  const named = (headed.length > 0 ? headed : outer).map(
    (group) => nameOf(group) + (group.section === null ? '' : ` under "${group.section}"`),
  );
  const shown = named.slice(0, NAMED).join(', ') + (named.length > NAMED ? ' and more' : '');
  throw refuse(
    `${place.slug} has ${outer.length} groups there: ${shown}; name the heading above the one that is meant`,
  );
}

/** Which things hold all texts of another one. */
function nested<T>(things: T[], textsOf: (thing: T) => Item): { outer: T; inner: T }[] {
  const byFirst = Map.groupBy(things, (thing) => textsOf(thing)[0]?.id);
  return things.flatMap((outer) => {
    const ids = new Set(textsOf(outer).map(({ id }) => id));
    return [...ids]
      .flatMap((id) => byFirst.get(id) ?? [])
      .filter((inner) => inner !== outer && textsOf(inner).every(({ id }) => ids.has(id)))
      .map((inner) => ({ outer, inner }));
  });
}

const nameOf = ({ role, members }: Group) =>
  `${members.length} ${role === 'other' ? 'item' : role.replace('-', ' ')}s`;

const LONGEST_WITH_NAME = 80;
/** Whether a short text begins with a name of several words: `Ann Lee, Head of Support`. */
function isNameIn(text: string, name: string): boolean {
  const [own, wanted] = [foldWords(text), foldWords(name)];
  return (
    own.length <= LONGEST_WITH_NAME && wanted.includes(' ') && `${own} `.startsWith(`${wanted} `)
  );
}

function onlyMember(
  groups: GroupListing,
  { slug, item, now }: Place & { now: string },
): { group: Group; index: number } {
  const members = groups.flatMap((group) =>
    group.members.map((slots, index) => ({ group, index, slots })),
  );
  const slots = members.flatMap((member) => member.slots);
  const texts = saying(slots, now, ({ text }) => plainText(text));
  const wanted = new Set(
    texts.length > 0 ? texts : slots.filter(({ text }) => isNameIn(plainText(text), now)),
  );
  const saysIt = members.filter(({ slots }) => slots.some((slot) => wanted.has(slot)));
  const found = ofKind(saysIt, item, ({ group }) => group);
  const around = new Set(nested(found, ({ slots }) => slots).map(({ outer }) => outer));
  const inner = found.filter((member) => !around.has(member));
  if (inner.length === 1) return inner[0]!;
  if (inner.length === 0) throw refuse(`no item of a list or other group on ${slug} has this text`);
  throw refuse(
    `${inner.length} items on ${slug} have this text, in groups of ${inner.map(({ group }) => nameOf(group)).join(', ')}; say which by the heading above, e.g. \`under "…"\``,
  );
}

/**
 * The texts of a new member: the given ones in their order, and those that all members share. Where
 * fewer are given, the others are left empty, or those of its links and buttons as they are, and a
 * warning says so.
 */
function textsFor(group: Group, given: string[], slug: string): { texts: string[]; notes: Note[] } {
  const pattern = group.members[group.pattern]!;
  if (given.length === pattern.length) return { texts: given, notes: [] };
  const isShared = pattern.map(({ text }, i) =>
    group.members.every((member) => member.length === pattern.length && member[i]!.text === text),
  );
  const own = isShared.filter((shared) => !shared).length;
  if (given.length > own)
    throw refuse(
      `an item of this group has ${own} texts of its own (${rolesOf(pattern.filter((_, i) => !isShared[i]))}), and ${given.length} are given`,
    );
  const next = given.values();
  const kept: Item = [];
  const emptied: Item = [];
  const texts = pattern.map((slot, i) => {
    const text = isShared[i] ? slot.text : next.next().value;
    if (text !== undefined) return text;
    (isLink(slot) ? kept : emptied).push(slot);
    return isLink(slot) ? slot.text : '';
  });
  const item = `the new item "${given[0]}"`;
  const empty = noteOn(
    slug,
    'list',
    `${item} has no text in these places, which are empty: ${rolesOf(emptied)}`,
  );
  const says = kept.map(({ role, text }) =>
    noteOn(slug, 'copied', `the ${role} of ${item} still says "${plainText(text)}"`, {
      value: plainText(text),
    }),
  );
  return { texts, notes: [...(emptied.length > 0 ? [empty] : []), ...says] };
}

const isLink = ({ role }: Item[number]) => role === 'link' || role === 'button';
const rolesOf = (texts: Item) => texts.map(({ role }) => role.replace('-', ' ')).join(', ');
