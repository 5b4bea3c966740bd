import type { Creator } from '../contract/creator.ts';
import { noteIdOf } from '../contract/notes/noteIds.ts';
import { type Note, notedPage } from '../contract/task.ts';
import type { VersionKind } from '../contract/versions.ts';
import { DomainError, hasErrorCode } from '../errors.ts';
import { mapConcurrently } from '../mapConcurrently.ts';
import type { PageSource } from '../sites/formats/format.ts';
import type { Tree } from '../sites/git/repository.ts';
import { readPageSource } from '../sites/pages/pageSource.ts';
import { readSiblings } from '../sites/pages/templates.ts';
import { checkEditedSource } from './applyContentChange.ts';
import { commitVersion, repeatVersion, type VersionDeps } from './commitVersion.ts';
import { type CurrentResult, pathOfSlug, readCurrentResult } from './currentPage.ts';
import type { EditableTask } from './editableTask.ts';

/** What became of the notes. Each of them is in exactly one list. */
export interface FactRemoval {
  /** The commit of the new version; null if there was nothing to change. */
  commit: string | null;
  /** Notes whose facts this version removed or replaced, or whose values it placed. */
  removed: Note[];
  /** Notes whose facts were gone before. */
  gone: Note[];
  /** Notes that stay open. */
  remaining: Note[];
  /** Sentences for people: what was removed, and what could not be. */
  sentences: string[];
}

/** A page of a task's current result, with the notes on it that a version is to resolve. */
export interface PageWithNotes {
  current: CurrentResult;
  /** The result itself, which no version changes. Siblings are read from it. */
  resultTree: Tree;
  slug: string;
  page: PageSource;
  siblings: PageSource[];
  notes: Note[];
}

/** The new source of a page, and what becomes of its notes if the page may be saved like this. */
export interface PageNotesPlan extends Pick<FactRemoval, 'remaining' | 'sentences'> {
  source: string;
  /** Notes whose facts are not on the page (any more). */
  resolved: Note[];
  /** The page with which the new source is compared. Absent: the current one. */
  formerPage?: PageSource;
  /** The ids of the parts that are removed from the page. */
  removed?: string[];
}

/** A version that resolves notes of several pages. */
export interface ResolvingVersion {
  notes: Note[];
  kind: VersionKind;
  by: Creator | null;
  /** The first line of the commit's message, from the kinds of notes and the pages. */
  summary: (kinds: string, place: string) => string;
  /** Returns the function that plans the change of each page. */
  createPlanner: (current: CurrentResult) => PagePlanner | Promise<PagePlanner>;
}

type PagePlanner = (page: PageWithNotes) => Promise<PageNotesPlan>;

/**
 * Pages that are changed at the same time. A batch has up to thousands of pages, each of which is
 * read with its siblings.
 */
const PAGES_AT_ONCE = 4;

/**
 * Changes the pages of notes as one version of a result. A page that may not be saved stays as it
 * is, with a sentence that says why.
 * @throws DomainError CONFLICT if others were faster each time, or if a batch runs; as
 *   `readCurrentResult`; PUSH_REFUSED
 */
export const resolveNotes = (
  deps: VersionDeps,
  task: EditableTask,
  resolution: ResolvingVersion,
): Promise<FactRemoval> =>
  repeatVersion(async () => {
    const current = await readCurrentResult(deps, task);
    const resultTree = await current.repository.tree({
      commit: task.commit,
      retainedBy: task.taskId,
    });
    const planPage = await resolution.createPlanner(current);
    const pages = await mapConcurrently(
      [...Map.groupBy(resolution.notes, (note) => notedPage(note)!)],
      ([slug, notes]) => changePage(deps, { current, resultTree, slug, notes }, planPage),
      PAGES_AT_ONCE,
    );
    return commitNoteChanges(deps, task, current, { ...resolution, pages });
  });

/** What becomes of a page, and of its notes. */
interface PageNotesChange extends Pick<PageNotesPlan, 'resolved' | 'remaining' | 'sentences'> {
  slug: string;
  /** Absent if the page stays as it is. */
  change?: { path: string; content: string };
}

async function changePage(
  { pages }: VersionDeps,
  place: Omit<PageWithNotes, 'page' | 'siblings'>,
  planPage: PagePlanner,
): Promise<PageNotesChange> {
  const { current, resultTree, slug, notes } = place;
  const path = pathOfSlug(pages, current.sitePaths, slug);
  if (path === undefined) return { slug, resolved: notes, remaining: [], sentences: [] };
  const page = await readPageSource(current.tree, path);
  const siblings = await readSiblings(resultTree, pages, path);
  const plan = await planPage({ ...place, page, siblings });
  const { source, formerPage = page, removed, ...outcome } = plan;
  if (source === page.source) return { slug, ...outcome };
  const problem = await checkEditedSource(
    pages,
    { ...current, slug, page: formerPage },
    { source, ...(removed && { removed }) },
  ).then(
    () => null,
    (error: unknown) => {
      if (error instanceof DomainError && hasErrorCode(error, 'CHECK_FAILED')) return error.message;
      throw error;
    },
  );
  return problem === null
    ? { slug, change: { path, content: source }, ...outcome }
    : { slug, resolved: [], remaining: notes, sentences: [`${slug}: ${problem}`] };
}

/**
 * Commits the changes of pages that resolve notes.
 * @returns null if another version came first
 */
async function commitNoteChanges(
  deps: VersionDeps,
  task: EditableTask,
  current: CurrentResult,
  { pages, kind, by, summary }: ResolvingVersion & { pages: PageNotesChange[] },
): Promise<FactRemoval | null> {
  const outcome = {
    removed: pages.flatMap(({ change, resolved }) => (change ? resolved : [])),
    gone: pages.flatMap(({ change, resolved }) => (change ? [] : resolved)),
    remaining: pages.flatMap(({ remaining }) => remaining),
    sentences: pages.flatMap(({ sentences }) => sentences),
  };
  const changedPages = pages.filter(({ change }) => change);
  if (changedPages.length === 0) return { commit: null, ...outcome };
  const slugs = changedPages.map(({ slug }) => slug);
  const notes = changedPages.flatMap(({ resolved, remaining }) => [...resolved, ...remaining]);
  const kinds = [...new Set(notes.map((note) => note.kind))].join(', ');
  const place = slugs.length === 1 ? slugs[0]! : `${slugs.length} pages`;
  const commit = await commitVersion(deps.batches, task, current, {
    changes: changedPages.flatMap(({ change }) => change ?? []),
    message: `${summary(kinds, place)}\n\n${slugs.map((slug) => `- ${slug}`).join('\n')}`,
    slugs,
    by,
    version: { kind, notes: Object.fromEntries(changedPages.flatMap(resolvedByPath)) },
  });
  if (commit === null) return null;
  await readCurrentResult(deps, task);
  return { commit, ...outcome };
}

const resolvedByPath = ({ change, resolved }: PageNotesChange): [string, string[]][] =>
  change ? [[change.path, resolved.map(noteIdOf)]] : [];
