import type { BatchStore } from '../contract/batches/batchStore.ts';
import type { Creator } from '../contract/creator.ts';
import { creatorIds } from '../contract/creator.ts';
import type { VersionDetails } from '../contract/versions.ts';
import { DomainError } from '../errors.ts';
import type { EditCommit } from '../sites/git/repository.ts';
import type { CurrentPageDeps, CurrentResult } from './currentPage.ts';
import { batchRunningError, type EditableTask } from './editableTask.ts';

export interface VersionDeps extends CurrentPageDeps {
  batches: Pick<BatchStore, 'edit'>;
}

/** What makes a new version of a task's result. */
export interface NewVersion extends Pick<EditCommit, 'changes' | 'message'> {
  /** The slugs of the pages that change. */
  slugs: string[];
  /** null: somebody with a link. */
  by: Creator | null;
  /** Absent for an edit by hand. */
  version?: VersionDetails;
}

/** The fields of a version's commit that say who made it, for which task, and when. */
export function signVersion(
  { taskId }: Pick<EditableTask, 'taskId'>,
  { site }: Pick<CurrentResult, 'site'>,
  { by, version }: Pick<NewVersion, 'by' | 'version'>,
) {
  const { userId, keyId } = creatorIds(by);
  return {
    taskId,
    author: site.author,
    createdAt: new Date().toISOString(),
    editor: userId ?? undefined,
    version: version && { ...version, ...(keyId !== null && { keyId }) },
  };
}

/**
 * Commits a version after the current one, on the hidden ref of the task or batch. For pages of a
 * batch, the database records the change before and after the commit, because a run of the batch
 * may start in between.
 * @returns the commit; null if another version came first
 * @throws DomainError CONFLICT if the batch runs; PUSH_REFUSED, GIT_FAILED
 */
export async function commitVersion(
  batches: Pick<BatchStore, 'edit'>,
  task: EditableTask,
  current: CurrentResult,
  { changes, message, slugs, ...signature }: NewVersion,
): Promise<string | null> {
  const recordEdits = async () => {
    for (const rowNumber of rowNumbersOf(task, slugs))
      if (!(await batches.edit(task.taskId, rowNumber))) throw batchRunningError();
  };
  await recordEdits();
  const commit = await current.repository.commitEdit({
    ...signVersion(task, current, signature),
    parent: current.commit,
    changes,
    message,
  });
  if (commit !== null) await recordEdits();
  return commit;
}

function rowNumbersOf({ row, rows }: EditableTask, slugs: string[]): number[] {
  if (row) return [row.number];
  return rows ? slugs.flatMap((slug) => rows.get(slug) ?? []) : [];
}

const ATTEMPTS = 5;

/**
 * Repeats the work while other versions come first. Each attempt must read the result again.
 * @param attempt returns null if another version came first
 * @throws DomainError CONFLICT if others were faster each time
 */
export async function repeatVersion<T>(attempt: () => Promise<T | null>): Promise<T> {
  for (let count = 0; count < ATTEMPTS; count++) {
    const outcome = await attempt();
    if (outcome !== null) return outcome;
  }
  throw new DomainError(
    'CONFLICT',
    'Others changed the result at the same time. Read its versions, then try again',
    { retryable: true },
  );
}
