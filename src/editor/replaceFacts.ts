import type { Creator } from '../contract/creator.ts';
import { noteIdOf } from '../contract/notes/noteIds.ts';
import { shortLine } from '../contract/text/summaries.ts';
import { type Note, noteValues, type RemovableNote } from '../contract/task.ts';
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
 * version of the result.
 * @returns in `removed`, the notes whose values are replaced
 * @throws DomainError as `removeFacts`; INVALID_INPUT if the text can't replace a telephone number
 *   or an e-mail address
 */
export const replaceFacts = (
  deps: ReplacementDeps,
  task: EditableTask,
  request: FactReplacementRequest,
): Promise<FactRemoval> =>
  resolveNotes(deps, task, {
    notes: request.notes,
    kind: 'replacement',
    by: request.by,
    summary: (kinds, place) =>
      `Type "${shortLine(request.text, MAX_SUMMARY_TEXT)}" for ${kinds} on ${place}`,
    createPlanner: () => (page) => planReplacement(deps, task, { ...request, ...page }),
  });

const MAX_SUMMARY_TEXT = 40;

async function planReplacement(
  { pages, replaceNotedValues }: Pick<ReplacementDeps, 'pages' | 'replaceNotedValues'>,
  { organizationId }: EditableTask,
  { resultTree, page, siblings, notes, value, text }: FactReplacementRequest & PageWithNotes,
): Promise<PageNotesPlan> {
  const { path } = page;
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
  let source = await pages.setTexts(page, plan.texts);
  for (const [id, target] of Object.entries(plan.links))
    source = await pages.setLink({ path, source }, id, target);
  const openIds = await findOpenNotes(pages, {
    notes: locatedNotes,
    written: resultTree.entries.has(path) ? await readPageSource(resultTree, path) : page,
    page: { path, source },
    replaced: plan.replaced,
  });
  return {
    source,
    resolved: notes.filter((note) => !openIds.has(noteIdOf(note))),
    remaining: notes.filter((note) => openIds.has(noteIdOf(note))),
    sentences: plan.sentences,
  };
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
