import { remembered } from '../../../remembered.ts';
import { DAYS, type StatedHours } from '../../page.ts';
import type { HtmlDocument } from '../document.ts';
import { idOf } from '../openPage.ts';
import { leavesOf } from '../slots/plainSlotPlaces.ts';

const folded = DAYS.map((day) => day.toLowerCase());

/** The opening hours that a page's structured data states. */
export function hoursOf(page: HtmlDocument): StatedHours[] {
  const found: StatedHours[] = [];
  for (const element of page.elements) {
    const entries = new Map<string, StatedHours>();
    for (const [i, { path, value }] of leavesOf(page, element).entries()) {
      const at = path.lastIndexOf('openingHoursSpecification');
      const field = path.findLast((step) => typeof step === 'string');
      if (at === -1) continue;
      const key = path.slice(0, typeof path[at + 1] === 'number' ? at + 2 : at + 1).join('.');
      const entry = remembered(entries, key, () => ({ days: [], opens: '', closes: '' }));
      if (field === 'dayOfWeek')
        entry.days.push(folded.indexOf(String(value).split('/').at(-1)!.toLowerCase()));
      if (field === 'opens' || field === 'closes') entry[field] = `${idOf(page, element)}.${i}`;
    }
    found.push(...entries.values());
  }
  return found;
}
