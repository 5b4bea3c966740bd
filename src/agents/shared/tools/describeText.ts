import { type TextSlot, type SlotRole, isHeadline } from '../../../sites/formats/pageParts.ts';
import { quoteText } from '../../../text/text.ts';

/** People's names for kinds of texts. Other roles are a `text`. */
const namesByRole: Partial<Record<SlotRole, string>> = {
  title: 'title',
  description: 'description',
  'social-title': 'title for social networks',
  'social-description': 'description for social networks',
  heading: 'heading',
  paragraph: 'paragraph',
  'list-item': 'list item',
  'table-cell': 'table cell',
  link: 'link',
  button: 'button',
  caption: 'caption',
  'structured-data': 'structured data',
};

/** Texts of which a page has only one. */
const singleRoles: SlotRole[] = ['title', 'description', 'structured-data'];

const MAX_TEXT_LENGTH = 60;

/**
 * A text as a note names it, with its beginning, since people know no ids: `the paragraph "We open
 * at nine …"`.
 * @param slot with its text as readers see it
 * @param value what the note says of the text; `a table cell` for a text that is only this
 */
export function describeText(slot: TextSlot, value: string): string {
  const slotName = describeSlot(slot);
  if (singleRoles.includes(slot.role) || isHeadline(slot)) return slotName;
  if (slot.text === value)
    return slotName.replace(/^the /, /^the [aeio]/.test(slotName) ? 'an ' : 'a ');
  return `${slotName} ${quoteText(slot.text, MAX_TEXT_LENGTH)}`;
}

/** Roles of texts that repeat another text of the page for other sites and search engines. */
const repeatingRoles: SlotRole[] = ['social-title', 'social-description', 'structured-data'];
export const isRepeatingSlot = ({ role }: TextSlot): boolean => repeatingRoles.includes(role);

/** A slot's name for people: `the headline`. */
export const describeSlot = (slot: TextSlot): string =>
  `the ${isHeadline(slot) ? 'headline' : (namesByRole[slot.role] ?? 'text')}`;
