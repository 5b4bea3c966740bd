import { type Slot, type SlotRole, isHeadline } from '../../sites/formats/page.ts';
import { quoted } from '../../text/text.ts';

/** People's names for kinds of texts. Other roles are a `text`. */
const names: Partial<Record<SlotRole, string>> = {
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
const singles: SlotRole[] = ['title', 'description', 'structured-data'];

const LONGEST_TEXT = 60;

/**
 * A text as a note names it, with its beginning, since people know no ids: `the paragraph "We open
 * at nine …"`.
 * @param slot with its text as readers see it
 * @param value what the note says of the text; `a table cell` for a text that is only this
 */
export function describeText(slot: Slot, value: string): string {
  const what = nameOf(slot);
  if (singles.includes(slot.role) || isHeadline(slot)) return what;
  if (slot.text === value) return what.replace(/^the /, /^the [aeio]/.test(what) ? 'an ' : 'a ');
  return `${what} ${quoted(slot.text, LONGEST_TEXT)}`;
}

/** Roles of texts that repeat another text of the page for other sites and search engines. */
const echoes: SlotRole[] = ['social-title', 'social-description', 'structured-data'];
export const isEcho = ({ role }: Slot): boolean => echoes.includes(role);

/** A slot's name for people: `the headline`. */
export const nameOf = (slot: Slot): string =>
  `the ${isHeadline(slot) ? 'headline' : (names[slot.role] ?? 'text')}`;
