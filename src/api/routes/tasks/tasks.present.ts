import type {
  TaskMetadataResponse,
  TaskCheckResponse,
  CheckedItemResponse,
  CheckedNote,
  NoteResponse,
  StartedTaskResponse,
  TaskStatusResponse,
  Task,
  TaskIdentityResponse,
  TaskOutputResponse,
  TaskUsageResponse,
} from '../../../contract/responses.ts';
import type {
  CellRemark,
  CheckProblem,
  TaskCheck,
  TriedChanges,
} from '../../../contract/checks.ts';
import { withoutUndefined } from '../../../contract/withoutUndefined.ts';
import { noteIdOf } from '../../../contract/notes/noteIds.ts';
import {
  type Note,
  type Page,
  noteSlots,
  type TaskIdentity,
  type TaskOutput,
  type TaskUsage,
  type TaskView,
} from '../../../contract/task.ts';
import type { CreatorNames } from '../../../organizations/creatorNames.ts';
import type { StartedTask, TaskFacts } from '../../../temporal/tasks/taskService.ts';
import { firstNoteState, type NoteStateView } from '../../../tasks/openNotes.ts';
import { allUrlsOpen, type OpenUrls } from '../../../tasks/previews.ts';
import type { ChangingFacts, TaskReading } from '../../../tasks/readTask.ts';
import { type InvalidItems, mergeInvalidItems } from './tasks.check.ts';

/** The response to a request that starts a task (docs/contract.md, section 4.1). */
export function presentStartedTask({ taskId, createdAt }: StartedTask): StartedTaskResponse {
  return { taskId, status: 'running', createdAt };
}

/**
 * The status view (docs/contract.md, section 4.2). Fields are named one by one, so that new fields
 * are not exposed by accident. URLs that no longer work are null.
 * @param changingFacts what may have changed since the task finished, such as the states of notes
 */
export function presentView(
  view: TaskView,
  changingFacts = unchangedSinceFinish,
): TaskStatusResponse {
  const { taskId } = view;
  switch (view.status) {
    case 'running':
      return withoutUndefined({ taskId, status: view.status, progress: view.progress });
    case 'completed':
      return { taskId, status: view.status, output: presentOutput(view.output, changingFacts) };
    case 'failed':
      return withoutUndefined({
        taskId,
        status: view.status,
        errorMessage: view.errorMessage,
        usage: presentUsage(view.usage, changingFacts),
      });
  }
}

/** The facts as they were when the task finished: open notes, working URLs and no builds. */
export const unchangedSinceFinish: ChangingFacts = {
  open: allUrlsOpen,
  states: [],
  cost: null,
  builds: 0,
};

/** The fields by which people tell tasks apart, with the names of the creators. */
export async function presentIdentities(
  creators: CreatorNames,
  tasks: TaskIdentity[],
): Promise<TaskIdentityResponse[]> {
  const creatorNames = await creators.named(tasks.map(({ createdBy }) => createdBy));
  return tasks.map(({ title, follows = null }, index) => ({
    title,
    createdBy: creatorNames[index]!,
    follows,
  }));
}

/** The fields of one task's view besides its status. */
export async function presentTask(
  creators: CreatorNames,
  taskIdentity: TaskFacts,
): Promise<TaskMetadataResponse> {
  const [identity] = await presentIdentities(creators, [taskIdentity]);
  const { siteId, type, createdAt, template, restores } = taskIdentity;
  return { ...identity!, ...withoutUndefined({ siteId, type, createdAt, template, restores }) };
}

/** The complete view of a task, with everything that may have changed since it finished. */
export const presentRead = (
  { view, live, ...changing }: TaskReading,
  about: TaskMetadataResponse,
): Task => ({
  ...presentView(view, changing),
  ...about,
  ...live,
});

/**
 * Caches the JSON of the views of completed tasks. The output of a completed task never changes, so
 * its JSON is written once while the output is in memory. It is written again if its URLs stop
 * working, a name changes, a note is resolved, its pages are published or replaced, or a host
 * builds an edit.
 */
export function createViewBodies() {
  const bodiesByOutput = new WeakMap<TaskOutput, { key: string; body: string }>();
  return (taskRead: TaskReading, about: TaskMetadataResponse): string => {
    const { view, live, ...changing } = taskRead;
    const writeBody = () => JSON.stringify(presentRead(taskRead, about));
    if (view.status !== 'completed') return writeBody();
    const resolvedNotes = changing.states.filter(({ state }) => state !== 'open');
    const cacheKey = JSON.stringify([changing.open, resolvedNotes, about, live, changing.builds]);
    const cachedBody = bodiesByOutput.get(view.output);
    if (cachedBody?.key === cacheKey) return cachedBody.body;
    const bodyJson = writeBody();
    bodiesByOutput.set(view.output, { key: cacheKey, body: bodyJson });
    return bodyJson;
  };
}

function presentOutput(output: TaskOutput, changingFacts: ChangingFacts): TaskOutputResponse {
  const { open: openAddresses, states } = changingFacts;
  const { pagesCreated, pagesModified, pagesDeleted, summary, usage, pullRequestUrl } = output;
  const notes = presentNotes(output.notes ?? [], states);
  const warnings = notes.filter(({ state }) => state === 'open').map(({ text }) => text);
  const presentPage = (page: Page) => presentPageResponse(page, openAddresses);
  return {
    pagesCreated: pagesCreated.map(presentPage),
    pagesModified: pagesModified.map(presentPage),
    pagesDeleted: pagesDeleted.map(presentPage),
    ...(warnings.length > 0 && { warnings }),
    ...(notes.length > 0 && { notes }),
    ...withoutUndefined({ summary, usage: presentUsage(usage, changingFacts), pullRequestUrl }),
  };
}

/**
 * The response body of a check.
 * @param agent who would do the work: `rules`, or a language model
 * @param invalidItems malformed items by index in the request
 */
export function presentChecked(
  { problems, template, changes, notes, ...checkedTask }: TaskCheck,
  agent: string,
  invalidItems: InvalidItems,
): TaskCheckResponse {
  const items = mergeInvalidItems(checkedTask.items, invalidItems);
  const presentedItems = items.map(
    ({ targetPageSlug, unused, stays, remarks, ...item }): CheckedItemResponse => ({
      targetPageSlug,
      problems: item.problems.map(presentProblem),
      unused,
      stays: stays.map(({ slot, label, text }) => ({ slot, label, text })),
      remarks: remarks.map(presentRemark),
      notes: item.notes.map(presentNote),
    }),
  );
  const allProblems = [...problems, ...items.flatMap((item) => item.problems)];
  const templateIdentity = template && { language: template.language, home: template.home };
  return {
    ok: allProblems.length === 0,
    agent,
    problems: problems.map(presentProblem),
    items: presentedItems,
    template: templateIdentity ?? null,
    ...withoutUndefined({
      changes: changes && presentChanges(changes),
      notes: notes?.map(presentNote),
    }),
  };
}

const presentRemark = ({ label, value, fills, code, message, severity }: CellRemark) => ({
  label,
  value,
  fills,
  code,
  message,
  severity,
});

const presentProblem = ({ code, message }: CheckProblem) => ({ code, message });

const presentChanges = ({
  pagesCreated,
  pagesModified,
  pagesDeleted,
}: TriedChanges): TriedChanges => ({
  pagesCreated,
  pagesModified,
  pagesDeleted,
});

function presentUsage(
  usage: TaskUsage | undefined,
  { cost, builds }: Pick<ChangingFacts, 'cost' | 'builds'>,
): TaskUsageResponse | undefined {
  if (!usage) return builds > 0 ? { builds } : undefined;
  const { model, turns, inputTokens, cachedInputTokens, outputTokens } = usage;
  const modelUsage = { model, turns, inputTokens, cachedInputTokens, outputTokens, cost };
  return builds > 0 ? { ...modelUsage, builds } : modelUsage;
}

/** Notes with their states, by the same index. */
export const presentNotes = (notes: readonly Note[], states: readonly NoteStateView[]) =>
  notes.map((note, index): NoteResponse => {
    const { state, by, at, droppedIn } = states[index] ?? firstNoteState(note);
    return {
      id: noteIdOf(note),
      state,
      ...withoutUndefined({ by, at, droppedIn, task: note.task }),
      ...presentNote(note),
    };
  });

export const presentNote = (note: Note): CheckedNote => {
  const { page, linkFrom, kind, slot, text, value, values, keys } = note;
  const slots = noteSlots(note);
  return withoutUndefined({
    page,
    linkFrom,
    kind,
    slot,
    slots: slots.length > 0 ? slots : undefined,
    text,
    value,
    values,
    keys,
  });
};

/** A page of the output (docs/contract.md, section 4.4). */
function presentPageResponse(
  { slug, publishedUrl, externalId, ...page }: Page,
  openAddresses: OpenUrls,
) {
  return withoutUndefined({
    slug,
    ...presentAddresses(page, openAddresses),
    publishedUrl,
    externalId,
  });
}

export const presentAddresses = (
  { previewUrl, editUrl }: Pick<Page, 'previewUrl' | 'editUrl'>,
  { previews, edits }: OpenUrls,
) => ({ previewUrl: previews ? previewUrl : null, editUrl: edits ? editUrl : null });
