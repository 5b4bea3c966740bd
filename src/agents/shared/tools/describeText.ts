import { type TextSlot, type SlotRole, isHeadline } from '../../../sites/formats/pageParts.ts';
import { quoteText } from '../../../text/text.ts';

/** What people call the texts of each role. Texts of other roles are called a `text`. */
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

/** What the name of a slot depends on. */
export type DescribedSlot = Pick<TextSlot, 'role' | 'level' | 'text'>;

/** Roles of texts that need no quotation to tell them apart. */
const singleRoles: SlotRole[] = ['title', 'description', 'structured-data'];

const MAX_TEXT_LENGTH = 60;

/**
 * Names a text in a note for people, who do not know the ids of slots: by its kind and beginning,
 * such as `the paragraph "We open at nine …"`.
 * @param slot the slot, with its text as readers see it
 * @param value the value in the text that the note quotes. If the text is nothing but this value,
 *   the name does not repeat it: `a table cell`
 */
export function describeText(slot: DescribedSlot, value: string): string {
  const slotName = describeSlot(slot);
  if (singleRoles.includes(slot.role) || isHeadline(slot)) return slotName;
  const kindName = slotKindName(slot);
  if (slot.text === value) return `${/^[aeio]/.test(kindName) ? 'an' : 'a'} ${kindName}`;
  return `${slotName} ${quoteText(slot.text, MAX_TEXT_LENGTH)}`;
}

/** Roles of texts that repeat another text of the page for other sites and search engines. */
const repeatingRoles: SlotRole[] = ['social-title', 'social-description', 'structured-data'];
export const isRepeatingSlot = ({ role }: TextSlot): boolean => repeatingRoles.includes(role);

/** The name of a slot's kind for people: `the headline`, `the table cell`. */
export const describeSlot = (slot: Omit<DescribedSlot, 'text'>): string =>
  `the ${slotKindName(slot)}`;

/** The kind of a slot in the words of people: `headline`, `table cell`. */
export const slotKindName = (slot: Omit<DescribedSlot, 'text'>): string =>
  isHeadline(slot) ? 'headline' : (namesByRole[slot.role] ?? 'text');
