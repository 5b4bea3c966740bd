import { type SlotRole, isHeadline } from '../../../../sites/formats/page.ts';
import { toSingleLine } from '../../../text/fold.ts';
import { plainText } from '../../../text/marks.ts';
import type { PageReading } from '../../../tools/readPages.ts';
import type { PageField } from '../instructions.ts';
import type { RulesEdit } from '../../../siteCalls.ts';
import type { PromptStepOf } from '../planSteps.ts';
import { createInstructionError } from './refuse.ts';
import { createSameTextEdits, type ReadSlot } from './slotTexts.ts';

const PAGE_FIELDS: Record<
  PageField,
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
  { field, text, old: expectedText }: PromptStepOf<'set'>,
): RulesEdit[] {
  const { slug, slots } = page;
  const { is: isFieldSlot, name, followers } = PAGE_FIELDS[field];
  const fieldSlots = slots.filter(isFieldSlot);
  if (fieldSlots.length === 0) throw createInstructionError(`${slug} has no ${name}`);
  if (fieldSlots.length > 1)
    throw createInstructionError(
      `${slug} has ${fieldSlots.length} texts that may be its ${name}; say which by \`Replace "…" with "…" on ${slug}\``,
    );
  const oldText = plainText(fieldSlots[0]!.text);
  if (expectedText !== undefined && toSingleLine(expectedText) !== toSingleLine(oldText))
    throw createInstructionError(
      `the ${name} of ${slug} is not the text that it is to be changed from`,
    );
  return createSameTextEdits(page, fieldSlots, followers, text);
}
