import type { Kysely } from 'kysely';
import type { Schema } from './schema.ts';

interface RetentionOptions {
  /** Days to keep a result after its preview was created or last changed. Default: forever. */
  previewRetention?: number;
}

/** Decides how long tasks' results, and commits that were live, are kept. */
export interface ResultRetention {
  /**
   * Returns those of a site's tasks whose results have expired. If a task has no row, its time
   * starts now.
   */
  endedResults: (siteId: string, taskIds: string[]) => Promise<string[]>;
  /** Returns those of a site's tasks whose previews were deleted. */
  withdrawn(siteId: string, taskIds: string[]): Promise<string[]>;
  /**
   * Returns those commits that are live, or were live less than 30 days ago. If a commit has no
   * row, its 30 days start now.
   */
  keptDeployments(siteId: string, commits: string[]): Promise<Set<string>>;
  /**
   * When a clone may remove a task's result, given the time of the result's commit. Both in
   * milliseconds since 1970. The result itself expires earlier, counted from its preview.
   */
  resultEnds(committedAt: number): number;
}

const DAY = 24 * 60 * 60_000;
/** Days to keep a commit after it was live. */
export const DEPLOYMENT_DAYS = 30;
/**
 * Days added for the time between a commit and its preview: a task's work may be repeated for a
 * day.
 */
const WORK_DAYS = 2;
/**
 * Milliseconds added so that a task that was requested just before the end, and that needs the
 * result, is in the list of running tasks.
 */
const GRACE_MS = 2 * 60_000;

/** Makes the functions by which maintenance decides which refs of commits it may remove. */
export function createRetention(
  db: Kysely<Schema>,
  options: RetentionOptions = {},
): ResultRetention {
  const { previewRetention = Infinity } = options;
  const timeBefore = (milliseconds: number) => new Date(Math.max(0, Date.now() - milliseconds));

  return {
    async endedResults(siteId, taskIds) {
      if (taskIds.length === 0) return [];
      await addMissingTasks(db, siteId, taskIds, new Date());
      const shownPreviewRows = await db
        .selectFrom('preview_deployments')
        .select(['task_id', 'held_by'])
        .where('changed_at', '>', timeBefore(previewRetention * DAY + GRACE_MS))
        .where((where) =>
          where.or([where('task_id', 'in', taskIds), where('held_by', 'in', taskIds)]),
        )
        .execute();
      const keptTaskIds = new Set(
        shownPreviewRows.flatMap(({ task_id, held_by }) => [task_id, held_by]),
      );
      const ownPreviewRows = await db
        .selectFrom('preview_deployments')
        .select('task_id')
        .where('site_id', '=', siteId)
        .where('task_id', 'in', taskIds)
        .execute();
      return ownPreviewRows
        .map(({ task_id }) => task_id)
        .filter((taskId) => !keptTaskIds.has(taskId));
    },

    async withdrawn(siteId, taskIds) {
      if (taskIds.length === 0) return [];
      const deletedPreviews = await db
        .selectFrom('preview_deployments')
        .select('task_id')
        .where('site_id', '=', siteId)
        .where('task_id', 'in', taskIds)
        .where('deleted_at', 'is not', null)
        .execute();
      return deletedPreviews.map(({ task_id }) => task_id);
    },

    async keptDeployments(siteId, commits) {
      if (commits.length === 0) return new Set();
      const ended_at = new Date();
      await db
        .insertInto('past_deployments')
        .values(commits.map((commit) => ({ site_id: siteId, commit, ended_at })))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      const longAgo = timeBefore(2 * DEPLOYMENT_DAYS * DAY);
      await db
        .deleteFrom('past_deployments')
        .where('site_id', '=', siteId)
        .where('ended_at', '<', longAgo)
        .where('commit', 'not in', commits)
        .execute();
      await db
        .deleteFrom('publications')
        .where('site_id', '=', siteId)
        .where('published_at', '<', longAgo)
        .execute();
      const liveCommits = db
        .selectFrom('live_deployments')
        .select('commit')
        .where('site_id', '=', siteId);
      const pastCommits = db
        .selectFrom('past_deployments')
        .select('commit')
        .where('site_id', '=', siteId)
        .where('ended_at', '>', timeBefore(DEPLOYMENT_DAYS * DAY));
      const keptCommits = new Set(
        (await liveCommits.unionAll(pastCommits).execute()).map(({ commit }) => commit),
      );
      return new Set(commits.filter((commit) => keptCommits.has(commit)));
    },

    resultEnds: (committedAt) => committedAt + (previewRetention + WORK_DAYS) * DAY,
  };
}

/**
 * Adds rows for tasks without one: a task that failed after its commit, or an old task whose row
 * was removed.
 */
async function addMissingTasks(
  db: Kysely<Schema>,
  siteId: string,
  taskIds: string[],
  seenAt: Date,
): Promise<void> {
  const missingRow = {
    site_id: siteId,
    commit: null,
    held_by: null,
    changed_at: seenAt,
    deleted_at: null,
  };
  await db
    .insertInto('preview_deployments')
    .values(taskIds.map((task_id) => ({ ...missingRow, task_id })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
