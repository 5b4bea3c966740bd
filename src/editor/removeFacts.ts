import type { Creator } from '../contract/creator.ts';
import { withoutUndefined } from '../contract/withoutUndefined.ts';
import { noteIdOf } from '../contract/notes/noteIds.ts';
import {
  isDroppable,
  type Note,
  notedPage,
  noteValues,
  type RemovableNote,
} from '../contract/task.ts';
import { type VersionCommit, type VersionKind, versionsInEffect } from '../contract/versions.ts';
import { DomainError, hasErrorCode } from '../errors.ts';
import { mapConcurrently } from '../mapConcurrently.ts';
import type { PageSource, TemplateContent } from '../sites/formats/format.ts';
import type { Tree } from '../sites/git/repository.ts';
import { readPageSource } from '../sites/pages/pageSource.ts';
import { readSiblings } from '../sites/pages/templates.ts';
import type { JobOwner } from '../threads/threadPool.ts';
import { checkEditedSource } from './applyContentChange.ts';
import { locateBlockNotes } from './blockNotes.ts';
import { commitVersion, repeatVersion, type VersionDeps } from './commitVersion.ts';
import { type CurrentResult, pathOfSlug, readCurrentResult } from './currentPage.ts';
import type { EditableTask } from './editableTask.ts';

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

/** What became of the notes. Each of them is in exactly one list. */
export interface FactRemoval {
  /** The commit of the new version; null if there was nothing to remove. */
  commit: string | null;
  /** Notes whose facts this version removed. */
  removed: Note[];
  /** Notes whose facts were gone before. */
  gone: Note[];
  /** Notes whose facts can't be removed by themselves. */
  remaining: Note[];
  /** Sentences for people: what was removed, and what could not be. */
  sentences: string[];
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
  request: FactRemovalRequest,
): Promise<FactRemoval> =>
  repeatVersion(async () => {
    const current = await readCurrentResult(deps, task);
    const { repository, commit } = current;
    const result = { commit: task.commit, retainedBy: task.taskId };
    const context = {
      current,
      versions: versionsInEffect(await repository.versions(result, commit)),
      /** Siblings are read from the result itself, which no version changes. */
      resultTree: await repository.tree(result),
      knownNotes: new Map(request.allNotes.map((note) => [noteIdOf(note), note])),
    };
    const notesByPage = [...Map.groupBy(request.notes, (note) => notedPage(note)!)];
    const pages = await mapConcurrently(
      notesByPage,
      ([slug, notes]) => removeFromPage(deps, task, { ...context, slug, notes }),
      PAGES_AT_ONCE,
    );
    return commitNoteChanges(deps, task, current, {
      pages,
      kind: 'removal',
      by: request.by,
      summary: (kinds, place) => `Remove ${kinds} from ${place}`,
    });
  });

/**
 * Pages that are changed at the same time. A batch has up to thousands of pages, each of which is
 * read with its siblings.
 */
export const PAGES_AT_ONCE = 4;

/** What becomes of the notes of several pages, as one version. */
export interface NoteChanges {
  pages: PageNoteChange[];
  kind: VersionKind;
  by: Creator | null;
  /** The first line of the commit's message, from the kinds of notes and the pages. */
  summary: (kinds: string, place: string) => string;
}

/**
 * Commits the changes of pages that resolve notes.
 * @returns null if another version came first
 */
export async function commitNoteChanges(
  deps: VersionDeps,
  task: EditableTask,
  current: CurrentResult,
  { pages, kind, by, summary }: NoteChanges,
): Promise<FactRemoval | null> {
  const removal = {
    removed: pages.flatMap(({ change, resolved }) => (change ? resolved : [])),
    gone: pages.flatMap(({ change, resolved }) => (change ? [] : resolved)),
    remaining: pages.flatMap(({ remaining }) => remaining),
    sentences: pages.flatMap(({ sentences }) => sentences),
  };
  const changedPages = pages.filter(({ change }) => change);
  if (changedPages.length === 0) return { commit: null, ...removal };
  const slugs = changedPages.map(({ slug }) => slug);
  const notes = changedPages.flatMap(({ resolved, remaining }) => [...resolved, ...remaining]);
  const kinds = [...new Set(notes.map((note) => note.kind))].join(', ');
  const place = slugs.length === 1 ? slugs[0]! : `${slugs.length} pages`;
  const newCommit = await commitVersion(deps.batches, task, current, {
    changes: changedPages.flatMap(({ change }) => change ?? []),
    message: `${summary(kinds, place)}\n\n${slugs.map((slug) => `- ${slug}`).join('\n')}`,
    slugs,
    by,
    version: { kind, notes: Object.fromEntries(changedPages.flatMap(resolvedByPath)) },
  });
  if (newCommit === null) return null;
  await readCurrentResult(deps, task);
  return { commit: newCommit, ...removal };
}

const resolvedByPath = ({ change, resolved }: PageNoteChange): [string, string[]][] =>
  change ? [[change.path, resolved.map(noteIdOf)]] : [];

interface PageRemovalContext {
  current: CurrentResult;
  versions: VersionCommit[];
  resultTree: Tree;
  knownNotes: ReadonlyMap<string, Note>;
  slug: string;
  notes: Note[];
}

/** What becomes of a page, and of its notes. */
export interface PageNoteChange extends Pick<FactRemoval, 'remaining' | 'sentences'> {
  slug: string;
  /** Absent if the page stays as it is. */
  change?: { path: string; content: string };
  /** Notes whose facts are not on the page (any more). */
  resolved: Note[];
}

async function removeFromPage(
  { pages, findNotedParts }: Pick<RemovalDeps, 'pages' | 'findNotedParts'>,
  task: EditableTask,
  context: PageRemovalContext,
): Promise<PageNoteChange> {
  const { current, resultTree, slug, notes } = context;
  const path = pathOfSlug(pages, current.sitePaths, slug);
  if (path === undefined) return { slug, resolved: notes, remaining: [], sentences: [] };
  const page = await readPageSource(current.tree, path);
  const unchangedPage = { slug, resolved: [], remaining: notes };
  const { unremoved, earlierNotes } = await readUnremovedPage(context, task, page);
  const siblings = await readSiblings(resultTree, pages, path);
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
  const resolved = notes.filter(isResolved);
  const remaining = notes.filter((note) => !isResolved(note));
  if (source === page.source) return { slug, resolved, remaining, sentences };
  const checkedPage = { ...current, slug, page: unremoved };
  const problem = await findEditProblem(pages, checkedPage, { source, removed });
  if (problem !== null) return { ...unchangedPage, sentences: [`${slug}: ${problem}`] };
  return { slug, change: { path, content: source }, resolved, remaining, sentences };
}

/** Why a page may not be saved; null if it may. */
export const findEditProblem = (
  ...edit: Parameters<typeof checkEditedSource>
): Promise<string | null> =>
  checkEditedSource(...edit).then(
    () => null,
    (error: unknown) => {
      if (error instanceof DomainError && hasErrorCode(error, 'CHECK_FAILED')) return error.message;
      throw error;
    },
  );

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
  { current, versions, knownNotes }: PageRemovalContext,
  { taskId }: EditableTask,
  page: PageSource,
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
