import type { Slot } from '../../../sites/formats/page.ts';
import { factKeys } from '../../context/contextKeys.ts';
import { factsOf } from '../../facts/findFacts.ts';
import { plainText } from '../../text/marks.ts';
import { labelsOf } from './fillLabels.ts';
import { namedSlots } from './fillSlots.ts';
import { heroOf, isVisible, outlineOf } from './pageParts.ts';

const MOST_LABELS = 50;

/**
 * The keys of a context that have a place on a template, each with the id of the first slot that it
 * fills: names of texts, facts, and the template's labels. Headings and the ids of slots are keys
 * too.
 */
export function templateKeys(template: readonly Slot[]): Record<string, string> {
  const slots = template.filter(({ locked }) => !locked);
  const root = outlineOf(slots, (heading) => [plainText(heading.text)]);
  const hero = heroOf(root);
  const keys = new Map<string, string>();
  const add = (key: string, slot: Slot | undefined) => {
    if (slot && !keys.has(key)) keys.set(key, slot.id);
  };
  for (const [name, slot] of namedSlots({ slots, quoted: new Set() }, root, hero)) add(name, slot);
  const shown = slots.filter(isVisible);
  for (const slot of shown) for (const { kind } of factsOf(slot)) add(factKeys[kind][0]!, slot);
  const labels = labelsOf(shown, (slot) => plainText(slot.text));
  for (const {
    names: [label],
    value,
  } of labels.slice(0, MOST_LABELS))
    add(label, value);
  return Object.fromEntries(keys);
}
