import { noteIdOf } from '../contract/notes/noteIds.ts';
import { type RemovableNote, isDroppable } from '../contract/task.ts';
import { DomainError } from '../errors.ts';
import type { TemplateContent } from '../sites/formats/format.ts';
import type { PageMethods } from '../sites/pages/pages.ts';
import { readSiblings } from '../sites/pages/templates.ts';
import type { JobOwner } from '../threads/threadPool.ts';
import { outdatedPageError, checkEditedSource } from './applyContentChange.ts';
import { sourceDigest } from './sourceDigest.ts';
import type { CurrentPage } from './currentPage.ts';
import type { EditableTask } from './editableTask.ts';

/**
 * Finds the parts of a page to remove, so that none of these notes has anything left to report.
 * `removed`: the ids of the parts. `sentences`: what was removed, and what could not be.
 */
export type NotedPartsFinder = (
  page: Omit<TemplateContent, 'digest'>,
  notes: RemovableNote[],
  jobOwner: JobOwner,
) => Promise<{ removed: string[]; sentences: string[] }>;

interface NotedPartsRemoval {
  task: EditableTask;
  current: CurrentPage;
  change: { digest: string; drop: string[] };
}

/**
 * Removes what some notes of a page report. A note is something that a person should check, such as
 * a price that is still the template's.
 * @returns the page's new source
 * @throws DomainError OUTDATED if the page changed since it was opened; NOT_FOUND if none of the
 *   notes is on the page; CONFLICT if no part can be removed by itself; also as `checkEditedSource`
 */
export async function removeNotedParts(
  { pages, findNotedParts }: { pages: PageMethods; findNotedParts: NotedPartsFinder },
  { task, current, change }: NotedPartsRemoval,
): Promise<string> {
  const { page, slug, tree, sitePaths } = current;
  if (sourceDigest(page.source) !== change.digest) throw outdatedPageError(slug);
  const notes = task.notes
    .map((note) => ({ ...note, id: noteIdOf(note) }))
    .filter((note) => note.page === slug && change.drop.includes(note.id));
  if (notes.length === 0) throw new DomainError('NOT_FOUND', 'Note not found');
  if (!notes.every(isDroppable)) throw new DomainError('CONFLICT', notRemovable);
  const siblings = await readSiblings(tree, pages, page.path);
  const { digest, ...content } = await pages.readTemplate(page, siblings);
  const { organizationId } = task;
  const { removed, sentences } = await findNotedParts(content, notes, { organizationId });
  if (removed.length === 0)
    throw new DomainError('CONFLICT', dropSlugPrefix(sentences[0] ?? notRemovable, slug));
  const target = { slug, path: page.path };
  const source = await pages.create({
    template: page,
    target,
    texts: {},
    removed,
    sitePaths,
    digest,
    siblings,
  });
  await checkEditedSource(pages, current, { source, removed });
  return source;
}

const notRemovable = "This fact can't be removed automatically. Edit the page by hand.";
const dropSlugPrefix = (text: string, slug: string) =>
  text.startsWith(`${slug}: `) ? text.slice(slug.length + 2) : text;
