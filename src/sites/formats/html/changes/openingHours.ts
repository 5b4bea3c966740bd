import { remembered } from '../../../remembered.ts';
import { DAYS } from '../../../../text/days.ts';
import { dayNamesIn } from '../../../pages/hoursData.ts';
import type { StatedHours } from '../../page.ts';
import type { HtmlDocument } from '../document.ts';
import { idOf } from '../openPage.ts';
import { leavesOf } from '../slots/plainSlotPlaces.ts';

/** The opening hours that a page's structured data states. */
export function hoursOf(page: HtmlDocument): StatedHours[] {
  const found: StatedHours[] = [];
  for (const element of page.elements) {
    const entries = new Map<string, StatedHours>();
    for (const [i, { path, value, days }] of leavesOf(page, element).entries()) {
      const at = path.lastIndexOf('openingHoursSpecification');
      const field = path.findLast((step) => typeof step === 'string');
      if (at === -1) continue;
      const key = path.slice(0, typeof path[at + 1] === 'number' ? at + 2 : at + 1).join('.');
      const entry = remembered(entries, key, () => ({ days: [], opens: '', closes: '' }));
      if (field === 'dayOfWeek')
        for (const day of days ?? [String(value)])
          entry.days.push(...(dayNamesIn(day)?.map((name) => DAYS.indexOf(name)) ?? [-1]));
      if (field === 'opens' || field === 'closes') entry[field] = `${idOf(page, element)}.${i}`;
    }
    found.push(...entries.values());
  }
  return found;
}
