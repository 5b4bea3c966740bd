import type { GroupListing } from '../../../tools/grouping.ts';
import type { PageReading } from '../../../tools/readPages.ts';
import type { Edit } from '../../../siteCalls.ts';
import type { StepOf } from '../planSteps.ts';
import { refuse } from './refuse.ts';
import { setAlike, slotsSaying, type ReadSlot } from './slotTexts.ts';

type TextStep = StepOf<'text'>;

/**
 * Changes a paragraph, list item or heading with a text, and the same text in structured data.
 * @param groups the page's groups, if a list item is to change: its text may be that of a link in
 * it
 */
export function editOneText(page: PageReading, groups: GroupListing, step: TextStep): Edit[] {
  const name = step.role.replace('-', ' ');
  const found = saidBy(page, groups, step);
  if (found.length > 1) throw refuse(`there are ${found.length} such ${name}s on ${page.slug}`);
  if (found.length === 0) throw refuse(`there is no such ${name} on ${page.slug}`);
  return setAlike(page, found, ['structured-data'], step.text);
}

function saidBy(page: PageReading, groups: GroupListing, { role, now }: TextStep): ReadSlot[] {
  const items = groups
    .filter((group) => group.role === 'list-item')
    .flatMap(({ members }) => members);
  const alone = new Set(items.flatMap((texts) => (texts.length === 1 ? texts[0]!.id : [])));
  const ofRole = page.slots.filter((slot) => slot.role === role || alone.has(slot.id));
  return slotsSaying(ofRole, now);
}
