import { type SlotRole, isHeadline } from '../../../../sites/formats/page.ts';
import { oneLine } from '../../../text/fold.ts';
import { plainText } from '../../../text/marks.ts';
import type { PageReading } from '../../../tools/readPages.ts';
import type { Field } from '../instructions.ts';
import type { Edit } from '../../../siteCalls.ts';
import type { StepOf } from '../planSteps.ts';
import { refuse } from './refuse.ts';
import { setAlike, type ReadSlot } from './slotTexts.ts';

const FIELDS: Record<
  Field,
  { is: (slot: ReadSlot) => boolean; name: string; followers: SlotRole[] }
> = {
  headline: {
    is: isHeadline,
    name: 'headline (h1)',
    followers: ['title', 'social-title', 'structured-data'],
  },
  title: {
    is: ({ role }) => role === 'title',
    name: 'title',
    followers: ['social-title', 'structured-data'],
  },
  description: {
    is: ({ role }) => role === 'description',
    name: 'meta description',
    followers: ['social-description', 'structured-data'],
  },
};

/** Sets a field. Also sets meta tags and structured data that have the same text. */
export function editField(
  page: PageReading,
  { field, text, old: expected }: StepOf<'set'>,
): Edit[] {
  const { slug, slots } = page;
  const { is, name, followers } = FIELDS[field];
  const found = slots.filter(is);
  if (found.length === 0) throw refuse(`${slug} has no ${name}`);
  if (found.length > 1)
    throw refuse(
      `${slug} has ${found.length} texts that may be its ${name}; say which by \`Replace "…" with "…" on ${slug}\``,
    );
  const old = plainText(found[0]!.text);
  if (expected !== undefined && oneLine(expected) !== oneLine(old))
    throw refuse(`the ${name} of ${slug} is not the text that it is to be changed from`);
  return setAlike(page, found, followers, text);
}
