import type { Kysely } from 'kysely';
import type { Schema } from './schema.ts';

interface RetentionOptions {
  /** Days that a result is kept after its preview was made or last changed. Default: for ever. */
  previewRetention?: number;
  /** Milliseconds since 1970. */
  now?: () => number;
}

/** Decides how long results of tasks, and commits that were live, are kept. */
export interface Retention {
  /**
   * The site's tasks among these whose results have expired. For a task without a row, the time
   * starts now.
   */
  endedResults: (siteId: string, taskIds: string[]) => Promise<string[]>;
  /**
   * The commits among these that are live, or were less than 30 days ago. For a commit without a
   * row, the time starts now.
   */
  keptDeployments(siteId: string, commits: string[]): Promise<Set<string>>;
  /**
   * When machines may forget a task's result, from the time of its commit; both in milliseconds
   * since 1970. The result itself expires earlier, counted from its preview.
   */
  resultEnds(committedAt: number): number;
}

const DAY = 24 * 60 * 60_000;
/** Days that a commit is kept after it was live. */
export const DEPLOYMENT_DAYS = 30;
/** Between a commit and its preview, a task's work may be repeated for a day. */
const WORK_DAYS = 2;
/** Time for a request that was accepted just before the end to appear in the list of tasks. */
const GRACE_MS = 2 * 60_000;

export function createRetention(db: Kysely<Schema>, options: RetentionOptions = {}): Retention {
  const { previewRetention = Infinity, now = Date.now } = options;
  const before = (ms: number) => new Date(Math.max(0, now() - ms));

  return {
    async endedResults(siteId, taskIds) {
      if (taskIds.length === 0) return [];
      await seeTasks(db, siteId, taskIds, new Date(now()));
      const shown = await db
        .selectFrom('preview_deployments')
        .select(['task_id', 'held_by'])
        .where('changed_at', '>', before(previewRetention * DAY + GRACE_MS))
        .where((where) =>
          where.or([where('task_id', 'in', taskIds), where('held_by', 'in', taskIds)]),
        )
        .execute();
      const kept = new Set(shown.flatMap(({ task_id, held_by }) => [task_id, held_by]));
      const own = await db
        .selectFrom('preview_deployments')
        .select('task_id')
        .where('site_id', '=', siteId)
        .where('task_id', 'in', taskIds)
        .execute();
      return own.map(({ task_id }) => task_id).filter((taskId) => !kept.has(taskId));
    },

    async keptDeployments(siteId, commits) {
      if (commits.length === 0) return new Set();
      const ended_at = new Date(now());
      await db
        .insertInto('past_deployments')
        .values(commits.map((commit) => ({ site_id: siteId, commit, ended_at })))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      const longAgo = before(2 * DEPLOYMENT_DAYS * DAY);
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
      const live = db.selectFrom('live_deployments').select('commit').where('site_id', '=', siteId);
      const past = db
        .selectFrom('past_deployments')
        .select('commit')
        .where('site_id', '=', siteId)
        .where('ended_at', '>', before(DEPLOYMENT_DAYS * DAY));
      const kept = new Set((await live.unionAll(past).execute()).map(({ commit }) => commit));
      return new Set(commits.filter((commit) => kept.has(commit)));
    },

    resultEnds: (committedAt) => committedAt + (previewRetention + WORK_DAYS) * DAY,
  };
}

/** Adds missing rows: a task that failed after its commit has none, an old task's is deleted. */
async function seeTasks(
  db: Kysely<Schema>,
  siteId: string,
  taskIds: string[],
  seenAt: Date,
): Promise<void> {
  const row = {
    site_id: siteId,
    commit: null,
    held_by: null,
    changed_at: seenAt,
    deleted_at: null,
  };
  await db
    .insertInto('preview_deployments')
    .values(taskIds.map((task_id) => ({ ...row, task_id })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
