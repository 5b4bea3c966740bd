import { plainText } from '../../../text/marks.ts';
import type { GroupListing } from '../../../tools/grouping.ts';
import type { PageReading } from '../../../tools/readPages.ts';
import type { Edit } from '../../../siteCalls.ts';
import type { StepOf } from '../planSteps.ts';
import { refuse } from './refuse.ts';
import { preferring, saying, setAlike, slotsSaying, type ReadSlot } from './slotTexts.ts';

type TextStep = StepOf<'text'>;
type Texts = Pick<ReadSlot, 'id' | 'text'>[];

/**
 * Changes a paragraph, list item or heading, and the same text in structured data. The text is
 * found by its content or its place.
 * @param groups the page's groups, if a list item is to change: its text may be that of a link in
 * it
 */
export function editOneText(page: PageReading, groups: GroupListing, step: TextStep): Edit[] {
  const { slug } = page;
  const name = step.role.replace('-', ' ');
  const place = step.section === undefined ? `on ${slug}` : `under this heading of ${slug}`;
  const found = step.now === undefined ? thingsAt(page, groups, step) : saidBy(page, groups, step);
  const chosen = step.position === undefined ? found : found.slice(...rangeOf(step.position));
  const [texts] = chosen;
  if (chosen.length > 1)
    throw refuse(
      `there are ${chosen.length} such ${name}s ${place}; say which, e.g. "the first ${name} under …"`,
    );
  if (!texts && found.length > 0) throw refuse(`there are only ${found.length} ${name}s ${place}`);
  if (!texts) throw refuse(`there is no ${step.now === undefined ? '' : 'such '}${name} ${place}`);
  if (texts.length > 1)
    throw refuse(`this ${name} has ${texts.length} texts; name the one that is to change`);
  return setAlike(page, texts, ['structured-data'], step.text);
}

const rangeOf = (position: number): [number, number | undefined] =>
  position < 0 ? [position, undefined] : [Math.max(0, position - 1), position];

/** The members of the only list under a heading, or the texts with the role there, in order. */
function thingsAt(
  page: PageReading,
  groups: GroupListing,
  { role, section = '' }: TextStep,
): Texts[] {
  const below = saying(groups, section, (group) => group.section ?? '');
  const [list, ...others] = preferring(below, (group) => group.role === role);
  if (list && others.length === 0) return list.members;
  return under(page, section)
    .filter((slot) => slot.role === role)
    .map((slot) => [slot]);
}

function saidBy(
  page: PageReading,
  groups: GroupListing,
  { role, section, now = '' }: TextStep,
): Texts[] {
  const items = groups
    .filter((group) => group.role === 'list-item')
    .flatMap(({ members }) => members);
  const alone = new Set(items.flatMap((texts) => (texts.length === 1 ? texts[0]!.id : [])));
  const candidates = section === undefined ? page.slots : under(page, section);
  const ofRole = candidates.filter((slot) => slot.role === role || alone.has(slot.id));
  return slotsSaying(ofRole, now).map((slot) => [slot]);
}

/** The texts under a heading. */
function under({ slug, slots }: PageReading, section: string): ReadSlot[] {
  const headings = slotsSaying(
    slots.filter(({ role }) => role === 'heading'),
    section,
  );
  if (headings.length === 0) throw refuse(`${slug} has no such heading`);
  if (headings.length > 1)
    throw refuse(
      `${slug} has ${headings.length} headings of this text; name the text that is to change instead`,
    );
  return slots.filter((slot) => slot.section === plainText(headings[0]!.text));
}
