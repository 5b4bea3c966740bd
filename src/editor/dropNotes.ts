import { noteIdOf } from '../contract/noteIds.ts';
import { type DropNote, isDroppable } from '../contract/task.ts';
import { DomainError } from '../errors.ts';
import type { TemplateContent } from '../sites/formats/format.ts';
import type { Pages } from '../sites/pages/pages.ts';
import { readSisters } from '../sites/pages/template.ts';
import type { Work } from '../threads/threads.ts';
import { changedMeanwhile, checkSource } from './changedSource.ts';
import { digestOf } from './digest.ts';
import type { CurrentPage } from './currentPage.ts';
import type { EditableTask } from './editableTask.ts';

/** Finds the parts of a page to remove, so that nothing is left for its notes to report. */
export type DropNoted = (
  page: Omit<TemplateContent, 'digest'>,
  notes: DropNote[],
  work: Work,
) => Promise<{ removed: string[]; says: string[] }>;

interface Dropping {
  task: EditableTask;
  current: CurrentPage;
  change: { digest: string; drop: string[] };
}

/**
 * Removes the parts of a page that some of its notes report.
 * @returns the page's new source
 * @throws DomainError OUTDATED, NOT_FOUND for unknown notes, CONFLICT if no part can be removed by
 *   itself
 */
export async function dropNotes(
  { pages, dropNoted }: { pages: Pages; dropNoted: DropNoted },
  { task, current, change }: Dropping,
): Promise<string> {
  const { page, slug, tree, sitePaths } = current;
  if (digestOf(page.source) !== change.digest) throw changedMeanwhile(slug);
  const notes = task.notes
    .map((note) => ({ ...note, id: noteIdOf(note) }))
    .filter((note) => note.page === slug && change.drop.includes(note.id));
  if (notes.length === 0) throw new DomainError('NOT_FOUND', 'Note not found');
  if (!notes.every(isDroppable)) throw new DomainError('CONFLICT', cantGo);
  const sisters = await readSisters(tree, pages, page.path);
  const { digest, ...content } = await pages.readTemplate(page, sisters);
  const { organizationId } = task;
  const { removed, says } = await dropNoted(content, notes, { organizationId });
  if (removed.length === 0) throw new DomainError('CONFLICT', withoutSlug(says[0] ?? cantGo, slug));
  const target = { slug, path: page.path };
  const source = await pages.create({
    template: page,
    target,
    texts: {},
    removed,
    sitePaths,
    digest,
    siblings: sisters,
  });
  await checkSource(pages, current, { source, removed });
  return source;
}

const cantGo = "This can't go by itself: edit it by hand";
const withoutSlug = (text: string, slug: string) =>
  text.startsWith(`${slug}: `) ? text.slice(slug.length + 2) : text;
