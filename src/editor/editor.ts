import type { BatchStore } from '../contract/batches/batchStore.ts';
import { withoutUndefined } from '../contract/withoutUndefined.ts';
import { noteIdOf } from '../contract/notes/noteIds.ts';
import { isDroppable, type Note, noteSlots, noteValues } from '../contract/task.ts';
import { DomainError, type ErrorCode } from '../errors.ts';
import type { FrameSettings } from '../sites/formats/format.ts';
import type { PagesPool } from '../sites/pages/pages.ts';
import { readPageSource } from '../sites/pages/pageSource.ts';
import { readSiblings } from '../sites/pages/templates.ts';
import { toUrlText, suggestTargets } from './linksAndImages.ts';
import { outdatedPageError, applyContentChange } from './applyContentChange.ts';
import { type NotedPartsFinder, removeNotedParts } from './removeNotedParts.ts';
import { sourceDigest } from './sourceDigest.ts';
import { type CurrentPage, type CurrentPageDeps, readCurrentPage } from './currentPage.ts';
import type { EditorChange, EditableText, OpenedPage, PageNote } from './protocol.ts';
import { readPageState } from './pageState.ts';
import { batchRunningError, type EditableTask, editablePage } from './editableTask.ts';

/**
 * The editor, in which people change the pages of a finished task by hand.
 *
 * - `editor.ts` opens a page, saves a change of it, and tells which of its notes still hold.
 * - `editableTask.ts` and `currentPage.ts` read the task, and the page as the last edit left it.
 * - `applyContentChange.ts`, `linksAndImages.ts` and `removeNotedParts.ts` make the changes.
 * - `grants.ts` signs the tokens of edit links and sessions. `protocol.ts` has all messages.
 * - `browser/` is the program in the browser. Its `framed.ts` runs inside the page that it shows.
 *
 * For example, `save` gets the texts that a person typed, and the digest of the page as it was
 * opened: `{ digest: '9f86d0…', texts: { s12: ['Web design in Porto'] } }`. It checks the changed
 * page, commits it on top of the task's result, and returns the page as it is now. If somebody else
 * has changed the page in the meantime, it throws OUTDATED.
 */

/** How the editor shows a page in its frame. */
export interface EditorFraming extends Pick<FrameSettings, 'attribute'> {
  /** Makes the markup for the page's head from the digest of the page's source. */
  head(digest: string): string;
}

export interface PageEditor {
  /**
   * Reads a page for editing. Throws NOT_FOUND for a page that the task did not create or modify,
   * CONFLICT for a page that can't be read, INVALID_INPUT for a page that is too large, and
   * UNAVAILABLE if git fails.
   */
  open(task: EditableTask, slug: string, signal?: AbortSignal): Promise<OpenedPage>;
  /** The page's source for editing in a frame, from `PageMethods.frame`. Throws as `open`. */
  frame(
    task: EditableTask,
    slug: string,
    framing: EditorFraming,
    signal?: AbortSignal,
  ): Promise<string>;
  /**
   * Saves a change as the task's current result and updates its preview. Does nothing if the page
   * already has it. Takes no signal: people close the page right after saving. Throws as `open`;
   * OUTDATED if the page changed since it was opened; INVALID_INPUT for invalid texts or source;
   * CONFLICT while the page's batch runs, or if what a note is about can't be removed.
   * @param editor the person's id, if known
   */
  save(
    task: EditableTask,
    slug: string,
    change: EditorChange,
    editor?: string,
  ): Promise<OpenedPage>;
  /**
   * Whether the page still contains the values that each of its notes reports, by the note's id.
   * Leaves out notes that can't be checked.
   */
  standing(task: EditableTask, slug: string): Promise<Map<string, boolean>>;
}

export interface EditorDeps extends Omit<CurrentPageDeps, 'pages'> {
  pages: Pick<PagesPool, 'for'>;
  batches: Pick<BatchStore, 'edit'>;
  findNotedParts: NotedPartsFinder;
}

const SAVE_ATTEMPTS = 5;

/** The base URL of a page without a preview: no name below `.invalid` resolves (RFC 2606). */
const PLACEHOLDER_URL = 'https://preview.invalid/';

/**
 * Edits pages of finished tasks by hand. Each call reads the current result again from the task's
 * hidden ref.
 */
export function createEditor({
  pages: pool,
  batches,
  findNotedParts,
  ...pageDeps
}: EditorDeps): PageEditor {
  function edit<T>(
    { organizationId }: EditableTask,
    work: (deps: CurrentPageDeps) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    return translateErrors(() =>
      work({ ...pageDeps, pages: pool.for({ organizationId, signal }) }),
    );
  }

  return {
    open: (task, slug, signal) =>
      edit(
        task,
        async (deps) => presentPage(deps, task, await readCurrentPage(deps, task, slug, signal)),
        signal,
      ),

    frame(task, slug, framing, signal) {
      const work = async (deps: CurrentPageDeps) => {
        const { page } = await readCurrentPage(deps, task, slug, signal);
        const url = editablePage(task, slug).previewUrl ?? PLACEHOLDER_URL;
        const head = framing.head(sourceDigest(page.source));
        return deps.pages.frame(page, { ...framing, url, head });
      };
      return edit(task, work, signal);
    },

    save: (task, slug, change, editor) =>
      edit(task, async (deps) => {
        for (let attempt = 0; attempt < SAVE_ATTEMPTS; attempt++) {
          const currentPage = await readCurrentPage(deps, task, slug);
          const source =
            'drop' in change
              ? await removeNotedParts(
                  { pages: deps.pages, findNotedParts },
                  { task, current: currentPage, change },
                )
              : await applyContentChange(deps.pages, currentPage, change);
          const isSame = source === currentPage.page.source;
          if (isSame || (await commitSource(batches, task, currentPage, { source, editor })))
            return presentPage(deps, task, await readCurrentPage(deps, task, slug));
        }
        throw outdatedPageError(slug);
      }),

    standing: (task, slug) =>
      edit(task, async (deps) => {
        const notes = task.notes.filter(
          (note) => note.page === slug && noteValues(note).length > 0,
        );
        if (notes.length === 0) return new Map();
        const standingNotes = await checkStandingNotes(deps, task, slug, notes);
        return new Map(
          notes.flatMap((note, i): [string, boolean][] => {
            const isStanding = standingNotes[i] ?? null;
            return isStanding === null ? [] : [[noteIdOf(note), isStanding]];
          }),
        );
      }),
  };
}

/** Whether the page still has the values of each note; null for one that can't be checked. */
async function checkStandingNotes(
  deps: CurrentPageDeps,
  task: EditableTask,
  slug: string,
  notes: Note[],
) {
  const { page, repository } = await readCurrentPage(deps, task, slug);
  const tree = await repository.tree({ commit: task.commit, retainedBy: task.taskId });
  const writtenPage = tree.entries.has(page.path) ? await readPageSource(tree, page.path) : page;
  const noteValues = notes.map(({ kind, value, values }) => ({
    kind,
    ...withoutUndefined({ value, values }),
  }));
  return deps.pages.standing({ written: writtenPage, page }, noteValues);
}

async function presentPage(
  deps: CurrentPageDeps,
  task: EditableTask,
  current: CurrentPage,
): Promise<OpenedPage> {
  const { slug, page, sitePaths } = current;
  const { source } = page;
  const [{ title, texts, urls }, commonIds, state] = await Promise.all([
    deps.pages.readTexts(page),
    textsEverywhere(deps, current),
    readPageState(deps, task, current),
  ]);
  const editableTexts = texts.map((text): EditableText =>
    commonIds.has(text.id) ? { ...text, isEverywhere: true } : text,
  );
  return {
    slug,
    title,
    digest: sourceDigest(source),
    source,
    texts: sortByElement([...editableTexts, ...urls.map(toUrlText)]),
    previewUrl: editablePage(task, slug).previewUrl,
    state,
    notes: pageNotes(task, slug),
    pages: task.pages.map(({ slug }) => slug),
    offers: suggestTargets(deps.pages, sitePaths),
  };
}

/** Ids of the texts that other pages of the site have too. */
async function textsEverywhere(
  { pages }: CurrentPageDeps,
  { page, tree }: CurrentPage,
): Promise<Set<string>> {
  const { slots } = await pages.readTemplate(page, await readSiblings(tree, pages, page.path));
  return new Set(slots.filter(({ locked }) => locked).map(({ id }) => id));
}

/** Sorts by element, so that a link's or an image's address follows the texts of that element. */
const sortByElement = (texts: EditableText[]) =>
  texts.sort((first, second) => elementNumber(first) - elementNumber(second));
const elementNumber = ({ id }: EditableText) => Number.parseInt(id.slice(1), 10);

const pageNotes = ({ notes }: EditableTask, slug: string) =>
  notes
    .filter(({ page }) => page === slug)
    .map((note): PageNote => {
      const { text } = note;
      const [slot] = noteSlots(note);
      const [value] = noteValues(note);
      return {
        id: noteIdOf(note),
        ...withoutUndefined({ text, slot, value }),
        isDroppable: isDroppable(note),
      };
    });

/**
 * Commits the page's new source on top of the task's result. For a page of a batch, the database
 * records the edit before and after the commit, because a run of the batch may start in between.
 * @returns true if the change is now the task's current result; false if another save came first
 * @throws DomainError CONFLICT if the batch runs
 */
async function commitSource(
  batches: EditorDeps['batches'],
  { taskId, row }: EditableTask,
  currentPage: CurrentPage,
  { source, editor }: { source: string; editor: string | undefined },
): Promise<boolean> {
  const { site, repository, slug, commit: parent, page } = currentPage;
  if (row && !(await batches.edit(taskId, row.number))) throw batchRunningError();
  const newCommit = await repository.commitEdit({
    taskId,
    parent,
    editor,
    author: site.author,
    changes: [{ path: page.path, content: source }],
    message: `Edit ${slug} by hand`,
    createdAt: new Date().toISOString(),
  });
  if (row && newCommit !== null) await batches.edit(taskId, row.number);
  return newCommit !== null;
}

/** The codes of errors that would end a task, and the codes that a request gets instead. */
const requestErrorCodes: Partial<Record<ErrorCode, ErrorCode>> = {
  LIMIT_EXCEEDED: 'INVALID_INPUT',
  CHECK_FAILED: 'INVALID_INPUT',
  PAGE_UNREADABLE: 'CONFLICT',
  PUSH_REFUSED: 'CONFLICT',
  SITE_WITHOUT_REPOSITORY: 'NOT_FOUND',
  GIT_FAILED: 'UNAVAILABLE',
};

async function translateErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = error instanceof DomainError ? requestErrorCodes[error.code] : undefined;
    if (!(error instanceof DomainError) || code === undefined) throw error;
    throw new DomainError(code, error.message, { cause: error, retryable: error.retryable });
  }
}
