import type { GroupRole, TextSlot } from '../../../sites/formats/pageParts.ts';
import { foldWords } from '../../shared/text/foldText.ts';
import { plainText } from '../../shared/text/parseMarks.ts';
import {
  newSection,
  splitParagraphs,
  type ContextData,
  type ContextField,
  type ContextSection,
} from '../../shared/context/contextData.ts';
import { readQuote } from '../../shared/context/citedQuotes.ts';
import { pairInOrder, splitNamedLine } from '../../shared/context/listEntries.ts';
import { isFactKey } from '../../shared/context/contextKeys.ts';
import { isFactLine } from '../../shared/facts/findFacts.ts';
import { fillByName } from './fillByName.ts';
import { fillGroups } from './fillGroups.ts';
import type { PageFilling } from '../../shared/page/pageFilling.ts';
import { isHoursSection } from '../../shared/context/openingHours.ts';
import { putBehindLabel, type PageLabel } from './fillLabels.ts';
import { upperFirst } from '../../shared/text/letterCase.ts';
import { scoreHeadingFit } from '../../shared/page/headingFit.ts';
import { isOwnText } from '../../shared/page/writeMember.ts';
import { listAllParts, type PagePart } from './pageParts.ts';

/**
 * How well a field's key must fit a heading of the page, from 0 to 1: `LIKELY_FIT` if its value is
 * a list or ends like a sentence, else `SURE_FIT`.
 */
const SURE_FIT = 0.75;
const LIKELY_FIT = 0.5;

/** The page as a tree of parts, and the parts that already have their texts. */
interface PartsOutline {
  root: PagePart;
  takenParts: Set<PagePart>;
}

/**
 * Puts the sections and fields of a context into the parts of the page with similar headings. The
 * section `## Our services` fills the part under the page's heading "Services". A section without
 * such a part may fill the text beside a label, a list elsewhere, or members of groups by name (a
 * group: like blocks, such as cards; each is a member). Otherwise, it is reported as unplaced.
 * @param labels the labels of the page's texts, which may be the names of sections
 */
export function fillSections(
  filling: PageFilling,
  outline: PartsOutline,
  { sections, fields }: Pick<ContextData, 'sections' | 'fields'>,
  labels: PageLabel[],
) {
  const placeSection = (section: ContextSection, minFit: number) => {
    const part = findBestPart(outline, section.name, minFit);
    if (part) return fillPart(filling, part, section, outline.takenParts);
    const values = section.sections.length > 0 ? [] : [...section.paragraphs, ...section.items];
    const isPlaced =
      (values.length > 0 &&
        putBehindLabel(filling, labels, foldWords(section.name), values.join(', '))) ||
      fillElsewhere(filling, outline.root, section) ||
      fillByName(filling, collectNamedFields(section), section.name);
    if (!isPlaced && !isHoursSection(section) && !hasOnlyFacts(section))
      filling.reportUnplaced(section.name);
  };
  for (const section of sections) placeSection(section, 0);
  for (const { key, values, isList } of fields) {
    const isQuotes = values.every((value) => readQuote(value)?.author);
    const isText = values.length > 1 || isList || /[.!?…]$/u.test(values[0] ?? '');
    const [paragraphs, items] =
      values.length > 1 || isList || isQuotes
        ? [[], values]
        : [values.flatMap(splitParagraphs), []];
    if (!isText && !isQuotes && fillByName(filling, [{ key, values }])) continue;
    placeSection(newSection(key, { paragraphs, items }), isText ? LIKELY_FIT : SURE_FIT);
  }
}

/** The fields of a section, and those of its subsections, whose names become these fields' keys. */
const collectNamedFields = ({ fields = [], sections }: ContextSection): ContextField[] => [
  ...fields,
  ...sections.flatMap((subsection) =>
    (subsection.fields ?? []).map(({ values }) => ({ key: foldWords(subsection.name), values })),
  ),
];

/** Whether a section has nothing but facts. Each replaces one of the template's, or is reported. */
const hasOnlyFacts = ({ fields = [], paragraphs, items, sections }: ContextSection) =>
  fields.length > 0 &&
  paragraphs.length + items.length + sections.length === 0 &&
  fields.every(({ key }) => isFactKey(key));

/** The role of a group for a list, by the list's name. */
const ROLE_BY_LIST_NAME: Record<string, GroupRole> = {
  faq: 'question',
  faqs: 'question',
  questions: 'question',
  fragen: 'question',
  'haufige fragen': 'question',
  cards: 'card',
  rows: 'table-row',
  table: 'table-row',
  list: 'list-item',
};

/**
 * Puts a section's list into a group of the part with its name. If there is none, the list goes
 * into the page's only group of the role that the name tells (`FAQ`).
 * @returns whether a group took the list
 */
function fillElsewhere(filling: PageFilling, root: PagePart, section: ContextSection): boolean {
  const namedPart = listAllParts(root).find(
    (part) => part.heading && scorePartFit(section.name, part) >= SURE_FIT,
  );
  const role =
    ROLE_BY_LIST_NAME[foldWords(section.name)] ??
    (isQuestionSection(section) ? 'question' : undefined);
  const part = namedPart ?? (role && root);
  return (
    part !== undefined &&
    fillGroups(filling, part, section, namedPart ? undefined : role) !== section
  );
}

/** Whether a section consists of questions with their answers. */
const isQuestionSection = ({ paragraphs, items, sections }: ContextSection) =>
  sections.length > 0 &&
  paragraphs.length + items.length === 0 &&
  sections.every(({ heading }) => heading?.endsWith('?'));

const scorePartFit = (name: string, { titles }: PagePart) =>
  Math.max(0, ...titles.map((title) => scoreHeadingFit(name, title)));

function findBestPart(
  { root, takenParts: taken }: PartsOutline,
  name: string,
  minFit: number,
): PagePart | undefined {
  const scoredParts = listAllParts(root).flatMap((part) =>
    taken.has(part) ? [] : [{ part, score: scorePartFit(name, part) }],
  );
  return scoredParts
    .filter(({ score }) => score > 0 && score >= minFit)
    .sort((first, second) => second.score - first.score)[0]?.part;
}

/** Fills a part with a section: groups, paragraphs and items, and then subsections. */
function fillPart(
  filling: PageFilling,
  part: PagePart,
  contextSection: ContextSection,
  takenParts: Set<PagePart>,
) {
  takenParts.add(part);
  const section = fillGroups(filling, part, contextSection);
  fillByName(filling, section.fields ?? [], section.name);
  if (section.heading !== null && part.heading) filling.put(part.heading, section.heading);
  const hasItems = part.parts.length > 0 || part.slots.some(({ role }) => role === 'list-item');
  const itemsAreText = section.items.length > 0 && !hasItems;
  const paragraphs = itemsAreText
    ? [...section.paragraphs, ...section.items.flatMap(splitParagraphs)]
    : section.paragraphs;
  fillInOrder(filling, findRunningSlots(filling, part), paragraphs, section.name);
  if (!itemsAreText) fillItems(filling, part, section);
  const children = part.parts.length > 0 ? part.parts : findPartQuestions(part);
  for (const [index, child] of section.sections.entries()) {
    const freeParts = children.filter((own) => !takenParts.has(own));
    const bestPart =
      freeParts.find((freePart) => scorePartFit(child.name, freePart) === 1) ?? freeParts[0];
    if (bestPart) fillPart(filling, bestPart, child, takenParts);
    else filling.reportUnplaced(child.name || `${section.name} (${index + 1})`);
  }
}

/** The paragraphs of a part, without the answers of questions and the members of groups. */
function findRunningSlots(filling: PageFilling, part: PagePart): TextSlot[] {
  const slots = new Map(filling.slots.map((slot) => [slot.id, slot]));
  const countOwnTexts = (ids: string[]) =>
    ids.filter((id) => slots.has(id) && isOwnText(slots.get(id)!)).length;
  const memberIds = filling.groups
    // a group with only one text, beside a button or a picture, is not a list
    .filter(({ members }) => members.filter((ids) => countOwnTexts(ids) > 0).length > 1)
    .flatMap(({ members }) => members)
    .filter((ids) => !ids.includes(part.heading?.id ?? '') && countOwnTexts(ids) > 1);
  const answers = findPartQuestions(part).flatMap((question) => question.slots.map(({ id }) => id));
  const takenIds = new Set([...memberIds.flat(), ...answers]);
  const runningSlots = findParagraphSlots(part, filling.quoted).filter(
    ({ id }) => !takenIds.has(id),
  );
  // a text without a heading above it, such as a line of the footer, only follows the part
  const slotsBelowHeading = runningSlots.filter(({ section }) => section !== null);
  return slotsBelowHeading.length > 0 ? slotsBelowHeading : runningSlots;
}

/**
 * Questions without headings, as in `details` elements: a text of the role `other`, and the
 * paragraph behind it.
 */
function findPartQuestions({ slots, level }: PagePart): PagePart[] {
  return slots.flatMap((heading, index) => {
    const answer = slots[index + 1];
    if (heading.role !== 'other' || answer?.role !== 'paragraph') return [];
    return [
      { heading, titles: [plainText(heading.text)], level: level + 1, slots: [answer], parts: [] },
    ];
  });
}

/**
 * Puts a section's items into the part's list items. If the part has cards instead, an item
 * `Name: text` becomes a card's heading and paragraph.
 */
function fillItems(filling: PageFilling, part: PagePart, { items, name }: ContextSection) {
  const listItems = part.slots.filter(({ role }) => role === 'list-item');
  for (const [index, item] of items.entries()) {
    const namedLine = splitNamedLine(item);
    const card = part.parts[index];
    if (listItems[index]) filling.put(listItems[index], item);
    else if (listItems.length === 0 && card?.heading && namedLine) {
      filling.put(card.heading, namedLine.heading);
      fillInOrder(
        filling,
        findParagraphSlots(card, filling.quoted),
        [upperFirst(namedLine.text)],
        name,
      );
    } else if (listItems.length === 0 && card && card.slots.length > 0) {
      fillInOrder(filling, findParagraphSlots(card, filling.quoted), [item], name);
    } else filling.reportUnplaced(`${name} (item ${index + 1})`);
  }
}

/**
 * The paragraphs and subtitles of a part, without quotations and lines that only state a fact.
 * Those that other pages have too come last.
 */
export const findParagraphSlots = ({ slots }: PagePart, quoted: ReadonlySet<string>): TextSlot[] =>
  slots
    .filter(
      (slot) =>
        (slot.role === 'paragraph' || slot.role === 'heading') &&
        !isFactLine(slot) &&
        !quoted.has(slot.id),
    )
    .toSorted((first, second) => Number(first.common ?? false) - Number(second.common ?? false));

/** Puts values into slots in their order. Reports `name` as unplaced if there is no slot. */
export function fillInOrder(
  filling: PageFilling,
  slots: TextSlot[],
  values: string[],
  name: string,
) {
  if (values.length > 0 && slots.length === 0) filling.reportUnplaced(name);
  for (const [slot, text] of pairInOrder(slots, values)) filling.put(slot, text);
}
