import type { CheckProblem, TaskChecked } from '../../contract/check.ts';
import { defined } from '../../contract/defined.ts';
import {
  type Note,
  type Page,
  type TaskAbout,
  type TaskOutput,
  type TaskUsage,
  type TaskView,
} from '../../contract/task.ts';
import type { Makers, NamedMaker } from '../../organizations/makers.ts';
import type { StartedTask, ToldAbout } from '../../temporal/tasks/tasks.ts';
import { allOpen, type OpenAddresses } from '../previews.ts';

/** Specification: Task (created). */
export function presentStarted({ taskId, createdAt }: StartedTask) {
  return { taskId, status: 'running' as const, createdAt };
}

/**
 * Specification: Task (status view). Fields are named one by one, so that nothing else ever leaves the service.
 * Addresses that lead nowhere any more are null.
 */
export function presentView(view: TaskView, open = allOpen) {
  const { taskId } = view;
  switch (view.status) {
    case 'running':
      return defined({ taskId, status: view.status, progress: view.progress });
    case 'completed':
      return { taskId, status: view.status, output: presentOutput(view.output, open) };
    case 'failed':
      return { taskId, status: view.status, errorMessage: view.errorMessage };
  }
}

/** By what people tell tasks apart, beside the fields of the specification. */
export interface PresentedAbout {
  title: string | null;
  /** null: the person, or the key, is gone. */
  createdBy: NamedMaker | null;
  follows: string | null;
}

/** What one task's view tells beside that. */
export type PresentedTask = PresentedAbout & Partial<Pick<ToldAbout, 'siteId' | 'type' | 'createdAt' | 'template'>>;

/** The same for several tasks, with the names of those who made them. */
export async function presentAbout(makers: Makers, tasks: TaskAbout[]): Promise<PresentedAbout[]> {
  const named = await makers.named(tasks.map(({ createdBy }) => createdBy ?? null));
  return tasks.map(({ title = null, follows = null }, i) => ({ title, createdBy: named[i] ?? null, follows }));
}

/**
 * The JSON of views. A completed task's output never changes, so its bytes are made once for as long as the output is
 * kept, and again when addresses close or a name changes.
 */
export function createViewBodies() {
  const bodies = new WeakMap<TaskOutput, OpenAddresses & { name: string | null | undefined; body: Buffer }>();
  return (view: TaskView, open: OpenAddresses, about: PresentedTask): Buffer => {
    const write = () => Buffer.from(JSON.stringify({ ...presentView(view, open), ...about }));
    if (view.status !== 'completed') return write();
    const name = about.createdBy?.name;
    const known = bodies.get(view.output);
    if (known?.previews === open.previews && known.edits === open.edits && known.name === name) return known.body;
    const body = write();
    bodies.set(view.output, { ...open, name, body });
    return body;
  };
}

function presentOutput(output: TaskOutput, open: OpenAddresses) {
  const { pagesCreated, pagesModified, pagesDeleted, summary, usage } = output;
  const notes = (output.notes ?? []).map(presentNote);
  const presentPage = (page: Page) => presentedPage(page, open);
  return {
    pagesCreated: pagesCreated.map(presentPage),
    pagesModified: pagesModified.map(presentPage),
    pagesDeleted: pagesDeleted.map(presentPage),
    ...(notes.length > 0 && { warnings: notes.map(({ text }) => text), notes }),
    ...defined({ summary, usage: usage && presentUsage(usage) }),
  };
}

/** @param agent who would do the work */
export function presentChecked({ problems, items }: TaskChecked, agent: string) {
  const shown = items.map(({ targetPageSlug, unused, stays, ...item }) => ({
    ...{ targetPageSlug, problems: item.problems.map(presentProblem), unused },
    stays: stays.map(({ slot, label, text }) => ({ slot, label, text })),
    notes: item.notes.map(presentNote),
  }));
  const all = [...problems, ...items.flatMap((item) => item.problems)];
  return { ok: all.length === 0, agent, problems: problems.map(presentProblem), items: shown };
}

const presentProblem = ({ code, message }: CheckProblem) => ({ code, message });

const presentUsage = ({ model, turns, inputTokens, cachedInputTokens, outputTokens }: TaskUsage) => ({
  ...{ model, turns, inputTokens, cachedInputTokens, outputTokens },
});

const presentNote = ({ page, kind, slot, text, value }: Note) => defined({ page, kind, slot, text, value });

/** Specification: Page object. */
function presentedPage({ slug, publishedUrl, externalId, ...page }: Page, open: OpenAddresses) {
  return defined({ slug, ...presentAddresses(page, open), publishedUrl, externalId });
}

export const presentAddresses = (
  { previewUrl, editUrl }: Pick<Page, 'previewUrl' | 'editUrl'>,
  { previews, edits }: OpenAddresses,
) => ({ previewUrl: previews ? previewUrl : null, editUrl: edits ? editUrl : null });
