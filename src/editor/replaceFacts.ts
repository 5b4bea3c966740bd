import type { Creator } from '../contract/creator.ts';
import { noteIdOf } from '../contract/notes/noteIds.ts';
import { shortLine } from '../contract/text/summaries.ts';
import { type Note, notedPage, noteValues, type RemovableNote } from '../contract/task.ts';
import { mapConcurrently } from '../mapConcurrently.ts';
import type { PageSource, TemplateContent } from '../sites/formats/format.ts';
import { readPageSource } from '../sites/pages/pageSource.ts';
import { readSiblings } from '../sites/pages/templates.ts';
import type { Tree } from '../sites/git/repository.ts';
import type { JobOwner } from '../threads/threadPool.ts';
import { locateBlockNotes } from './blockNotes.ts';
import { repeatVersion, type VersionDeps } from './commitVersion.ts';
import { type CurrentResult, pathOfSlug, readCurrentResult } from './currentPage.ts';
import type { EditableTask } from './editableTask.ts';
import {
  commitNoteChanges,
  type FactRemoval,
  findEditProblem,
  PAGES_AT_ONCE,
  type PageNoteChange,
} from './removeFacts.ts';

/** Plans to write a typed text in place of the values of notes: new texts, and targets of links. */
export type NotedValueReplacer = (
  job: {
    page: Omit<TemplateContent, 'digest'>;
    notes: RemovableNote[];
    value?: string;
    text: string;
  },
  jobOwner: JobOwner,
) => Promise<{
  texts: Record<string, string>;
  links: Record<string, string>;
  replaced: { id: string; value: string }[];
  sentences: string[];
}>;

/** What a person typed in place of what notes report. */
export interface FactReplacementRequest {
  notes: Note[];
  /** The only value of the notes to replace. Absent: all of their values. */
  value?: string;
  /** Plain text. */
  text: string;
  by: Creator | null;
}

export interface ReplacementDeps extends VersionDeps {
  replaceNotedValues: NotedValueReplacer;
}

/**
 * Writes a text that a person typed in place of what notes report, on all of their pages, as one
 * version of the result. A page on which that is not possible stays as it is, with a sentence that
 * says why.
 * @returns in `removed`, the notes whose values are replaced
 * @throws DomainError as `removeFacts`; INVALID_INPUT if the text can't replace a telephone number
 *   or an e-mail address
 */
export const replaceFacts = (
  deps: ReplacementDeps,
  task: EditableTask,
  request: FactReplacementRequest,
): Promise<FactRemoval> =>
  repeatVersion(async () => {
    const current = await readCurrentResult(deps, task);
    const resultTree = await current.repository.tree({
      commit: task.commit,
      retainedBy: task.taskId,
    });
    const notesByPage = [...Map.groupBy(request.notes, (note) => notedPage(note)!)];
    const pages = await mapConcurrently(
      notesByPage,
      ([slug, notes]) =>
        replaceOnPage(deps, task, { ...request, current, resultTree, slug, notes }),
      PAGES_AT_ONCE,
    );
    return commitNoteChanges(deps, task, current, {
      pages,
      kind: 'replacement',
      by: request.by,
      summary: (kinds, place) =>
        `Type "${shortLine(request.text, MAX_SUMMARY_TEXT)}" for ${kinds} on ${place}`,
    });
  });

const MAX_SUMMARY_TEXT = 40;

interface PageReplacement extends FactReplacementRequest {
  current: CurrentResult;
  /** Siblings are read from the result itself, which no version changes. */
  resultTree: Tree;
  slug: string;
}

async function replaceOnPage(
  { pages, replaceNotedValues }: Pick<ReplacementDeps, 'pages' | 'replaceNotedValues'>,
  { organizationId }: EditableTask,
  { current, resultTree, slug, notes, value, text }: PageReplacement,
): Promise<PageNoteChange> {
  const path = pathOfSlug(pages, current.sitePaths, slug);
  if (path === undefined) return { slug, resolved: notes, remaining: [], sentences: [] };
  const page = await readPageSource(current.tree, path);
  const siblings = await readSiblings(resultTree, pages, path);
  const content = await pages.readTemplate(page, siblings);
  const locatedNotes = await locateBlockNotes(
    pages,
    { page, siblings },
    notes.map((note) => ({ ...note, id: noteIdOf(note) })),
  );
  const plan = await replaceNotedValues(
    {
      page: content,
      notes: locatedNotes,
      ...(value !== undefined && { value }),
      text,
    },
    { organizationId },
  );
  const { sentences } = plan;
  let source = await pages.setTexts(page, plan.texts);
  for (const [id, target] of Object.entries(plan.links))
    source = await pages.setLink({ path, source }, id, target);
  const openIds = await findOpenNotes(pages, {
    notes: locatedNotes,
    written: resultTree.entries.has(path) ? await readPageSource(resultTree, path) : page,
    page: { path, source },
    replaced: plan.replaced,
  });
  const resolved = notes.filter((note) => !openIds.has(noteIdOf(note)));
  const remaining = notes.filter((note) => openIds.has(noteIdOf(note)));
  if (source === page.source) return { slug, resolved, remaining, sentences };
  const problem = await findEditProblem(pages, { ...current, slug, page }, { source });
  if (problem !== null)
    return { slug, resolved: [], remaining: notes, sentences: [`${slug}: ${problem}`] };
  return { slug, change: { path, content: source }, resolved, remaining, sentences };
}

/** The ids of notes that have values left to report besides those that were replaced. */
async function findOpenNotes(
  pages: ReplacementDeps['pages'],
  {
    notes,
    written,
    page,
    replaced,
  }: {
    notes: RemovableNote[];
    written: PageSource;
    page: PageSource;
    replaced: { id: string; value: string }[];
  },
): Promise<Set<string>> {
  const otherValues = notes.map((note) => {
    const isReplaced = (value: string) =>
      replaced.some((entry) => entry.id === note.id && entry.value === value);
    return noteValues(note).filter((value) => !isReplaced(value));
  });
  const standing = await pages.standing(
    { written, page },
    notes.map(({ kind }, index) => ({ kind, values: otherValues[index]! })),
  );
  const openNotes = notes.filter(
    ({ linkFrom }, index) =>
      otherValues[index]!.length > 0 && (linkFrom !== undefined || standing[index] !== false),
  );
  return new Set(openNotes.map(({ id }) => id));
}
