import type {
  AboutTask,
  Checked,
  CheckedItem,
  CheckedNote,
  Note as NoteAnswer,
  Started,
  StatusView,
  Task,
  TaskName,
  TaskOutput as OutputAnswer,
  Used,
} from '../../contract/answers.ts';
import type { CellRemark, CheckProblem, TaskChecked, TriedChanges } from '../../contract/check.ts';
import { defined } from '../../contract/defined.ts';
import { noteIdOf } from '../../contract/noteIds.ts';
import {
  type Note,
  type Page,
  slotsOf,
  type TaskAbout,
  type TaskOutput,
  type TaskUsage,
  type TaskView,
} from '../../contract/task.ts';
import type { Makers } from '../../organizations/makers.ts';
import type { StartedTask, ToldAbout } from '../../temporal/tasks/tasks.ts';
import type { ToldState } from '../../tasks/openNotes.ts';
import { allOpen, type OpenAddresses } from '../../tasks/previews.ts';
import type { Changing, ReadTask } from '../../tasks/read.ts';
import { type FaultyItems, withFaulty } from './tasks.check.ts';

/** See docs/contract.md, section 4.1. */
export function presentStarted({ taskId, createdAt }: StartedTask): Started {
  return { taskId, status: 'running', createdAt };
}

/**
 * The status view (docs/contract.md, section 4.2). Fields are named one by one, so that new fields
 * are not exposed by accident. Addresses that no longer work are null.
 */
export function presentView(view: TaskView, changing = unchanged): StatusView {
  const { taskId } = view;
  switch (view.status) {
    case 'running':
      return defined({ taskId, status: view.status, progress: view.progress });
    case 'completed':
      return { taskId, status: view.status, output: presentOutput(view.output, changing) };
    case 'failed':
      return defined({
        taskId,
        status: view.status,
        errorMessage: view.errorMessage,
        usage: presentUsage(view.usage, changing),
      });
  }
}

/** The view of a task as it was when it finished. */
export const unchanged: Changing = { open: allOpen, states: [], cost: null, builds: 0 };

/** The fields by which people tell tasks apart, with the names of the makers. */
export async function presentAbout(makers: Makers, tasks: TaskAbout[]): Promise<TaskName[]> {
  const named = await makers.named(tasks.map(({ createdBy }) => createdBy));
  return tasks.map(({ title, follows = null }, i) => ({ title, createdBy: named[i]!, follows }));
}

/** The fields of one task's view besides its status. */
export async function presentTask(makers: Makers, told: ToldAbout): Promise<AboutTask> {
  const [about] = await presentAbout(makers, [told]);
  const { siteId, type, createdAt, template, restores } = told;
  return { ...about!, ...defined({ siteId, type, createdAt, template, restores }) };
}

/** A task's view, with everything that may have changed since it finished. */
export const presentRead = ({ view, live, ...changing }: ReadTask, about: AboutTask): Task => ({
  ...presentView(view, changing),
  ...about,
  ...live,
});

/**
 * Caches the JSON of views of completed tasks. A completed task's output never changes, so its JSON
 * is made once while the output is in memory. It is made again when its addresses stop working, a
 * name changes, a note is settled, its pages are published or replaced, or an edit is built.
 */
export function createViewBodies() {
  const bodies = new WeakMap<TaskOutput, { key: string; body: string }>();
  return (read: ReadTask, about: AboutTask): string => {
    const { view, live, ...changing } = read;
    const write = () => JSON.stringify(presentRead(read, about));
    if (view.status !== 'completed') return write();
    const settled = changing.states.filter(({ state }) => state !== 'open');
    const key = JSON.stringify([changing.open, settled, about, live, changing.builds]);
    const known = bodies.get(view.output);
    if (known?.key === key) return known.body;
    const body = write();
    bodies.set(view.output, { key, body });
    return body;
  };
}

function presentOutput(output: TaskOutput, changing: Changing): OutputAnswer {
  const { open, states } = changing;
  const { pagesCreated, pagesModified, pagesDeleted, summary, usage, pullRequestUrl } = output;
  const notes = presentNotes(output.notes ?? [], states);
  const warnings = notes.filter(({ state }) => state === 'open').map(({ text }) => text);
  const presentPage = (page: Page) => presentedPage(page, open);
  return {
    pagesCreated: pagesCreated.map(presentPage),
    pagesModified: pagesModified.map(presentPage),
    pagesDeleted: pagesDeleted.map(presentPage),
    ...(warnings.length > 0 && { warnings }),
    ...(notes.length > 0 && { notes }),
    ...defined({ summary, usage: presentUsage(usage, changing), pullRequestUrl }),
  };
}

/**
 * @param agent who would do the work
 * @param faulty malformed items by index in the request
 */
export function presentChecked(
  { problems, template, changes, notes, ...checked }: TaskChecked,
  agent: string,
  faulty: FaultyItems,
): Checked {
  const items = withFaulty(checked.items, faulty);
  const shown = items.map(({ targetPageSlug, unused, stays, remarks, ...item }): CheckedItem => ({
    targetPageSlug,
    problems: item.problems.map(presentProblem),
    unused,
    stays: stays.map(({ slot, label, text }) => ({ slot, label, text })),
    remarks: remarks.map(presentRemark),
    notes: item.notes.map(presentNote),
  }));
  const all = [...problems, ...items.flatMap((item) => item.problems)];
  const identity = template && { language: template.language, home: template.home };
  return {
    ok: all.length === 0,
    agent,
    problems: problems.map(presentProblem),
    items: shown,
    template: identity ?? null,
    ...defined({ changes: changes && presentChanges(changes), notes: notes?.map(presentNote) }),
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
  { cost, builds }: Pick<Changing, 'cost' | 'builds'>,
): Used | undefined {
  if (!usage) return builds > 0 ? { builds } : undefined;
  const { model, turns, inputTokens, cachedInputTokens, outputTokens } = usage;
  const ofModel = { model, turns, inputTokens, cachedInputTokens, outputTokens, cost };
  return builds > 0 ? { ...ofModel, builds } : ofModel;
}

/** Notes with their states. A note without a given state is open. */
export const presentNotes = (notes: readonly Note[], states: readonly ToldState[]) =>
  notes.map((note, i): NoteAnswer => {
    const { state, by, at, droppedIn } = states[i] ?? { state: 'open' as const };
    return {
      id: noteIdOf(note),
      state,
      ...defined({ by, at, droppedIn, task: note.task }),
      ...presentNote(note),
    };
  });

export const presentNote = (note: Note): CheckedNote => {
  const { page, kind, slot, text, value, values } = note;
  const slots = slotsOf(note);
  return defined({
    page,
    kind,
    slot,
    slots: slots.length > 0 ? slots : undefined,
    text,
    value,
    values,
  });
};

/** See docs/contract.md, section 4.4. */
function presentedPage({ slug, publishedUrl, externalId, ...page }: Page, open: OpenAddresses) {
  return defined({ slug, ...presentAddresses(page, open), publishedUrl, externalId });
}

export const presentAddresses = (
  { previewUrl, editUrl }: Pick<Page, 'previewUrl' | 'editUrl'>,
  { previews, edits }: OpenAddresses,
) => ({ previewUrl: previews ? previewUrl : null, editUrl: edits ? editUrl : null });
