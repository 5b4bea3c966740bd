import { foldWords } from '../../../text/fold.ts';
import { plainText } from '../../../text/marks.ts';
import type { GroupListing } from '../../../tools/grouping.ts';
import type { ItemKind } from '../instructions.ts';
import { isCalled } from './namingWords.ts';
import { listed, refuse } from './refuse.ts';
import { preferring, saying, slotsSaying } from './slotTexts.ts';

export type Group = GroupListing[number];
export type Item = Group['members'][number];

/** Where to look for a group or a member. */
export interface ItemPlace {
  slug: string;
  item: ItemKind;
  /** The prompt's word for a member. */
  noun?: string;
  /** The heading above the group. */
  section?: string;
}

/** A member of a group. Its position counts from 0. */
interface MemberAt {
  group: Group;
  index: number;
}

/** Most groups that a message names. */
const NAMED = 4;
const LONGEST_WITH_NAME = 80;

export function underHeading(
  groups: GroupListing,
  { slug, section }: Pick<ItemPlace, 'slug' | 'section'>,
): GroupListing {
  if (section === undefined) return groups;
  const found = saying(groups, section, (group) => group.section ?? '');
  if (found.length === 0) throw refuse(`${slug} has no list or other group under this heading`);
  return found;
}

/** The groups whose heading has the prompt's word for a member. All groups if there are none. */
export const called = (groups: GroupListing, { noun }: Pick<ItemPlace, 'noun'>): GroupListing =>
  preferring(groups, (group) => noun !== undefined && isNamed(group, noun));

const isNamed = ({ section }: Group, noun: string) =>
  isCalled(noun.replace('team ', ''), section ?? '');

/** The only group that fits. Ignores groups inside another group's member. */
export function onlyGroup(groups: GroupListing, place: ItemPlace): Group {
  const { slug, item, noun, section } = place;
  const found = called(
    preferring(underHeading(groups, place), ({ role }) => role === item),
    place,
  );
  const inside = new Set(nested(found, ({ members }) => members.flat()).map(({ inner }) => inner));
  const outer = found.filter((group) => !inside.has(group));
  if (outer.length === 1) return outer[0]!;
  if (outer.length === 0) throw refuse(`${slug} has no list or other group that could grow`);
  if (noun !== undefined && section === undefined && !outer.some((group) => isNamed(group, noun)))
    throw refuse(`no ${noun === 'people' ? noun : `${noun}s`} on ${slug}`);
  const names = preferring(outer, ({ section }) => section !== null).map(
    (group) => nameOf(group) + (group.section === null ? '' : ` under "${group.section}"`),
  );
  throw refuse(
    `${slug} has ${outer.length} groups there: ${listed(names, NAMED)}; name the heading above the one that is meant`,
  );
}

/** The member at a position of the only group that fits. Positions count from 1; -1 is the last. */
export function memberAt(groups: GroupListing, place: ItemPlace, position: number): MemberAt {
  const group = onlyGroup(groups, place);
  const index = position < 0 ? group.members.length + position : position - 1;
  if (!group.members[index]) throw refuse(`there are only ${nameOf(group)} on ${place.slug}`);
  return { group, index };
}

/** The only member that has a text. */
export function onlyMember(
  groups: GroupListing,
  { slug, item }: ItemPlace,
  text: string,
): MemberAt {
  const members = groups.flatMap((group) =>
    group.members.map((slots, index) => ({ group, index, slots })),
  );
  const wanted = new Set(
    slotsNaming(
      members.flatMap(({ slots }) => slots),
      text,
    ),
  );
  const found = preferring(
    members.filter(({ slots }) => slots.some((slot) => wanted.has(slot))),
    ({ group }) => group.role === item,
  );
  const around = new Set(nested(found, ({ slots }) => slots).map(({ outer }) => outer));
  const inner = found.filter((member) => !around.has(member));
  if (inner.length === 1) return inner[0]!;
  if (inner.length === 0) throw refuse(`no item of a list or other group on ${slug} has this text`);
  throw refuse(
    `${inner.length} items on ${slug} have this text, in groups of ${inner.map(({ group }) => nameOf(group)).join(', ')}; say which by the heading above, e.g. \`under "…"\``,
  );
}

/** Slots that have a text. If there are none, slots that begin with this text as a name. */
function slotsNaming(slots: Item, text: string): Item {
  const found = slotsSaying(slots, text);
  return found.length > 0 ? found : slots.filter((slot) => isNameIn(plainText(slot.text), text));
}

/** Whether a short text begins with a name of several words: `Ann Lee, Head of Support`. */
function isNameIn(text: string, name: string): boolean {
  const [own, wanted] = [foldWords(text), foldWords(name)];
  return (
    own.length <= LONGEST_WITH_NAME && wanted.includes(' ') && `${own} `.startsWith(`${wanted} `)
  );
}

/** All pairs of things where `outer` contains every text of `inner`. */
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
