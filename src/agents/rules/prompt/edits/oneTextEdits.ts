import type { GroupListing } from '../../../shared/tools/groupMembers.ts';
import type { PageReading } from '../../../shared/tools/searchPages.ts';
import type { RulesEdit } from '../../../shared/tools/rulesCalls.ts';
import type { PromptStepOf } from '../promptSteps.ts';
import { createInstructionError } from './instructionError.ts';
import { createSameTextEdits, selectSlotsByText, type ReadSlot } from './findByText.ts';

type TextStep = PromptStepOf<'text'>;

/**
 * Changes the paragraph, list item or heading that has the text `now`, and structured data with the
 * same text.
 * @param groups needed for list items, since a list item's text may be that of a link in it
 * @throws DomainError INVALID_INPUT if there is no such text, or several
 */
export function createOneTextEdits(
  page: PageReading,
  groups: GroupListing,
  step: TextStep,
): RulesEdit[] {
  const roleName = step.role.replace('-', ' ');
  const textSlots = findSlotsWithText(page, groups, step);
  if (textSlots.length > 1)
    throw createInstructionError(
      `${page.slug} has ${textSlots.length} ${roleName}s with this text: quote a longer text`,
    );
  if (textSlots.length === 0)
    throw createInstructionError(`${page.slug} has no ${roleName} with this text`);
  return createSameTextEdits(page, textSlots, ['structured-data'], step.text);
}

function findSlotsWithText(
  page: PageReading,
  groups: GroupListing,
  { role, now }: TextStep,
): ReadSlot[] {
  const items = groups
    .filter((group) => group.role === 'list-item')
    .flatMap(({ members }) => members);
  const singleSlotIds = new Set(items.flatMap((texts) => (texts.length === 1 ? texts[0]!.id : [])));
  const slotsOfRole = page.slots.filter((slot) => slot.role === role || singleSlotIds.has(slot.id));
  return selectSlotsByText(slotsOfRole, now);
}
