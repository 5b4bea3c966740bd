import type { Creator } from '../contract/creator.ts';
import { withoutUndefined } from '../contract/withoutUndefined.ts';
import { noteIdOf } from '../contract/notes/noteIds.ts';
import { isDroppable, type Note, noteValues, type RemovableNote } from '../contract/task.ts';
import { type VersionCommit, versionsInEffect } from '../contract/versions.ts';
import { DomainError } from '../errors.ts';
import type { PageSource, TemplateContent } from '../sites/formats/format.ts';
import { readPageSource } from '../sites/pages/pageSource.ts';
import type { JobOwner } from '../threads/threadPool.ts';
import { locateBlockNotes } from './blockNotes.ts';
import type { VersionDeps } from './commitVersion.ts';
import type { EditableTask } from './editableTask.ts';
import {
  type FactRemoval,
  type PageWithNotes,
  type PageNotesPlan,
  resolveNotes,
} from './resolveNotes.ts';

/**
 * Finds the parts of a page to remove, so that none of these notes has anything left to report.
 * `removed`: the ids of the parts. `dropped`: the ids of the notes whose facts are gone then.
 * `sentences`: what was removed, and what could not be.
 */
export type NotedPartsFinder = (
  page: Omit<TemplateContent, 'digest'>,
  notes: RemovableNote[],
  jobOwner: JobOwner,
) => Promise<{ removed: string[]; dropped: string[]; sentences: string[] }>;

/** The notes whose facts are to be removed from a result. */
export interface FactRemovalRequest {
  notes: Note[];
  /** All notes on the result, also those that were resolved before. */
  allNotes: Note[];
  by: Creator | null;
}

export interface RemovalDeps extends VersionDeps {
  findNotedParts: NotedPartsFinder;
}

/**
 * Removes from a result what some of its notes report, such as a price that is still the
 * template's, as a version of it. A note says what a person should check.
 *
 * The outcome does not depend on the order in which facts are removed. A page is read as it was
 * before the removals that changed it last, and the facts of these removals are removed again,
 * together with the new ones. An edit by hand of the page ends this: it is never lost.
 * @throws DomainError CONFLICT if others were faster each time, or if a batch runs; as
 *   `readCurrentResult`; PUSH_REFUSED
 */
export const removeFacts = (
  deps: RemovalDeps,
  task: EditableTask,
  { notes, allNotes, by }: FactRemovalRequest,
): Promise<FactRemoval> =>
  resolveNotes(deps, task, {
    notes,
    kind: 'removal',
    by,
    summary: (kinds, place) => `Remove ${kinds} from ${place}`,
    async createPlanner({ repository, commit }) {
      const result = { commit: task.commit, retainedBy: task.taskId };
      const versions = versionsInEffect(await repository.versions(result, commit));
      const knownNotes = new Map(allNotes.map((note) => [noteIdOf(note), note]));
      return (page) => planRemoval(deps, task, { ...page, versions, knownNotes });
    },
  });

interface PageRemovalContext extends PageWithNotes {
  versions: VersionCommit[];
  knownNotes: ReadonlyMap<string, Note>;
}

async function planRemoval(
  { pages, findNotedParts }: Pick<RemovalDeps, 'pages' | 'findNotedParts'>,
  task: EditableTask,
  context: PageRemovalContext,
): Promise<PageNotesPlan> {
  const { current, slug, page, siblings, notes } = context;
  const { path } = page;
  const { unremoved, earlierNotes } = await readUnremovedPage(context, task);
  const { digest, ...content } = await pages.readTemplate(unremoved, siblings);
  const removableNotes = new Map(
    [...earlierNotes, ...notes].filter(isRemovable).map((note) => [noteIdOf(note), note]),
  );
  const locatedNotes = await locateBlockNotes(
    pages,
    { page: unremoved, siblings },
    [...removableNotes].map(([id, note]) => ({ ...note, id })),
  );
  const { removed, dropped, sentences } = await findNotedParts(content, locatedNotes, {
    organizationId: task.organizationId,
  });
  const creation = { template: unremoved, target: { slug, path }, texts: {}, siblings };
  const { sitePaths } = current;
  const source =
    removed.length === 0
      ? unremoved.source
      : await pages.create({ ...creation, removed, sitePaths, digest });
  const standingIds = await findStandingNotes(pages, context, { path, source });
  const locatedIds = new Set(locatedNotes.map(({ id }) => id));
  const isResolved = (note: Note) => {
    const id = noteIdOf(note);
    if (note.linkFrom !== undefined && !locatedIds.has(id)) return true;
    return dropped.includes(id) && !standingIds.has(id);
  };
  return {
    source,
    formerPage: unremoved,
    removed,
    resolved: notes.filter(isResolved),
    remaining: notes.filter((note) => !isResolved(note)),
    sentences,
  };
}

/**
 * The ids of the notes whose values are still on the page, such as in a text that all pages share,
 * which is never removed.
 */
async function findStandingNotes(
  pages: RemovalDeps['pages'],
  { resultTree, notes }: PageRemovalContext,
  page: PageSource,
): Promise<Set<string>> {
  const written = resultTree.entries.has(page.path)
    ? await readPageSource(resultTree, page.path)
    : page;
  // a block stays beside others that may have the same texts
  const pageNotes = notes.filter(({ linkFrom }) => linkFrom === undefined);
  const noteValuesOnPage = pageNotes.map(({ kind, value, values }) => ({
    kind,
    ...withoutUndefined({ value, values }),
  }));
  const standing = await pages.standing({ written, page }, noteValuesOnPage);
  return new Set(pageNotes.filter((_, index) => standing[index] === true).map(noteIdOf));
}

const isRemovable = (note: Note) => isDroppable(note) && noteValues(note).length > 0;

/**
 * Reads a page as it was before the removals that changed it last, with the notes whose facts these
 * removed. Goes back to the latest version that is not a removal, or whose notes are not all known.
 */
async function readUnremovedPage(
  { current, page, versions, knownNotes }: PageRemovalContext,
  { taskId }: EditableTask,
): Promise<{ unremoved: PageSource; earlierNotes: Note[] }> {
  let commit: string | undefined;
  const earlierNotes: Note[] = [];
  for (const { kind, paths, parent, notes } of versions) {
    if (!paths.includes(page.path)) continue;
    const removedNotes = notes?.[page.path]?.map((id) => knownNotes.get(id)) ?? [];
    if (kind !== 'removal' || removedNotes.includes(undefined)) break;
    commit = parent;
    earlierNotes.push(...removedNotes.flatMap((note) => note ?? []));
  }
  if (commit === undefined) return { unremoved: page, earlierNotes };
  const tree = await current.repository.tree({ commit, retainedBy: taskId });
  return { unremoved: await readPageSource(tree, page.path), earlierNotes };
}

/** The error if a fact can't be removed from its page by itself. */
export const notRemovableError = ({ sentences }: Pick<FactRemoval, 'sentences'>, slug: string) =>
  new DomainError('CONFLICT', dropSlugPrefix(sentences.at(-1) ?? notRemovable, slug));

const notRemovable = "This fact can't be removed automatically. Edit the page by hand.";
const dropSlugPrefix = (text: string, slug: string) =>
  text.startsWith(`${slug}: `) ? text.slice(slug.length + 2) : text;
