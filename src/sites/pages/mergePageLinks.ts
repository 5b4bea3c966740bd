import type { Note } from '../../contract/task.ts';
import { hasErrorCode } from '../../errors.ts';
import type { SiteVersions } from '../git/repository.ts';
import { noPlaceLeftNote } from './links/linkNotes.ts';
import type { PageMethods } from './pages.ts';
import { isRegular } from './pageSource.ts';

/** A page that a task and others changed: its merged content, null if it stays deleted. */
interface MergedPage {
  content: string | null;
  notes: Note[];
}

/**
 * Merges a page that both a task and others changed, if the task only linked its new pages there:
 * adds the task's blocks, such as a card with a link, to the others' version. A note reports each
 * block for which that version has no place any more.
 * @param path the page that both changed
 * @param versions the site when the task began, with the task's result, and in production now
 * @param changedPaths the paths that the task changed
 * @returns undefined (a conflict) if the task changed anything else of the page
 */
export async function mergePageLinks(
  pages: PageMethods,
  path: string,
  { before, task, production }: SiteVersions,
  changedPaths: string[],
): Promise<MergedPage | undefined> {
  const isPage = pages.isPage(path) && isRegular(before, path) && isRegular(task, path);
  const isGone = !production.entries.has(path);
  if (!isPage || !(isGone || isRegular(production, path))) return undefined;
  const taskPages = changedPaths.filter(
    (changedPath) => changedPath !== path && pages.isPage(changedPath),
  );
  try {
    const mergedBlocks = await pages.mergeLinks({
      before: await before.read(path),
      task: await task.read(path),
      page: { path, source: isGone ? '' : await production.read(path) },
      slugs: taskPages.map((changedPath) => pages.slugOf(changedPath)),
    });
    if (!mergedBlocks) return undefined;
    const notes = mergedBlocks.skipped.map((slug) => noPlaceLeftNote(slug, pages.slugOf(path)));
    return { content: isGone ? null : mergedBlocks.source, notes };
  } catch (error) {
    // a block can't be added to an unreadable page, so this is a conflict as with any other file
    if (hasErrorCode(error, 'PAGE_UNREADABLE', 'LIMIT_EXCEEDED')) return undefined;
    throw error;
  }
}
