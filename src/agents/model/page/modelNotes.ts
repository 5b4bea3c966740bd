import { mergeNotes, valueFields } from '../../../contract/notes/mergeNotes.ts';
import { type Note, createPageNote } from '../../../contract/task.ts';
import { truncateText } from '../../../text/text.ts';
import { memberCount } from '../../../sites/formats/memberOrder.ts';
import type { TextSlot, SlotGroup } from '../../../sites/formats/pageParts.ts';
import type { TemplatePage } from '../../shared/agentTypes.ts';
import { emptyEntry } from '../../shared/context/listEntries.ts';
import { createGroupNotes } from '../../shared/page/groupNotes.ts';
import { findCommonTexts, listMemberSlots } from '../../shared/page/memberSlots.ts';
import { plainText } from '../../shared/text/parseMarks.ts';
import type { PageInput } from '../../shared/page/pageInput.ts';
import type { CheckedAnswer } from './checkAnswer.ts';
import {
  findInventions,
  findInventedQuotes,
  createKnownContent,
  isGermanText,
} from './findInventions.ts';

/** Sentences for notes on groups, such as lists of cards, whose number of members changed. */
export function listChangedGroupNotes(
  { groups = [] }: TemplatePage,
  templateSlots: TextSlot[],
  { counts }: Pick<CheckedAnswer, 'counts'>,
): string[] {
  return groups
    .filter(({ id }) => id in counts)
    .flatMap((group) => {
      const members = memberCount(counts[group.id]!);
      const entries = Array.from({ length: members }, () => emptyEntry);
      const sharedTexts = findCommonTexts(listMemberSlots(templateSlots, { group, mark: '' }));
      return createGroupNotes(
        templateSlots,
        group,
        { name: describeGroup(group, templateSlots), entries },
        sharedTexts,
      );
    });
}

/** A list's name for people: the heading above it, or its first text. */
function describeGroup(
  { section, members: [firstMember = []] }: SlotGroup,
  slots: TextSlot[],
): string {
  const isVisible = ({ id }: TextSlot) => firstMember.includes(id) && !id.includes('.');
  return section ?? truncateText(plainText(slots.find(isVisible)?.text ?? ''), LONGEST_VALUE);
}

const MAX_NOTES_PER_TEXT = 8;
const LONGEST_NOTE = 300;
const LONGEST_VALUE = 60;

/**
 * Notes on inventions: facts, numbers and names that a model wrote, but that neither the context
 * nor the template has.
 */
export function listInventionNotes(
  { template, item, templateSlots, context, topics }: PageInput,
  texts: ReadonlyMap<TextSlot, string>,
  lang?: string,
): Note[] {
  const contextTexts = [
    context.source,
    item.context,
    item.targetPageSlug,
    template.slug,
    topics?.new ?? '',
  ];
  const knownContent = createKnownContent([
    ...contextTexts,
    ...(template.siteTexts ?? []),
    ...templateSlots.map(({ text }) => plainText(text)),
  ]);
  const isGerman =
    lang === undefined
      ? [[...texts.values()], templateSlots.map(({ text }) => text)].some((sampleTexts) =>
          isGermanText(sampleTexts.map(plainText)),
        )
      : lang.startsWith('de');
  const inventedQuotes = findInventedQuotes(template.claims ?? [], texts, knownContent);
  const createNote = (slot: TextSlot, sentence: string, values: string[]) =>
    createPageNote(
      item.targetPageSlug,
      'invented',
      truncateText(`${sentence}, which is in neither the context nor the template`, LONGEST_NOTE),
      { slot: slot.id, ...valueFields(values.map((value) => truncateText(value, LONGEST_NOTE))) },
    );
  const notes = [
    ...inventedQuotes.map((slot) => {
      const text = plainText(texts.get(slot)!);
      return createNote(slot, `a quote says "${truncateText(text, LONGEST_VALUE)}"`, [text]);
    }),
    ...[...texts].flatMap(([slot, text]) => {
      const invented = inventedQuotes.includes(slot)
        ? []
        : findInventions(slot, text, knownContent, {
            isGerman: isGerman || isGermanText([plainText(text)]),
          }).slice(0, MAX_NOTES_PER_TEXT);
      const listedValues = invented
        .map((value) => `"${truncateText(value, LONGEST_VALUE)}"`)
        .join(', ');
      return invented.length === 0
        ? []
        : [createNote(slot, `a text says ${listedValues}`, invented)];
    }),
  ];
  return mergeNotes(notes);
}
