import { type SlotRole, isHeadline } from '../../../../sites/formats/pageParts.ts';
import { toSingleLine } from '../../../shared/text/foldText.ts';
import { plainText } from '../../../shared/text/parseMarks.ts';
import type { PageReading } from '../../../shared/tools/searchPages.ts';
import type { PageField } from '../promptInstruction.ts';
import type { RulesEdit } from '../../../shared/tools/rulesCalls.ts';
import type { PromptStepOf } from '../promptSteps.ts';
import { createInstructionError } from './instructionError.ts';
import { createSameTextEdits, type ReadSlot } from './findByText.ts';

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

/** Sets a page's headline, title or description, and meta tags and data that repeat its text. */
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
      `${slug} has ${fieldSlots.length} texts that may be its ${name}: choose one with \`Replace "…" with "…" on ${slug}\``,
    );
  const oldText = plainText(fieldSlots[0]!.text);
  if (expectedText !== undefined && toSingleLine(expectedText) !== toSingleLine(oldText))
    throw createInstructionError(`the ${name} of ${slug} is not the text after \`from\``);
  return createSameTextEdits(page, fieldSlots, followers, text);
}
