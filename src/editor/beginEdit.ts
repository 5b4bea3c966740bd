import type { Creator } from '../contract/creator.ts';
import type { EditWork } from '../contract/task.ts';
import { applyContentChange } from './applyContentChange.ts';
import { signVersion } from './commitVersion.ts';
import { type CurrentPageDeps, readCurrentPage } from './currentPage.ts';
import type { EditableTask } from './editableTask.ts';
import type { ContentChange } from './protocol.ts';

/** The first edit of a page of a site, which becomes a task. */
export interface FirstEdit {
  /** The id of the task that will show the edit. */
  taskId: string;
  change: ContentChange;
  /** null: somebody with a link. */
  by: Creator | null;
}

/**
 * Commits an edit of a page of the site after the production branch's head, on the hidden ref of a
 * task that does not exist yet. Opening a page commits nothing, so a page that nobody changes
 * leaves no task.
 * @returns the work of the task to start; null if the page already has the change
 * @throws DomainError as `readCurrentPage` and `applyContentChange`; PUSH_REFUSED, GIT_FAILED
 */
export async function beginEdit(
  deps: CurrentPageDeps,
  sitePage: EditableTask,
  { slug, taskId, change, by }: FirstEdit & { slug: string },
): Promise<EditWork | null> {
  const current = await readCurrentPage(deps, sitePage, slug);
  const { page, repository, commit: base } = current;
  const source = await applyContentChange(deps.pages, current, change);
  if (source === page.source) return null;
  const commit = await repository.commitEdit({
    ...signVersion({ taskId }, current, { by }),
    parent: base,
    isFirst: true,
    changes: [{ path: page.path, content: source }],
    message: `Edit ${slug} by hand`,
  });
  // an equal request was interrupted after its push
  const edited = commit ?? (await repository.fetchResult({ commit: base, retainedBy: taskId }));
  return { type: 'edit', page: { slug, path: page.path }, base, commit: edited };
}
