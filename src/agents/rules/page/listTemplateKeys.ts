import type { TextSlot } from '../../../sites/formats/pageParts.ts';
import { factKeys } from '../../shared/context/contextKeys.ts';
import { findSlotFacts } from '../../shared/facts/findFacts.ts';
import { plainText } from '../../shared/text/parseMarks.ts';
import { findLabels } from './fillLabels.ts';
import { listNamedSlots } from './fillPage.ts';
import { heroOf, isVisibleSlot, divideIntoParts } from './pageParts.ts';

const MAX_LABELS = 50;

/**
 * Lists the keys of a context that have a place on a template, each with the id of the first slot
 * that it fills: `{ headline: 's12', price: 's30', 'Open since': 's41' }`. The keys are names of
 * texts, kinds of facts, and the template's labels. Headings and ids of slots, which a context may
 * also use as keys, are not listed.
 */
export function listTemplateKeys(template: readonly TextSlot[]): Record<string, string> {
  const slots = template.filter(({ locked }) => !locked);
  const root = divideIntoParts(slots, (heading) => [plainText(heading.text)]);
  const hero = heroOf(root);
  const slotIdsByKey = new Map<string, string>();
  const addKey = (key: string, slot: TextSlot | undefined) => {
    if (slot && !slotIdsByKey.has(key)) slotIdsByKey.set(key, slot.id);
  };
  for (const [name, slot] of listNamedSlots({ slots, quoted: new Set() }, root, hero))
    addKey(name, slot);
  const visibleSlots = slots.filter(isVisibleSlot);
  for (const slot of visibleSlots)
    for (const { kind } of findSlotFacts(slot)) addKey(factKeys[kind][0]!, slot);
  const labels = findLabels(visibleSlots, (slot) => plainText(slot.text));
  for (const {
    names: [label],
    value,
  } of labels.slice(0, MAX_LABELS))
    addKey(label, value);
  return Object.fromEntries(slotIdsByKey);
}
