import type { Slot } from '../../../sites/formats/format.ts';
import { plainText } from '../../text/marks.ts';
import { paragraphsOf, type ContextData, type Field, type Section } from '../context/data.ts';
import { factsOf } from './facts.ts';
import { upperFirst } from './letterCase.ts';
import { likeness } from './match.ts';
import { fieldNamed, isSubjectOrFact, names, type Name } from './names.ts';
import { allParts, isVisible, outlineOf, type Part } from './outline.ts';

/** New plain texts by slot, and what of the context found no place. */
export interface Filling {
  texts: Map<Slot, string>;
  unplaced: string[];
}

/** Puts the context's data into the slots that its keys and headings name. */
export function fillSlots(slots: Slot[], context: ContextData): Filling {
  const filling: Filling = { texts: new Map(), unplaced: [] };
  const root = outlineOf(slots);
  const used = new Set<Field>();
  const field = (name: Name) => {
    const found = fieldNamed(context, names[name]);
    if (found) used.add(found);
    return found;
  };
  const first = (name: Name, slot: Slot | undefined) => {
    const value = field(name)?.values[0];
    if (value !== undefined) place(filling, slot, value, name);
  };
  const hero = allParts(root).find(({ level }) => level === 1) ?? root;
  const button = (part: Part) =>
    part.slots.find(({ role }) => role === 'button') ?? part.slots.find(({ role }) => role === 'link');
  first(
    'title',
    slots.find(({ role }) => role === 'title'),
  );
  first('headline', hero.heading ?? undefined);
  first(
    'description',
    slots.find(({ role }) => role === 'description'),
  );
  first(
    'button',
    button(hero) ??
      allParts(root)
        .map(button)
        .find((slot) => slot !== undefined),
  );
  fillImageAlts(filling, slots, field('imageAlt'));
  const lead = paragraphSlots(hero)[0];
  first('lead', lead);
  fillBody(filling, hero, [...(field('body')?.values.flatMap(paragraphsOf) ?? []), ...bodyOf(context)]);
  const taken = new Set<Part>([hero, root]);
  for (const section of context.sections) fillSection(filling, root, taken, section);
  const rest = context.fields.filter((field) => !used.has(field) && !isSubjectOrFact(field.key));
  for (const field of rest) fillByHeading(filling, root, taken, field);
  return filling;
}

function place({ texts, unplaced }: Filling, slot: Slot | undefined, text: string, name: string) {
  if (slot) texts.set(slot, paragraphsOf(text).join(' '));
  else unplaced.push(name);
}

function fillImageAlts({ texts, unplaced }: Filling, slots: Slot[], alts: Field | null) {
  const images = slots.filter((slot) => slot.role === 'image-alt' && isVisible(slot));
  for (const [i, alt] of (alts?.values ?? []).entries()) {
    if (images[i]) texts.set(images[i], alt);
    else unplaced.push('image alt');
  }
}

/** Prose counts as the page's own text only where it is sentences, and not orders to a writer. */
function bodyOf({ format, paragraphs }: ContextData): string[] {
  const sentences = paragraphs.filter((text) => text.split(' ').length >= 4 && /[.!?…]["”’»)]?$/u.test(text));
  return format === 'prose' && sentences.some(isOrder) ? [] : sentences.filter((text) => !isOrder(text));
}

const ORDER =
  /^(?:please |kindly )?(?:write|create|make|generate|use|add|mention|focus|include|emphasi[sz]e|highlight|describe|target|keep|avoid|do not|don['’]t|ensure|tailor|adapt|change|replace|translate)\b/iu;
const isOrder = (text: string) => text.split(/(?<=[.!?])\s+/u).some((sentence) => ORDER.test(sentence));

/** Paragraphs of running text: not the short lines that hold a fact (`Rated 4.9 out of 5`). */
function paragraphSlots({ slots }: Part): Slot[] {
  const isFactLine = (slot: Slot) => plainText(slot.text).length < 60 && factsOf(slot).length > 0;
  return slots.filter((slot) => slot.role === 'paragraph' && !isFactLine(slot));
}

function fillBody(filling: Filling, hero: Part, paragraphs: string[]) {
  const free = paragraphSlots(hero).filter((slot) => !filling.texts.has(slot));
  fillInOrder(filling, free, paragraphs, 'body text');
}

/** Texts into slots in order; the last slot takes what is left over. */
function fillInOrder({ texts, unplaced }: Filling, slots: Slot[], values: string[], name: string) {
  if (values.length > 0 && slots.length === 0) unplaced.push(name);
  for (const [i, slot] of slots.slice(0, values.length).entries()) {
    texts.set(slot, i === slots.length - 1 ? values.slice(i).join(' ') : values[i]!);
  }
}

function fillSection(filling: Filling, root: Part, taken: Set<Part>, section: Section) {
  const part = bestPart(root, taken, section.name);
  if (part) fillPart(filling, part, section, taken);
  else filling.unplaced.push(section.name);
}

function bestPart(root: Part, taken: Set<Part>, name: string): Part | undefined {
  const scored = allParts(root).flatMap((part) =>
    part.heading && !taken.has(part) ? [{ part, score: likeness(name, plainText(part.heading.text)) }] : [],
  );
  return scored.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score)[0]?.part;
}

function fillPart(filling: Filling, part: Part, section: Section, taken: Set<Part>) {
  taken.add(part);
  if (section.heading !== null && part.heading) filling.texts.set(part.heading, section.heading);
  fillInOrder(filling, paragraphSlots(part), section.paragraphs, section.name);
  fillItems(filling, part, section);
  const children = part.parts.length > 0 ? part.parts : questionsOf(part);
  for (const [i, child] of section.sections.entries()) {
    const named = part.parts.find(
      (own) => !taken.has(own) && own.heading && likeness(child.name, plainText(own.heading.text)) === 1,
    );
    const own = named ?? children.filter((own) => !taken.has(own))[0];
    if (own) fillPart(filling, own, child, taken);
    else filling.unplaced.push(child.name || `${section.name} ${i + 1}`);
  }
}

/** Questions and answers without headings (`details`): each text of another kind with the paragraph behind it. */
function questionsOf({ slots, level }: Part): Part[] {
  return slots.flatMap((slot, i) =>
    slot.role === 'other' && slots[i + 1]?.role === 'paragraph'
      ? [{ heading: slot, level: level + 1, slots: [slots[i + 1]!], parts: [] }]
      : [],
  );
}

/** Items into the list's items; into cards, `Name: text` gives a heading and its paragraph. */
function fillItems(filling: Filling, part: Part, { items, name }: Section) {
  const list = part.slots.filter(({ role }) => role === 'list-item');
  const cards = part.parts;
  for (const [i, item] of items.entries()) {
    const [, head, rest] = /^([^:–—]{2,60}?)\s*(?::| [–—])\s+(.+)$/u.exec(item) ?? [];
    const card = cards[i];
    if (list[i]) filling.texts.set(list[i], item);
    else if (list.length === 0 && card?.heading && head !== undefined && rest !== undefined) {
      filling.texts.set(card.heading, head);
      fillInOrder(filling, paragraphSlots(card), [upperFirst(rest)], name);
    } else filling.unplaced.push(`${name} (item ${i + 1})`);
  }
}

/** A key that is a section's heading: several values are its items, texts its paragraphs. A lone word is no text: it needs a surer match. */
function fillByHeading(filling: Filling, root: Part, taken: Set<Part>, { key, values }: Field) {
  const part = bestPart(root, taken, key);
  const isText = values.length > 1 || /[.!?…]$/u.test(values[0] ?? '');
  if (!part?.heading || likeness(key, plainText(part.heading.text)) < (isText ? 0.5 : 0.75))
    return void filling.unplaced.push(key);
  const isList = values.length > 1 && (part.slots.some(({ role }) => role === 'list-item') || part.parts.length > 0);
  const paragraphs = isList ? [] : values.flatMap(paragraphsOf);
  fillPart(filling, part, { name: key, heading: null, paragraphs, items: isList ? values : [], sections: [] }, taken);
}
