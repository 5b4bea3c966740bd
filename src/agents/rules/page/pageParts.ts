import type { Slot, SlotRole } from '../../../sites/formats/page.ts';

/** A part of a page: a heading, the texts below it, and parts with lower headings. */
export interface Part {
  heading: Slot | null;
  /** The heading, as it reads on the template and on the new page. */
  titles: string[];
  level: number;
  slots: Slot[];
  parts: Part[];
}

const HEAD: SlotRole[] = [
  'title',
  'description',
  'social-title',
  'social-description',
  'structured-data',
];

/** Whether a slot is visible in the page's body. */
export const isVisible = ({ role, section, id }: Slot) =>
  !HEAD.includes(role) && !(section === null && id.endsWith('.content'));

/**
 * Divides a page into parts by its headings, in document order. The root has the texts before the
 * first heading.
 * @param titlesOf returns a heading as it reads on the template and on the new page
 */
export function outlineOf(slots: Slot[], titlesOf: (heading: Slot) => string[]): Part {
  const root: Part = { heading: null, titles: [], level: 0, slots: [], parts: [] };
  const open = [root];
  for (const slot of slots.filter(isVisible)) {
    if (slot.role !== 'heading') {
      open.at(-1)!.slots.push(slot);
      continue;
    }
    const level = slot.level ?? 2;
    while (open.length > 1 && open.at(-1)!.level >= level) open.pop();
    const part: Part = { heading: slot, titles: titlesOf(slot), level, slots: [], parts: [] };
    open.at(-1)!.parts.push(part);
    open.push(part);
  }
  return root;
}

/** A part and all parts below it, in document order. */
export const allParts = (part: Part): Part[] => [part, ...part.parts.flatMap(allParts)];

/**
 * The part with the page's headline. If the first-level heading is the site's, it is the only
 * heading of the highest level.
 */
export function heroOf(root: Part): Part {
  const [only, ...others] = root.parts;
  const first = allParts(root).find(({ level }) => level === 1);
  return first ?? (only && others.length === 0 ? only : root);
}

/** Removes slots from a part of the page, and with them the parts whose headings they are. */
export function takeOut(part: Part, slots: Set<Slot>) {
  part.slots = part.slots.filter((slot) => !slots.has(slot));
  part.parts = part.parts.filter(({ heading }) => !(heading && slots.has(heading)));
  for (const own of part.parts) takeOut(own, slots);
}
