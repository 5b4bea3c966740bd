import type { GroupRole, Slot } from '../../../sites/formats/page.ts';
import { foldWords } from '../../text/fold.ts';
import { plainText } from '../../text/marks.ts';
import {
  newSection,
  paragraphsOf,
  type ContextData,
  type Field,
  type Section,
} from '../../context/contextData.ts';
import { quoteOf } from '../../context/citedQuotes.ts';
import { inOrder, namedLine } from '../../context/listEntries.ts';
import { isFactKey } from '../../context/contextKeys.ts';
import { isFactLine } from '../../facts/findFacts.ts';
import { fillByName } from './fillByName.ts';
import { fillGroups } from './fillGroups.ts';
import type { Filling } from '../../page/filling.ts';
import { isHoursSection } from '../../context/givenHours.ts';
import { putBehindLabel, type Label } from './fillLabels.ts';
import { upperFirst } from '../../text/letterCase.ts';
import { headingFit } from '../../page/headingFit.ts';
import { isOwn } from '../../page/member.ts';
import { allParts, type Part } from './pageParts.ts';

/**
 * How well a key must fit a heading: `LIKELY` if its value is a list or ends like a sentence, else
 * `SURE`.
 */
const SURE = 0.75;
const LIKELY = 0.5;

/** A page's parts, and those of them that already have their texts. */
interface Outline {
  root: Part;
  takenParts: Set<Part>;
}

/**
 * Puts the sections and fields of a context into the parts of the page with similar headings, or
 * beside similar labels.
 */
export function fillSections(
  filling: Filling,
  outline: Outline,
  { sections, fields }: Pick<ContextData, 'sections' | 'fields'>,
  labels: Label[],
) {
  const place = (section: Section, least: number) => {
    const part = bestPart(outline, section.name, least);
    if (part) return fillPart(filling, part, section, outline.takenParts);
    const values = section.sections.length > 0 ? [] : [...section.paragraphs, ...section.items];
    const isPlaced =
      (values.length > 0 &&
        putBehindLabel(filling, labels, foldWords(section.name), values.join(', '))) ||
      fillElsewhere(filling, outline.root, section) ||
      fillByName(filling, namedFields(section), section.name);
    if (!isPlaced && !isHoursSection(section) && !isOfFacts(section)) filling.reportUnplaced(section.name);
  };
  for (const section of sections) place(section, 0);
  for (const { key, values, isList } of fields) {
    const isQuotes = values.every((value) => quoteOf(value)?.author);
    const isText = values.length > 1 || isList || /[.!?…]$/u.test(values[0] ?? '');
    const [paragraphs, items] =
      values.length > 1 || isList || isQuotes ? [[], values] : [values.flatMap(paragraphsOf), []];
    if (!isText && !isQuotes && fillByName(filling, [{ key, values }])) continue;
    place(newSection(key, { paragraphs, items }), isText ? LIKELY : SURE);
  }
}

/**
 * The fields of a section, and the fields of its entries. The latter have the entries' names as
 * keys.
 */
const namedFields = ({ fields = [], sections }: Section): Field[] => [
  ...fields,
  ...sections.flatMap((own) =>
    (own.fields ?? []).map(({ values }) => ({ key: foldWords(own.name), values })),
  ),
];

/**
 * Whether a section has nothing but facts. Each replaces one of the template's, or is reported.
 */
const isOfFacts = ({ fields = [], paragraphs, items, sections }: Section) =>
  fields.length > 0 &&
  paragraphs.length + items.length + sections.length === 0 &&
  fields.every(({ key }) => isFactKey(key));

/** The role of a group for a list, by the list's name. */
const ROLES: Record<string, GroupRole> = {
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

/** Puts a list into the part with its name. If there is none, into the only group of its role. */
function fillElsewhere(filling: Filling, root: Part, section: Section): boolean {
  const named = allParts(root).find((part) => part.heading && fit(section.name, part) >= SURE);
  const role = ROLES[foldWords(section.name)] ?? (isAsked(section) ? 'question' : undefined);
  const part = named ?? (role && root);
  return (
    part !== undefined && fillGroups(filling, part, section, named ? undefined : role) !== section
  );
}

/** Whether a section consists of questions with their answers. */
const isAsked = ({ paragraphs, items, sections }: Section) =>
  sections.length > 0 &&
  paragraphs.length + items.length === 0 &&
  sections.every(({ heading }) => heading?.endsWith('?'));

const fit = (name: string, { titles }: Part) =>
  Math.max(0, ...titles.map((title) => headingFit(name, title)));

function bestPart({ root, takenParts: taken }: Outline, name: string, least: number): Part | undefined {
  const scored = allParts(root).flatMap((part) =>
    taken.has(part) ? [] : [{ part, score: fit(name, part) }],
  );
  return scored
    .filter(({ score }) => score > 0 && score >= least)
    .sort((a, b) => b.score - a.score)[0]?.part;
}

function fillPart(filling: Filling, part: Part, given: Section, taken: Set<Part>) {
  taken.add(part);
  const section = fillGroups(filling, part, given);
  fillByName(filling, section.fields ?? [], section.name);
  if (section.heading !== null && part.heading) filling.put(part.heading, section.heading);
  const hasItems = part.parts.length > 0 || part.slots.some(({ role }) => role === 'list-item');
  const asText = section.items.length > 0 && !hasItems;
  const paragraphs = asText
    ? [...section.paragraphs, ...section.items.flatMap(paragraphsOf)]
    : section.paragraphs;
  fillInOrder(filling, runningSlots(filling, part), paragraphs, section.name);
  if (!asText) fillItems(filling, part, section);
  const children = part.parts.length > 0 ? part.parts : questionsOf(part);
  for (const [i, child] of section.sections.entries()) {
    const free = children.filter((own) => !taken.has(own));
    const own = free.find((own) => fit(child.name, own) === 1) ?? free[0];
    if (own) fillPart(filling, own, child, taken);
    else filling.reportUnplaced(child.name || `${section.name} (${i + 1})`);
  }
}

/** The paragraphs of a part, except answers and members of groups. */
function runningSlots(filling: Filling, part: Part): Slot[] {
  const slots = new Map(filling.slots.map((slot) => [slot.id, slot]));
  const others = filling.groups
    .flatMap(({ members }) => members)
    .filter(
      (ids) =>
        !ids.includes(part.heading?.id ?? '') &&
        ids.filter((id) => slots.has(id) && isOwn(slots.get(id)!)).length > 1,
    );
  const answers = questionsOf(part).flatMap((own) => own.slots.map(({ id }) => id));
  const taken = new Set([...others.flat(), ...answers]);
  return paragraphSlots(part, filling.quoted).filter(({ id }) => !taken.has(id));
}

/**
 * Questions without headings, as in `details` elements: a text of the role `other`, and the
 * paragraph behind it.
 */
function questionsOf({ slots, level }: Part): Part[] {
  return slots.flatMap((heading, i) => {
    const answer = slots[i + 1];
    if (heading.role !== 'other' || answer?.role !== 'paragraph') return [];
    return [
      { heading, titles: [plainText(heading.text)], level: level + 1, slots: [answer], parts: [] },
    ];
  });
}

/**
 * Puts items into list items. Or into cards: then `Name: text` becomes a heading and its paragraph.
 */
function fillItems(filling: Filling, part: Part, { items, name }: Section) {
  const list = part.slots.filter(({ role }) => role === 'list-item');
  for (const [i, item] of items.entries()) {
    const named = namedLine(item);
    const card = part.parts[i];
    if (list[i]) filling.put(list[i], item);
    else if (list.length === 0 && card?.heading && named) {
      filling.put(card.heading, named.heading);
      fillInOrder(filling, paragraphSlots(card, filling.quoted), [upperFirst(named.text)], name);
    } else if (list.length === 0 && card && card.slots.length > 0) {
      fillInOrder(filling, paragraphSlots(card, filling.quoted), [item], name);
    } else filling.reportUnplaced(`${name} (item ${i + 1})`);
  }
}

/** The paragraphs of a part that are running text. */
export const paragraphSlots = ({ slots }: Part, quoted: ReadonlySet<string>): Slot[] =>
  slots.filter((slot) => slot.role === 'paragraph' && !isFactLine(slot) && !quoted.has(slot.id));

export function fillInOrder(filling: Filling, slots: Slot[], values: string[], name: string) {
  if (values.length > 0 && slots.length === 0) filling.reportUnplaced(name);
  for (const [slot, text] of inOrder(slots, values)) filling.put(slot, text);
}
