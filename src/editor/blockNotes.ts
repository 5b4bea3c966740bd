import { noteValues, type RemovableNote } from '../contract/task.ts';
import type { PageSource } from '../sites/formats/format.ts';
import type { PageMethods } from '../sites/pages/pages.ts';

/**
 * Gives notes on blocks the slots of their blocks, so that only the texts in there count, and
 * leaves out values that a block no longer has. A block is a card, for example, with a link to the
 * page of the note. Other notes stay as they are.
 * @param notes notes on texts of one page
 * @returns without the notes whose blocks have none of their values any more
 */
export async function locateBlockNotes(
  pages: Pick<PageMethods, 'locateInBlocks'>,
  where: { page: PageSource; siblings: PageSource[] },
  notes: RemovableNote[],
): Promise<RemovableNote[]> {
  const blockNotes = notes.filter(({ linkFrom }) => linkFrom !== undefined);
  if (blockNotes.length === 0) return notes;
  const wanted = blockNotes.map((note) => ({ slug: note.page!, values: noteValues(note) }));
  const found = await pages.locateInBlocks(where, wanted);
  const locatedNotes = blockNotes.flatMap((note, i) =>
    found[i]!.values.length === 0 ? [] : [{ ...note, ...found[i]! }],
  );
  return [...notes.filter(({ linkFrom }) => linkFrom === undefined), ...locatedNotes];
}
