import type { PageFile } from '../../contract/site.ts';
import { type Slot, type SlotRole, isHeadline } from '../../sites/formats/page.ts';
import type { AsAsked } from '../warnings.ts';
import type { ToolContext } from './tool.ts';

/** What a person calls a text. Any other role is a `text`. */
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

/** Texts that repeat another one of the page for other sites and search engines. */
const echoes: SlotRole[] = ['social-title', 'social-description', 'structured-data'];

/** A slot, its text as readers see it, as a warning names it. */
export const namedSlot = ({ slug }: PageFile, slot: Slot): AsAsked => ({
  slug,
  what: `the ${isHeadline(slot) ? 'headline' : (names[slot.role] ?? 'text')}`,
  text: slot.text,
  isEcho: echoes.includes(slot.role),
});

/**
 * Adds a note if an edit changed nothing because the page was already so before the task. After an
 * edit that changed something, removes such a note on the same text.
 * @param found the text as the edit found it
 * @param wasSo whether the page was so before the task; called only if nothing changed
 */
export async function noteEdit(
  { warnings }: Pick<ToolContext, 'warnings'>,
  found: AsAsked,
  { changed, wasSo }: { changed: boolean; wasSo: () => Promise<boolean | undefined> },
): Promise<void> {
  if (changed) warnings.noLongerAsAsked(found);
  else if (await wasSo()) warnings.asAsked(found);
}
