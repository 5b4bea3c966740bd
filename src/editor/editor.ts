import { withoutUndefined } from '../contract/withoutUndefined.ts';
import { noteIdOf } from '../contract/notes/noteIds.ts';
import {
  type EditWork,
  isDroppable,
  type Note,
  notedPage,
  noteSlots,
  noteValues,
} from '../contract/task.ts';
import { DomainError, type ErrorCode } from '../errors.ts';
import type { FrameSettings } from '../sites/formats/format.ts';
import type { PagesPool } from '../sites/pages/pages.ts';
import { readPageSource } from '../sites/pages/pageSource.ts';
import { readSiblings } from '../sites/pages/templates.ts';
import { toUrlText, suggestTargets } from './linksAndImages.ts';
import { applyContentChange } from './applyContentChange.ts';
import type { FactRemoval } from './resolveNotes.ts';
import { type FactRemovalRequest, type RemovalDeps, removeFacts } from './removeFacts.ts';
import { beginEdit, type FirstEdit } from './beginEdit.ts';
import { type FactReplacementRequest, type ReplacementDeps, replaceFacts } from './replaceFacts.ts';
import { findMissingPages, type OmissionRequest, omitPages } from './omitPages.ts';
import { type PlacementDeps, placeValues, type ValuePlacementRequest } from './placeValues.ts';
import { commitVersion, repeatVersion } from './commitVersion.ts';
import {
  type ConflictQuery,
  findUpdateConflicts,
  listResultVersions,
  type ResultVersion,
  type UndoRequest,
  undoVersion,
  type UpdateRequest,
  updateResult,
} from './resultVersions.ts';
import { sourceDigest } from './sourceDigest.ts';
import {
  type CurrentPage,
  type CurrentPageDeps,
  type CurrentResult,
  pathOfSlug,
  readCurrentPage,
  readCurrentResult,
} from './currentPage.ts';
import type { Creator } from '../contract/creator.ts';
import type { ContentChange, EditableText, OpenedPage, PageNote } from './protocol.ts';
import { readPageState } from './pageState.ts';
import { type EditableTask, editablePage } from './editableTask.ts';

/**
 * The editor, in which people change the pages of a site, or of a finished task, by hand.
 *
 * - `editor.ts` opens a page, saves a change of it, and tells which of its notes still hold.
 * - `editableTask.ts` and `currentPage.ts` read the task, and the page as the last edit left it.
 * - `beginEdit.ts` saves the first edit of a page of the site, from which a task is then made.
 * - `applyContentChange.ts` and `linksAndImages.ts` make the changes of a person, `removeFacts.ts`,
 *   `replaceFacts.ts` and `placeValues.ts` those that resolve notes, and `omitPages.ts` leaves out
 *   pages. Each is a version of the result: `commitVersion.ts`, `resultVersions.ts` (list, undo,
 *   update).
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
   * CONFLICT while the page's batch runs.
   * @param by the person, if known
   */
  save(
    task: EditableTask,
    slug: string,
    change: ContentChange,
    by?: Creator | null,
  ): Promise<OpenedPage>;
  /** See `beginEdit`. */
  begin(sitePage: EditableTask, slug: string, edit: FirstEdit): Promise<EditWork | null>;
  /** See `removeFacts`. */
  removeFacts(task: EditableTask, request: FactRemovalRequest): Promise<FactRemoval>;
  /** See `replaceFacts`. */
  replaceFacts(task: EditableTask, request: FactReplacementRequest): Promise<FactRemoval>;
  /** See `placeValues`. */
  placeValues(task: EditableTask, request: ValuePlacementRequest): Promise<FactRemoval>;
  /** See `omitPages`. */
  omit(task: EditableTask, request: OmissionRequest): ReturnType<typeof omitPages>;
  /** See `findMissingPages`. */
  missing(task: EditableTask, slugs: string[], signal?: AbortSignal): Promise<string[]>;
  /** See `listResultVersions`. */
  versions(task: EditableTask, signal?: AbortSignal): Promise<ResultVersion[]>;
  /** See `undoVersion`. */
  undo(task: EditableTask, request: UndoRequest): ReturnType<typeof undoVersion>;
  /** See `updateResult`. */
  update(task: EditableTask, request: UpdateRequest): ReturnType<typeof updateResult>;
  /** See `findUpdateConflicts`. */
  conflicts(task: EditableTask, query: ConflictQuery, signal: AbortSignal): Promise<string[]>;
  /**
   * Whether pages still contain the values that each of their notes reports, by the note's id.
   * Leaves out notes that can't be checked.
   */
  standing(task: EditableTask, slugs: string[]): Promise<Map<string, boolean>>;
}

export interface EditorDeps extends Omit<RemovalDeps & ReplacementDeps & PlacementDeps, 'pages'> {
  pages: Pick<PagesPool, 'for'>;
}

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
  replaceNotedValues,
  placeContextValues,
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

    save: (task, slug, change, by = null) =>
      edit(task, (deps) =>
        repeatVersion(async () => {
          const current = await readCurrentPage(deps, task, slug);
          const { page } = current;
          const source = await applyContentChange(deps.pages, current, change);
          const version = {
            changes: [{ path: page.path, content: source }],
            message: `Edit ${slug} by hand`,
            slugs: [slug],
            by,
          };
          const isSaved =
            source === page.source || (await commitVersion(batches, task, current, version));
          return isSaved ? presentPage(deps, task, await readCurrentPage(deps, task, slug)) : null;
        }),
      ),

    begin: (sitePage, slug, firstEdit) =>
      edit(sitePage, (deps) => beginEdit(deps, sitePage, { slug, ...firstEdit })),
    removeFacts: (task, request) =>
      edit(task, (deps) => removeFacts({ ...deps, batches, findNotedParts }, task, request)),
    replaceFacts: (task, request) =>
      edit(task, (deps) => replaceFacts({ ...deps, batches, replaceNotedValues }, task, request)),
    placeValues: (task, request) =>
      edit(task, (deps) => placeValues({ ...deps, batches, placeContextValues }, task, request)),
    omit: (task, request) => edit(task, (deps) => omitPages({ ...deps, batches }, task, request)),
    missing: (task, slugs, signal) =>
      edit(task, (deps) => findMissingPages(deps, task, slugs, signal), signal),
    versions: (task, signal) =>
      edit(task, (deps) => listResultVersions(deps, task, signal), signal),
    undo: (task, request) => edit(task, (deps) => undoVersion({ ...deps, batches }, task, request)),
    update: (task, request) => edit(task, (deps) => updateResult(deps, task, request)),
    conflicts: (task, query, signal) =>
      edit(task, (deps) => findUpdateConflicts(deps, task, query, signal), signal),

    standing: (task, slugs) =>
      edit(task, async (deps) => {
        const notes = task.notes.filter(
          ({ page, linkFrom, ...note }) =>
            // a block stays beside others that may have the same texts
            page !== undefined &&
            linkFrom === undefined &&
            slugs.includes(page) &&
            noteValues(note).length > 0,
        );
        if (notes.length === 0) return new Map();
        const result = await readCurrentResult(deps, task);
        const standingNotes = await Promise.all(
          [...Map.groupBy(notes, ({ page }) => page!)].map(([slug, pageNotes]) =>
            checkStandingNotes(deps, task, result, { slug, notes: pageNotes }),
          ),
        );
        return new Map(standingNotes.flat());
      }),
  };
}

/** Whether a page still has the values of each note, by its id. */
async function checkStandingNotes(
  deps: CurrentPageDeps,
  task: EditableTask,
  { repository, tree, sitePaths }: CurrentResult,
  { slug, notes }: { slug: string; notes: Note[] },
): Promise<[string, boolean][]> {
  const path = pathOfSlug(deps.pages, sitePaths, slug);
  if (path === undefined) return notes.map((note) => [noteIdOf(note), false]);
  const page = await readPageSource(tree, path);
  const resultTree = await repository.tree({ commit: task.commit, retainedBy: task.taskId });
  const writtenPage = resultTree.entries.has(path) ? await readPageSource(resultTree, path) : page;
  const noteValues = notes.map(({ kind, value, values }) => ({
    kind,
    ...withoutUndefined({ value, values }),
  }));
  const standing = await deps.pages.standing({ written: writtenPage, page }, noteValues);
  return notes.flatMap((note, index): [string, boolean][] => {
    const isStanding = standing[index] ?? null;
    return isStanding === null ? [] : [[noteIdOf(note), isStanding]];
  });
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
    .filter((note) => notedPage(note) === slug)
    .map((note): PageNote => {
      const { kind, text } = note;
      const [slot] = noteSlots(note);
      const [value] = noteValues(note);
      return {
        id: noteIdOf(note),
        kind,
        ...withoutUndefined({ text, slot, value }),
        isDroppable: isDroppable(note),
      };
    });

/** The codes of errors that would end a task, and the codes that a request gets instead. */
const requestErrorCodes: Partial<Record<ErrorCode, ErrorCode>> = {
  LIMIT_EXCEEDED: 'INVALID_INPUT',
  CHECK_FAILED: 'INVALID_INPUT',
  PAGE_UNREADABLE: 'CONFLICT',
  PUSH_REFUSED: 'CONFLICT',
  PAGE_CHANGED: 'CONFLICT',
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
