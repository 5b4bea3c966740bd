import { defined } from '../../contract/defined.ts';
import { type Note, notesOf, type Page, type TaskOutput, type TaskUsage, type TaskView } from '../../contract/task.ts';
import type { StartedTask } from '../../temporal/tasks/tasks.ts';
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

/**
 * The JSON of views. A completed task's output never changes, so its text is made once for as long as the output is
 * kept, and again when addresses close.
 */
export function createViewTexts() {
  const texts = new WeakMap<TaskOutput, OpenAddresses & { text: string }>();
  return (view: TaskView, open: OpenAddresses): string => {
    if (view.status !== 'completed') return JSON.stringify(presentView(view, open));
    const known = texts.get(view.output);
    if (known?.previews === open.previews && known.edits === open.edits) return known.text;
    const text = JSON.stringify(presentView(view, open));
    texts.set(view.output, { ...open, text });
    return text;
  };
}

function presentOutput(output: TaskOutput, open: OpenAddresses) {
  const { pagesCreated, pagesModified, pagesDeleted, summary, usage, ...told } = output;
  const notes = notesOf(told).map(presentNote);
  const presentPage = (page: Page) => presentedPage(page, open);
  return {
    pagesCreated: pagesCreated.map(presentPage),
    pagesModified: pagesModified.map(presentPage),
    pagesDeleted: pagesDeleted.map(presentPage),
    ...(notes.length > 0 && { warnings: notes.map(({ text }) => text), notes }),
    ...defined({ summary, usage: usage && presentUsage(usage) }),
  };
}

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
