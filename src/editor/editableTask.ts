import { type Note, type TaskOutput, type TaskStatus } from '../contract/task.ts';
import { DomainError } from '../errors.ts';

/** The fields of a task that editing needs. */
export interface EditorTaskState {
  taskId: string;
  organizationId: string;
  siteId: string;
  status: TaskStatus;
  finished?:
    | { status: 'completed'; output: TaskOutput; result?: { taskId: string; commit: string } }
    | { status: 'failed' };
}

/** A finished task and its editable pages: those that it created or modified. */
export interface EditableTask {
  taskId: string;
  organizationId: string;
  siteId: string;
  /** The commit that the task itself made. Edits by hand are commits on top of it. */
  commit: string;
  /** `previewUrl` is null if an external host was not seen to show the page. */
  pages: { slug: string; previewUrl: string | null }[];
  /** The task's notes: what a person should check. */
  notes: Note[];
  /** Whether its preview was deleted. Its result can still get versions, which no preview shows. */
  isPreviewGone?: boolean;
  /** For a whole batch: the commit on which its pages were made. Its versions came after that. */
  base?: string;
  /**
   * Whether the page is one of the site that no task edits yet. The `taskId` above is then the
   * site's id, and the page is read from the production branch.
   */
  isSitePage?: boolean;
  /** For a whole batch: the numbers of its rows, by the slugs of their pages. */
  rows?: ReadonlyMap<string, number>;
  /** The row of a batch whose page is edited. The `taskId` above is then the batch's id. */
  row?: {
    number: number;
    /** Whether the row's page was published. Later edits of it are not published. */
    isPublished: boolean;
  };
}

/**
 * The id of the task whose ref holds this task's result. It is another task's id if this task only
 * published that task's result, or added nothing to it.
 * @throws DomainError CONFLICT for a task without a result
 */
export function resultTaskId({ status, finished }: EditorTaskState): string {
  if (status === 'running' || !finished)
    throw new DomainError(
      'CONFLICT',
      'The task is still running. Wait until it ends, then edit its pages.',
    );
  if (finished.status === 'failed')
    throw new DomainError('CONFLICT', 'The task failed and has no pages to edit');
  if (!finished.result) throw nothingToEditError();
  return finished.result.taskId;
}

/**
 * Picks what the editor needs from a completed task.
 * @throws DomainError CONFLICT for a task without editable pages
 */
export function toEditableTask(task: EditorTaskState): EditableTask {
  const { taskId, organizationId, siteId, finished } = task;
  resultTaskId(task);
  if (finished?.status !== 'completed' || !finished.result) throw nothingToEditError();
  const { pagesCreated, pagesModified } = finished.output;
  const pages = [...pagesCreated, ...pagesModified].map(({ slug, previewUrl }) => ({
    slug,
    previewUrl,
  }));
  if (pages.length === 0) throw nothingToEditError();
  return {
    taskId,
    organizationId,
    siteId,
    commit: finished.result.commit,
    pages,
    notes: finished.output.notes ?? [],
  };
}

/** A page of a site, before anybody has saved an edit of it. */
export const editableSitePage = (
  { organizationId, siteId }: Pick<EditableTask, 'organizationId' | 'siteId'>,
  slug: string,
): EditableTask => ({
  taskId: siteId,
  organizationId,
  siteId,
  commit: '',
  pages: [{ slug, previewUrl: null }],
  notes: [],
  isPreviewGone: true,
  isSitePage: true,
});

const nothingToEditError = () =>
  new DomainError('CONFLICT', 'The task changed no pages, so there is nothing to edit');

/**
 * Finds the page of a task with this slug.
 * @throws DomainError NOT_FOUND if the task did not create or modify the page
 */
export function editablePage({ pages }: EditableTask, slug: string) {
  const page = pages.find((page) => page.slug === slug);
  if (!page)
    throw new DomainError(
      'NOT_FOUND',
      `Page not found: the task has not created or modified ${slug}`,
    );
  return page;
}

export const batchRunningError = () =>
  new DomainError(
    'CONFLICT',
    'The batch is running. Pause it to edit its pages, or wait until it ends.',
  );
