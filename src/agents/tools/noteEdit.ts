import type { PageFile } from '../../contract/site.ts';
import { type Slot, type SlotRole, isHeadline } from '../../sites/formats/page.ts';
import { quoted } from '../../text/text.ts';
import type { UnchangedText } from '../warnings.ts';
import type { ToolContext } from './tool.ts';

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
  const { what } = namedSlot({ slug: '', path: '' }, slot);
  if (singles.includes(slot.role) || isHeadline(slot)) return what;
  if (slot.text === value) return what.replace(/^the /, /^the [aeio]/.test(what) ? 'an ' : 'a ');
  return `${what} ${quoted(slot.text, LONGEST_TEXT)}`;
}

/** Roles of texts that repeat another text of the page for other sites and search engines. */
const echoes: SlotRole[] = ['social-title', 'social-description', 'structured-data'];

/** A slot's name and readable text for a warning. */
export const namedSlot = ({ slug }: PageFile, slot: Slot): UnchangedText => ({
  slug,
  what: `the ${isHeadline(slot) ? 'headline' : (names[slot.role] ?? 'text')}`,
  text: slot.text,
  isEcho: echoes.includes(slot.role),
});

/**
 * Notes that an edit changed nothing, if the page already was so before the task and still is.
 * @param isSo whether the page is as the edit wants it, by a question to it as it is, or as it was
 */
export function noteUnchanged(
  { warnings }: Pick<ToolContext, 'warnings'>,
  found: UnchangedText,
  isSo: (ask: 'ask' | 'askBefore', page: PageFile) => Promise<boolean | undefined>,
): void {
  const isAlways = async (page: PageFile) =>
    (await isSo('askBefore', page)) === true && (await isSo('ask', page)) === true;
  warnings.unchanged(found, isAlways);
}
