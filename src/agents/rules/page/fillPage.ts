import type { TextSlot } from '../../../sites/formats/pageParts.ts';
import { foldWords } from '../../shared/text/foldText.ts';
import { plainText } from '../../shared/text/parseMarks.ts';
import { fillLabels, findLabels } from './fillLabels.ts';
import { languageTag } from '../../../text/languageTag.ts';
import {
  splitParagraphs,
  type ContextData,
  type ContextField,
} from '../../shared/context/contextData.ts';
import { isMemberLabel } from '../../shared/page/writeMember.ts';
import { createPageFilling, type PageFilling } from '../../shared/page/pageFilling.ts';
import type { PageInput } from '../../shared/page/pageInput.ts';
import {
  findField,
  isTopicOrFactKey,
  pageTextKeys,
  type PageTextName,
} from '../../shared/context/contextKeys.ts';
import {
  listAllParts,
  heroOf,
  isVisibleSlot,
  divideIntoParts,
  type PagePart,
} from './pageParts.ts';
import { hasWriterInstruction } from '../../shared/context/writerInstructions.ts';
import { fillInOrder, fillSections, findParagraphSlots } from './fillSections.ts';

/**
 * Puts the context's values into the slots that its keys and headings name: `Title: …` into the
 * page's title, `s57: …` into the slot s57, and a section `Prices` into the part of the page with
 * this heading. A part of a page is a heading with the texts below it.
 * @param renamed returns a text of the template as it reads on the new page
 * @returns the new texts by slot, and the names of values that have no place on the page
 */
export function fillSlots(
  { template: { groups = [] }, templateSlots: slots, context, quotedIds: quoted }: PageInput,
  renamed: (slot: TextSlot) => string,
): PageFilling {
  const filling = createPageFilling({ slots, groups, quoted });
  const root = divideIntoParts(slots, (heading) => [plainText(heading.text), renamed(heading)]);
  const hero = heroOf(root);
  const usedFields = new Set<ContextField>();
  const takeField = (name: PageTextName): ContextField | null => {
    const namedField = findField(context, pageTextKeys[name]);
    if (namedField) usedFields.add(namedField);
    return namedField;
  };
  for (const idField of fillById(filling, context.fields)) usedFields.add(idField);
  for (const [name, slot] of listNamedSlots(filling, root, hero)) {
    const value = takeField(name)?.values[0];
    if (value !== undefined && slot)
      filling.put(
        name === 'lead' ? skipShortLines(filling, hero, value) : slot,
        splitParagraphs(value).join(' '),
      );
    else if (value !== undefined) filling.reportUnplaced(name);
  }
  const language = takeField('language')?.values[0];
  if (language !== undefined && languageTag(language) === null)
    filling.reportUnplaced(unknownLanguagePart(language));
  fillImageAlts(filling, slots, takeField('imageAlt'));
  fillBody(filling, hero, [
    ...(takeField('body')?.values.flatMap(splitParagraphs) ?? []),
    ...selectProse(context, filling),
  ]);
  const remainingFields = context.fields.filter((field) => !usedFields.has(field));
  fillLabels(filling, remainingFields, renamed);
  const sectionFields = remainingFields.filter(
    (field) => !filling.used.has(field) && !isTopicOrFactKey(field.key),
  );
  // paragraphs are not headings, so a small line above one is not its label
  const labels = findLabels(filling.slots.filter(isVisibleSlot), renamed).filter(
    ({ value }) => value.role !== 'heading',
  );
  fillSections(
    filling,
    { root, takenParts: new Set([hero, root]) },
    { sections: context.sections, fields: sectionFields },
    labels,
  );
  return filling;
}

/** Puts values into the slots whose ids are their keys (`s57: …`). Returns the fields it used. */
function fillById(filling: PageFilling, fields: readonly ContextField[]): ContextField[] {
  const slotsByKey = new Map(filling.slots.map((slot) => [foldWords(slot.id), slot]));
  return fields.filter(({ key, values }) => {
    const slot = slotsByKey.get(key);
    if (slot) filling.put(slot, values.flatMap(splitParagraphs).join(' '));
    return slot !== undefined;
  });
}

/**
 * The slots that the keys of contextKeys.ts fill, such as the page's headline for `headline`.
 * @param root the whole page as a part
 * @param hero the part with the headline
 */
export function listNamedSlots(
  { slots, quoted }: Pick<PageFilling, 'slots' | 'quoted'>,
  root: PagePart,
  hero: PagePart,
): [PageTextName, TextSlot | undefined][] {
  const buttons = [hero, ...listAllParts(root)].map(findPartButton);
  return [
    ['title', slots.find(({ role }) => role === 'title')],
    ['headline', hero.heading ?? undefined],
    ['description', slots.find(({ role }) => role === 'description')],
    ['button', buttons.find((slot) => slot !== undefined)],
    ['lead', findParagraphSlots(hero, quoted)[0]],
  ];
}

/** The place of a lead: a sentence passes over short lines, such as a profession below a name. */
function skipShortLines({ quoted }: PageFilling, hero: PagePart, lead: string): TextSlot {
  const slots = findParagraphSlots(hero, quoted);
  const textSlot = isWholeSentence(lead) ? slots.find((slot) => !isMemberLabel(slot)) : undefined;
  return textSlot ?? slots[0]!;
}

const findPartButton = ({ slots }: PagePart): TextSlot | undefined =>
  slots.find(({ role }) => role === 'button') ?? slots.find(({ role }) => role === 'link');

function fillImageAlts(filling: PageFilling, slots: TextSlot[], alts: ContextField | null) {
  const images = slots.filter((slot) => slot.role === 'image-alt' && isVisibleSlot(slot));
  for (const [index, alt] of (alts?.values ?? []).entries()) {
    if (images[index]) filling.put(images[index], alt);
    else filling.reportUnplaced('image alt');
  }
}

function fillBody(filling: PageFilling, hero: PagePart, paragraphs: string[]) {
  const freeSlots = findParagraphSlots(hero, filling.quoted).filter(
    (slot) => !filling.texts.has(slot),
  );
  fillInOrder(filling, freeSlots, paragraphs, 'body text');
}

const isWholeSentence = (text: string) =>
  text.split(' ').length >= 4 && /[.!?…]["”’»)]?$/u.test(text);
/** Whether a text is short enough to be only the name of the page's topic. */
const isTopicName = (text: string) => text.split(' ').length <= 6;

/**
 * The context's paragraphs without a heading that are texts for the page, which are whole
 * sentences. Returns none if one of them instructs a writer (`Write a friendly page about …`).
 */
function selectProse({ paragraphs }: ContextData, filling: PageFilling): string[] {
  if (paragraphs.some(hasWriterInstruction)) {
    filling.reportUnplaced(
      'instructions to a writer (they need a language model: set AGENT_MODEL)',
    );
    return [];
  }
  if (paragraphs.some((text) => !isWholeSentence(text) && !isTopicName(text)))
    filling.reportUnplaced('text that is not in whole sentences');
  return paragraphs.filter(isWholeSentence);
}

export const unknownLanguagePart = (language: string) =>
  `language ("${language}" is not a known language)`;
