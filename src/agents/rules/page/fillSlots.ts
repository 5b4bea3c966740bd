import type { Slot } from '../../../sites/formats/page.ts';
import { foldWords } from '../../text/fold.ts';
import { plainText } from '../../text/marks.ts';
import { fillLabels, labelsOf } from './fillLabels.ts';
import { languageTag } from '../../../text/languageTag.ts';
import { paragraphsOf, type ContextData, type Field } from '../../context/contextData.ts';
import { createFilling, type Filling } from '../../page/filling.ts';
import type { PageInput } from '../../page/pageInput.ts';
import { fieldNamed, isSubjectOrFact, names, type Name } from '../../context/contextKeys.ts';
import { allParts, heroOf, isVisible, outlineOf, type Part } from './pageParts.ts';
import { isOrder } from '../../context/writerOrders.ts';
import { fillInOrder, fillSections, paragraphSlots } from './fillSections.ts';

/**
 * Puts the context's data into the slots that its keys and headings name.
 * @param renamed returns a text of the template as it reads on the new page
 */
export function fillSlots(
  { template: { groups = [] }, own: slots, context, quoted }: PageInput,
  renamed: (slot: Slot) => string,
): Filling {
  const filling = createFilling({ slots, groups, quoted });
  const root = outlineOf(slots, (heading) => [plainText(heading.text), renamed(heading)]);
  const hero = heroOf(root);
  const used = new Set<Field>();
  const field = (name: Name): Field | null => {
    const found = fieldNamed(context, names[name]);
    if (found) used.add(found);
    return found;
  };
  for (const given of fillById(filling, context.fields)) used.add(given);
  for (const [name, slot] of namedSlots(filling, root, hero)) {
    const value = field(name)?.values[0];
    if (value !== undefined && slot) filling.put(slot, paragraphsOf(value).join(' '));
    else if (value !== undefined) filling.leave(name);
  }
  const language = field('language')?.values[0];
  if (language !== undefined && languageTag(language) === null)
    filling.leave(`language ("${language}" is none that is known)`);
  fillImageAlts(filling, slots, field('imageAlt'));
  fillBody(filling, hero, [
    ...(field('body')?.values.flatMap(paragraphsOf) ?? []),
    ...proseOf(context, filling),
  ]);
  const others = context.fields.filter((field) => !used.has(field));
  fillLabels(filling, others, renamed);
  const rest = others.filter((field) => !filling.used.has(field) && !isSubjectOrFact(field.key));
  // paragraphs are not headings, so a small line above one is not its label
  const labels = labelsOf(filling.slots.filter(isVisible), renamed).filter(
    ({ value }) => value.role !== 'heading',
  );
  fillSections(
    filling,
    { root, taken: new Set([hero, root]) },
    { sections: context.sections, fields: rest },
    labels,
  );
  return filling;
}

/**
 * Puts values into the slots whose ids are their keys: `s57: Web design in Rome`.
 * @returns the fields that were put
 */
function fillById(filling: Filling, fields: readonly Field[]): Field[] {
  const byKey = new Map(filling.slots.map((slot) => [foldWords(slot.id), slot]));
  return fields.filter(({ key, values }) => {
    const slot = byKey.get(key);
    if (slot) filling.put(slot, values.flatMap(paragraphsOf).join(' '));
    return slot !== undefined;
  });
}

/** The slots of the keys in contextKeys.ts. */
export function namedSlots(
  { slots, quoted }: Pick<Filling, 'slots' | 'quoted'>,
  root: Part,
  hero: Part,
): [Name, Slot | undefined][] {
  const buttons = [hero, ...allParts(root)].map(buttonOf);
  return [
    ['title', slots.find(({ role }) => role === 'title')],
    ['headline', hero.heading ?? undefined],
    ['description', slots.find(({ role }) => role === 'description')],
    ['button', buttons.find((slot) => slot !== undefined)],
    ['lead', paragraphSlots(hero, quoted)[0]],
  ];
}

const buttonOf = ({ slots }: Part): Slot | undefined =>
  slots.find(({ role }) => role === 'button') ?? slots.find(({ role }) => role === 'link');

function fillImageAlts(filling: Filling, slots: Slot[], alts: Field | null) {
  const images = slots.filter((slot) => slot.role === 'image-alt' && isVisible(slot));
  for (const [i, alt] of (alts?.values ?? []).entries()) {
    if (images[i]) filling.put(images[i], alt);
    else filling.leave('image alt');
  }
}

function fillBody(filling: Filling, hero: Part, paragraphs: string[]) {
  const free = paragraphSlots(hero, filling.quoted).filter((slot) => !filling.texts.has(slot));
  fillInOrder(filling, free, paragraphs, 'body text');
}

const isSentence = (text: string) => text.split(' ').length >= 4 && /[.!?…]["”’»)]?$/u.test(text);
/** Whether a text is short enough to be only the name of the page's subject. */
const isName = (text: string) => text.split(' ').length <= 6;

/**
 * The paragraphs without a heading that are text for the page. They are sentences, and none of them
 * is an instruction to a writer.
 */
function proseOf({ paragraphs }: ContextData, filling: Filling): string[] {
  if (paragraphs.some(isOrder)) {
    filling.leave('instructions to a writer (they need a language model: set AGENT_MODEL)');
    return [];
  }
  if (paragraphs.some((text) => !isSentence(text) && !isName(text)))
    filling.leave('text that is not in sentences');
  return paragraphs.filter(isSentence);
}
