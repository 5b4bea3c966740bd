import { mergeNotes, valuesIn } from '../../../contract/mergedNotes.ts';
import { type Note, noteOn } from '../../../contract/task.ts';
import { cut } from '../../../text/text.ts';
import { membersIn } from '../../../sites/formats/groupOrder.ts';
import type { Slot, SlotGroup } from '../../../sites/formats/page.ts';
import type { TemplatePage } from '../../agent.ts';
import { emptyEntry } from '../../context/listEntries.ts';
import { notesOn } from '../../page/groupNotes.ts';
import { commonTexts, slotsOf } from '../../page/memberSlots.ts';
import { plainText } from '../../text/marks.ts';
import type { PageInput } from '../../page/pageInput.ts';
import type { Checked } from './checkAnswer.ts';
import { inventedIn, inventedQuotes, knownFrom, readsGerman } from './invented.ts';

/** Notes on groups whose number of members changed. */
export function groupNotes(
  { groups = [] }: TemplatePage,
  own: Slot[],
  { counts }: Pick<Checked, 'counts'>,
): string[] {
  return groups
    .filter(({ id }) => id in counts)
    .flatMap((group) => {
      const members = membersIn(counts[group.id]!);
      const entries = Array.from({ length: members }, () => emptyEntry);
      const common = commonTexts(slotsOf(own, { group, mark: '' }));
      return notesOn(own, group, { name: nameOf(group, own), entries }, common);
    });
}

/** A list's name for people: the heading above it, or its first text. */
function nameOf({ section, members: [first = []] }: SlotGroup, slots: Slot[]): string {
  const isVisible = ({ id }: Slot) => first.includes(id) && !id.includes('.');
  return section ?? cut(plainText(slots.find(isVisible)?.text ?? ''), LONGEST_VALUE);
}

const MOST_OF_A_TEXT = 8;
const LONGEST_NOTE = 300;
const LONGEST_VALUE = 60;

/**
 * Notes on facts, numbers and names that a model wrote, but neither the context nor the template
 * has.
 */
export function inventedNotes(
  { template, item, templateSlots: own, context, topics: subject }: PageInput,
  texts: ReadonlyMap<Slot, string>,
  lang?: string,
): Note[] {
  const given = [
    context.source,
    item.context,
    item.targetPageSlug,
    template.slug,
    subject?.new ?? '',
  ];
  const known = knownFrom([
    ...given,
    ...(template.siteTexts ?? []),
    ...own.map(({ text }) => plainText(text)),
  ]);
  const isGerman =
    lang === undefined
      ? [[...texts.values()], own.map(({ text }) => text)].some((all) =>
          readsGerman(all.map(plainText)),
        )
      : lang.startsWith('de');
  const quotes = inventedQuotes(template.claims ?? [], texts, known);
  const note = (slot: Slot, says: string, values: string[]) =>
    noteOn(
      item.targetPageSlug,
      'invented',
      cut(`${says}, in neither the context nor the template`, LONGEST_NOTE),
      { slot: slot.id, ...valuesIn(values.map((value) => cut(value, LONGEST_NOTE))) },
    );
  const notes = [
    ...quotes.map((slot) => {
      const text = plainText(texts.get(slot)!);
      return note(slot, `a quote says "${cut(text, LONGEST_VALUE)}"`, [text]);
    }),
    ...[...texts].flatMap(([slot, text]) => {
      const invented = quotes.includes(slot)
        ? []
        : inventedIn(slot, text, known, {
            isGerman: isGerman || readsGerman([plainText(text)]),
          }).slice(0, MOST_OF_A_TEXT);
      const listed = invented.map((value) => `"${cut(value, LONGEST_VALUE)}"`).join(', ');
      return invented.length === 0 ? [] : [note(slot, `a text says ${listed}`, invented)];
    }),
  ];
  return mergeNotes(notes);
}
