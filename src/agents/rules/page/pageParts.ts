import type { TextSlot, SlotRole } from '../../../sites/formats/pageParts.ts';

/**
 * A part of a page: a heading, the texts directly below it, and the parts with lower headings. A
 * page with the headings h1, h2, h2 is a root with one part, which has two parts.
 */
export interface PagePart {
  heading: TextSlot | null;
  /** The heading, as it reads on the template and on the new page. */
  titles: string[];
  level: number;
  slots: TextSlot[];
  parts: PagePart[];
}

const HEAD_ROLES: SlotRole[] = [
  'title',
  'description',
  'social-title',
  'social-description',
  'structured-data',
];

/** Whether a slot is visible in the page's body. */
export const isVisibleSlot = ({ role, section, id }: TextSlot) =>
  !HEAD_ROLES.includes(role) && !(section === null && id.endsWith('.content'));

/**
 * Divides a page's visible slots into parts by the headings, in document order. Subtitles are texts
 * of the part above.
 * @param titlesOf returns a heading as it reads on the template and on the new page
 * @returns the root: a part without a heading, which has the texts before the first one
 */
export function divideIntoParts(
  slots: TextSlot[],
  titlesOf: (heading: TextSlot) => string[],
): PagePart {
  const root: PagePart = { heading: null, titles: [], level: 0, slots: [], parts: [] };
  const openParts = [root];
  const visibleSlots = slots.filter(isVisibleSlot);
  for (const [index, slot] of visibleSlots.entries()) {
    if (slot.role !== 'heading' || isSubtitle(slot, visibleSlots[index - 1])) {
      openParts.at(-1)!.slots.push(slot);
      continue;
    }
    const level = slot.level ?? 2;
    while (openParts.length > 1 && openParts.at(-1)!.level >= level) openParts.pop();
    const part: PagePart = { heading: slot, titles: titlesOf(slot), level, slots: [], parts: [] };
    openParts.at(-1)!.parts.push(part);
    openParts.push(part);
  }
  return root;
}

/**
 * Whether a heading only looks like one: it is the line or the text directly below a heading that
 * is at least three levels higher, such as an h4 below an h1.
 */
const isSubtitle = (slot: TextSlot, previousSlot: TextSlot | undefined) =>
  previousSlot?.role === 'heading' &&
  (slot.level ?? 2) - (previousSlot.level ?? 2) >= SUBTITLE_LEVELS &&
  readElementNumber(slot) - readElementNumber(previousSlot) === 1;

const SUBTITLE_LEVELS = 3;

/** The number of a slot's element in document order. */
export const readElementNumber = ({ id }: TextSlot) => Number(/\d+/.exec(id)?.[0]);

/** A part and all parts below it, in document order. */
export const listAllParts = (part: PagePart): PagePart[] => [
  part,
  ...part.parts.flatMap(listAllParts),
];

/**
 * The part with the page's headline, which is the first h1. A page without one may have its h1 in
 * the site's chrome: then it is the page's only outermost part, or else the root.
 */
export function heroOf(root: PagePart): PagePart {
  const [only, ...otherParts] = root.parts;
  const first = listAllParts(root).find(({ level }) => level === 1);
  return first ?? (only && otherParts.length === 0 ? only : root);
}

/** Removes slots from a part of the page, and with them the parts whose headings they are. */
export function removeSlotsFromPart(part: PagePart, slots: Set<TextSlot>) {
  part.slots = part.slots.filter((slot) => !slots.has(slot));
  part.parts = part.parts.filter(({ heading }) => !(heading && slots.has(heading)));
  for (const childPart of part.parts) removeSlotsFromPart(childPart, slots);
}
