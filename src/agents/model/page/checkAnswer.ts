import { mapById } from '../../../contract/mapById.ts';
import {
  MAX_MEMBERS,
  type GroupSizes,
  type TextSlot,
  type SlotGroup,
} from '../../../sites/formats/pageParts.ts';
import { plainText } from '../../shared/text/parseMarks.ts';
import { removeInvisible } from '../../../contract/text/removeInvisible.ts';
import { isOwnText } from '../../shared/page/writeMember.ts';
import { findCommonTexts, listMemberSlots } from '../../shared/page/memberSlots.ts';
import type { ModelPageAnswer } from './answerForm.ts';
import { answerProblems } from './answerProblems.ts';
import { arrangeSlots, type ArrangedSlots } from './arrangeSlots.ts';
import { findTextProblems } from './textProblems.ts';

/** The id under which a model states the page's language. */
export const LANGUAGE = 'lang';

/**
 * The usable part of an answer, and the problems of the rest. An answer with problems is rejected.
 */
export interface CheckedAnswer extends ArrangedSlots {
  counts: GroupSizes;
  /** New texts with marks, by the new page's slots. Texts equal to the template's are left out. */
  texts: Map<TextSlot, string>;
  lang?: string;
  problems: string[];
}

/**
 * Checks a model's answer against its template: the ids of texts and groups, the numbers of
 * members, and each text. `answerProblems.ts` words the problems.
 */
export function checkAnswer(
  answer: ModelPageAnswer,
  slots: readonly TextSlot[],
  groups: readonly SlotGroup[],
): CheckedAnswer {
  const { counts, problems } = checkAnsweredGroups(answer, groups);
  const arranged = arrangeSlots(slots, groups, counts);
  for (const id of Object.keys(counts))
    if (!arranged.groups.has(id)) problems.push(answerProblems.unknownGroup(id));
  if (arranged.isTooMuch) problems.push(answerProblems.manyMembers());
  const slotsById = mapById(arranged.slots);
  const templateIds = new Set(slots.map(({ id }) => id));
  const texts = new Map<TextSlot, string>();
  const seenIds = new Set<string>();
  let lang: string | undefined;
  for (const { id: answeredId, text } of answer.texts) {
    const id = correctSlotId(answeredId);
    const slot = slotsById.get(id);
    if (seenIds.has(id)) problems.push(answerProblems.repeatedText(id));
    seenIds.add(id);
    if (answeredId === LANGUAGE) lang = text;
    else if (!slot)
      problems.push(
        templateIds.has(id)
          ? answerProblems.removedMember(id)
          : answerProblems.unknownText(answeredId),
      );
    else {
      const newText = tidyNewText(slot, text);
      problems.push(...findTextProblems(slot, newText));
      if (newText !== tidyNewText(slot, slot.text) || id.includes('+')) texts.set(slot, newText);
    }
  }
  if (texts.size === 0 && problems.length === 0) problems.push(answerProblems.nothingNew());
  const checkedAnswer = {
    ...arranged,
    counts,
    texts,
    problems: [...problems, ...findCopyProblems(arranged, texts, slots)],
  };
  return lang === undefined ? checkedAnswer : { ...checkedAnswer, lang };
}

/** Corrects an id's order: `s141.alt+1` means `s141+1.alt`. */
const correctSlotId = (answeredId: string) =>
  answeredId.replace(/^(s\d{1,9})(\.[\w.-]{1,40})((?:\+\d{1,3}){1,9})$/, '$1$3$2');

/** A text as the page will have it: only preformatted texts keep line breaks. */
const tidyNewText = ({ text: oldText }: TextSlot, text: string) =>
  oldText.includes('\n')
    ? removeInvisible(text)
    : removeInvisible(text)
        .replace(/[\t\n ]+/g, ' ')
        .trim();

function checkAnsweredGroups(
  answer: ModelPageAnswer,
  groups: readonly SlotGroup[],
): { counts: GroupSizes; problems: string[] } {
  const counts: GroupSizes = {};
  const problems: string[] = [];
  const groupsById = mapById(groups);
  const seenIds = new Set<string>();
  for (const { id, members, keep = [] } of answer.groups) {
    const group = groupsById.get(id.split('+', 1)[0]!);
    const memberCount = group?.members.length ?? 0;
    const keptIndexes = keep.map((number) => number - 1);
    if (!group) problems.push(answerProblems.unknownGroup(id));
    else if (seenIds.has(id)) problems.push(answerProblems.repeatedGroup(id));
    else if (members < 1 || members > MAX_MEMBERS)
      problems.push(answerProblems.memberCount(id, members));
    else if (
      keptIndexes.some(
        (index, position) => index >= memberCount || index <= (keptIndexes[position - 1] ?? -1),
      )
    )
      problems.push(answerProblems.keptMembers(id, keep, memberCount));
    else if (keptIndexes.length > members)
      problems.push(answerProblems.keptCount(id, keptIndexes.length, members));
    else if (
      keptIndexes.length > 0 &&
      keptIndexes.some((index, position) => index !== position || keptIndexes.length < memberCount)
    )
      counts[id] = { members, keep: keptIndexes };
    else if (members !== memberCount) counts[id] = members;
    seenIds.add(id);
  }
  return { counts, problems };
}

/**
 * Problems of copied members. All texts of a copy must be new, except for labels and links: two
 * members must never say the same.
 */
function findCopyProblems(
  { copies }: ArrangedSlots,
  texts: ReadonlyMap<TextSlot, string>,
  slots: readonly TextSlot[],
): string[] {
  const labels = new Map<SlotGroup, Set<string>>();
  const missingIds = new Set<string>();
  for (const { group, slots: memberSlots } of copies) {
    const sharedTexts =
      labels.get(group) ?? findCommonTexts(listMemberSlots(slots, { group, mark: '' }));
    labels.set(group, sharedTexts);
    for (const slot of memberSlots)
      if (isOwnText(slot) && !texts.has(slot) && !sharedTexts.has(plainText(slot.text)))
        missingIds.add(slot.id);
  }
  return missingIds.size === 0 ? [] : [answerProblems.copiedTexts([...missingIds])];
}
