import { mapById } from '../../../contract/mapById.ts';
import {
  MOST_MEMBERS,
  type GroupCounts,
  type Slot,
  type SlotGroup,
} from '../../../sites/formats/page.ts';
import { cut, quoted } from '../../../text/text.ts';
import { plainText } from '../../text/marks.ts';
import { visible } from '../../../contract/visible.ts';
import { isOwn } from '../../page/member.ts';
import { commonTexts, slotsOf } from '../../page/memberSlots.ts';
import type { Answer } from './answer.ts';
import { arrangedSlots, type Arranged } from './arranged.ts';
import { problemsOf } from './problems.ts';

/** The id under which a model states the page's language. */
export const LANGUAGE = 'lang';

/** The usable part of an answer, and the problems of the rest. */
export interface Checked extends Arranged {
  counts: GroupCounts;
  /** New texts with marks, by the new page's slots. Texts equal to the template's are left out. */
  texts: Map<Slot, string>;
  lang?: string;
  problems: string[];
}

/** Compares an answer with its template. */
export function checkAnswer(
  answer: Answer,
  slots: readonly Slot[],
  groups: readonly SlotGroup[],
): Checked {
  const { counts, problems } = checkGroups(answer, groups);
  const arranged = arrangedSlots(slots, groups, counts);
  for (const id of Object.keys(counts))
    if (!arranged.groups.has(id)) problems.push(`There is no group ${name(id)}`);
  if (arranged.isTooMuch)
    problems.push('The groups have too many members: the page gets too large');
  const byId = mapById(arranged.slots);
  const own = new Set(slots.map(({ id }) => id));
  const texts = new Map<Slot, string>();
  const seen = new Set<string>();
  let lang: string | undefined;
  for (const { id: given, text } of answer.texts) {
    const id = idOf(given);
    const slot = byId.get(id);
    if (seen.has(id)) problems.push(`${name(id)} stands twice among the texts`);
    seen.add(id);
    if (given === LANGUAGE) lang = text;
    else if (!slot)
      problems.push(
        own.has(id)
          ? `${id} belongs to a member of a group that goes: leave it out, or keep the member`
          : `There is no text ${name(given)}`,
      );
    else {
      const written = tidied(slot, text);
      problems.push(...problemsOf(slot, written));
      if (written !== tidied(slot, slot.text) || id.includes('+')) texts.set(slot, written);
    }
  }
  if (texts.size === 0 && problems.length === 0) problems.push('The answer has no new text');
  const all = {
    ...arranged,
    counts,
    texts,
    problems: [...problems, ...copyProblems(arranged, texts, slots)],
  };
  return lang === undefined ? all : { ...all, lang };
}

const name = (id: string) => quoted(id, 40);

/** Corrects an id's order: `s141.alt+1` means `s141+1.alt`. */
const idOf = (given: string) =>
  given.replace(/^(s\d{1,9})(\.[\w.-]{1,40})((?:\+\d{1,3}){1,9})$/, '$1$3$2');

/** A text as the page will have it: only preformatted texts keep line breaks. */
const tidied = ({ text: old }: Slot, text: string) =>
  old.includes('\n')
    ? visible(text)
    : visible(text)
        .replace(/[\t\n ]+/g, ' ')
        .trim();

function checkGroups(
  answer: Answer,
  groups: readonly SlotGroup[],
): { counts: GroupCounts; problems: string[] } {
  const counts: GroupCounts = {};
  const problems: string[] = [];
  const byId = mapById(groups);
  const seen = new Set<string>();
  for (const { id, members, keep = [] } of answer.groups) {
    const group = byId.get(id.split('+', 1)[0]!);
    const own = group?.members.length ?? 0;
    const kept = keep.map((number) => number - 1);
    if (!group) problems.push(`There is no group ${name(id)}`);
    else if (seen.has(id)) problems.push(`${name(id)} stands twice among the groups`);
    else if (members < 1 || members > MOST_MEMBERS)
      problems.push(`${name(id)} can't have ${members} members: 1 to ${MOST_MEMBERS} are possible`);
    else if (kept.some((index, i) => index >= own || index <= (kept[i - 1] ?? -1)))
      problems.push(
        `${name(id)} can't keep ${cut(keep.join(', '), 60)}: it has the members 1 to ${own}, and "keep" names each once in rising order`,
      );
    else if (kept.length > members)
      problems.push(`${name(id)} can't keep ${kept.length} members where it has ${members}`);
    else if (kept.length > 0 && kept.some((index, i) => index !== i || kept.length < own))
      counts[id] = { members, keep: kept };
    else if (members !== own) counts[id] = members;
    seen.add(id);
  }
  return { counts, problems };
}

const LONGEST_LIST = 200;

/**
 * Problems of copied members. All texts of a copy must be new, except for labels and links: two
 * members must never say the same.
 */
function copyProblems(
  { copies }: Arranged,
  texts: ReadonlyMap<Slot, string>,
  slots: readonly Slot[],
): string[] {
  const labels = new Map<SlotGroup, Set<string>>();
  const missing = new Set<string>();
  for (const { group, slots: own } of copies) {
    const common = labels.get(group) ?? commonTexts(slotsOf(slots, { group, mark: '' }));
    labels.set(group, common);
    for (const slot of own)
      if (isOwn(slot) && !texts.has(slot) && !common.has(plainText(slot.text)))
        missing.add(slot.id);
  }
  return missing.size === 0
    ? []
    : [
        `New members have texts of others: write new ones, or "", for ${cut([...missing].join(', '), LONGEST_LIST)}`,
      ];
}
