import { defined } from '../../contract/defined.ts';
import type { Page, TaskOutput, TaskView } from '../../contract/task.ts';
import type { StartedTask } from '../../temporal/tasks/tasks.ts';

/** Specification: Task (created). */
export function presentStarted({ taskId, createdAt }: StartedTask) {
  return { taskId, status: 'running' as const, createdAt };
}

/** Specification: Task (status view). Fields are named one by one, so that nothing else ever leaves the service. */
export function presentView(view: TaskView) {
  const { taskId } = view;
  switch (view.status) {
    case 'running':
      return defined({ taskId, status: view.status, progress: view.progress });
    case 'completed':
      return { taskId, status: view.status, output: presentOutput(view.output) };
    case 'failed':
      return { taskId, status: view.status, errorMessage: view.errorMessage };
  }
}

function presentOutput({ pagesCreated, pagesModified, pagesDeleted, warnings = [] }: TaskOutput) {
  return {
    pagesCreated: pagesCreated.map(presentPage),
    pagesModified: pagesModified.map(presentPage),
    pagesDeleted: pagesDeleted.map(presentPage),
    ...(warnings.length > 0 && { warnings }),
  };
}

/** Specification: Page object. */
function presentPage({ slug, previewUrl, editUrl, publishedUrl, externalId }: Page) {
  return defined({ slug, previewUrl, editUrl, publishedUrl, externalId });
}
