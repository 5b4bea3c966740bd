import { defined } from '../../contract/defined.ts';
import { notesOf, type Page, type TaskOutput, type TaskView } from '../../contract/task.ts';
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

function presentOutput({ pagesCreated, pagesModified, pagesDeleted, ...told }: TaskOutput, open: OpenAddresses) {
  const warnings = notesOf(told).map(({ text }) => text);
  const presentPage = (page: Page) => presentedPage(page, open);
  return {
    pagesCreated: pagesCreated.map(presentPage),
    pagesModified: pagesModified.map(presentPage),
    pagesDeleted: pagesDeleted.map(presentPage),
    ...(warnings.length > 0 && { warnings }),
  };
}

/** Specification: Page object. */
function presentedPage({ slug, publishedUrl, externalId, ...page }: Page, open: OpenAddresses) {
  return defined({ slug, ...presentAddresses(page, open), publishedUrl, externalId });
}

export const presentAddresses = (
  { previewUrl, editUrl }: Pick<Page, 'previewUrl' | 'editUrl'>,
  { previews, edits }: OpenAddresses,
) => ({ previewUrl: previews ? previewUrl : null, editUrl: edits ? editUrl : null });
