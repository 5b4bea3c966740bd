import type { Kysely } from 'kysely';
import type { ResultCommit } from '../contract/site.ts';
import type { Schema } from './schema.ts';

export interface LiveDeployment {
  commit: string;
  taskId: string | null;
  /** ISO 8601, UTC. */
  deployedAt: string;
}

/** `heldBy` differs from the preview's task if that task publishes the other's result. */
export interface PreviewDeployment extends ResultCommit {
  siteId: string;
}

export interface Deployments {
  /** The commit that the site shows at its live address, null before its first deployment. */
  live(siteId: string): Promise<LiveDeployment | null>;
  /**
   * Makes `commit` the live one if `expected` still is (null: if there is none).
   * @returns false where another commit is live, and nothing was changed
   */
  setLive(change: { siteId: string; commit: string; taskId: string | null; expected: string | null }): Promise<boolean>;
  /** The commit that a task's preview shows, and its site; null without a preview. */
  preview(taskId: string): Promise<PreviewDeployment | null>;
  /** Makes a commit visible as a task's preview. May be repeated. */
  setPreview(preview: PreviewDeployment & { taskId: string }): Promise<void>;
  /**
   * Lets a task's preview show `commit` if it still shows `expected`.
   * @returns false where it shows another one, and nothing was changed
   */
  movePreview(change: { taskId: string; commit: string; expected: string }): Promise<boolean>;
}

/** Which commits the embedded host shows (design.md, Hosting: a deployment is a commit). */
export function createDeployments(db: Kysely<Schema>): Deployments {
  return {
    async live(siteId) {
      const row = await db.selectFrom('live_deployments').selectAll().where('site_id', '=', siteId).executeTakeFirst();
      return row ? { commit: row.commit, taskId: row.task_id, deployedAt: row.deployed_at.toISOString() } : null;
    },

    async setLive({ siteId, commit, taskId, expected }) {
      const values = { commit, task_id: taskId, deployed_at: new Date() };
      const changed =
        expected === null
          ? db
              .insertInto('live_deployments')
              .values({ site_id: siteId, ...values })
              .onConflict((conflict) => conflict.column('site_id').doNothing())
              .returning('site_id')
          : db
              .updateTable('live_deployments')
              .set(values)
              .where('site_id', '=', siteId)
              .where('commit', '=', expected)
              .returning('site_id');
      return (await changed.executeTakeFirst()) !== undefined;
    },

    async preview(taskId) {
      const row = await db
        .selectFrom('preview_deployments')
        .select(['site_id', 'commit', 'held_by'])
        .where('task_id', '=', taskId)
        .executeTakeFirst();
      return row ? { siteId: row.site_id, commit: row.commit, heldBy: row.held_by ?? taskId } : null;
    },

    async setPreview({ siteId, taskId, commit, heldBy }) {
      const values = { site_id: siteId, commit, held_by: heldBy };
      await db
        .insertInto('preview_deployments')
        .values({ task_id: taskId, ...values })
        .onConflict((conflict) => conflict.column('task_id').doUpdateSet(values))
        .execute();
    },

    async movePreview({ taskId, commit, expected }) {
      const moved = db
        .updateTable('preview_deployments')
        .set({ commit })
        .where('task_id', '=', taskId)
        .where('commit', '=', expected)
        .returning('task_id');
      return (await moved.executeTakeFirst()) !== undefined;
    },
  };
}
