import { type Kysely, type Selectable, sql } from 'kysely';
import type { Preview, ResultCommit } from '../contract/site.ts';
import type { Changes } from './changes.ts';
import { createKept } from './kept.ts';
import { DEPLOYMENT_DAYS } from './retention.ts';
import type { Schema } from './schema.ts';

export interface LiveDeployment {
  commit: string;
  taskId: string | null;
  /** ISO 8601, UTC. */
  deployedAt: string;
}

/** A commit that was live. Both are null where that is not known. */
export interface PastDeployment {
  commit: string;
  taskId: string | null;
  deployedAt: string | null;
  /** ISO 8601, UTC. */
  endedAt: string;
}

/** Where a list of past deployments goes on: after this one. */
export type PastPlace = Pick<PastDeployment, 'endedAt' | 'commit'>;

/** `heldBy` differs from the preview's task if that task publishes the other's result. */
export interface PreviewDeployment extends ResultCommit {
  siteId: string;
}

export interface DeploymentOptions {
  /** Days that a preview is shown after it was made or last changed. Default: without end. */
  previewRetention?: number;
  /** Milliseconds since 1970. */
  now?: () => number;
  /** Where they are heard, `knownPreview` answers from the rows of the last 5 s that did not change. */
  changes?: Changes;
}

const DAY = 24 * 60 * 60_000;
/** Days that a preview's row stays at least: tasks can be read for 30, and work for 1. */
const KEPT_DAYS = 35;
const REMOVED_AT_ONCE = 100;

export interface Deployments {
  /** The commit that the site shows at its live address, null before its first deployment. */
  live(siteId: string): Promise<LiveDeployment | null>;
  /**
   * Makes `commit` the live one if `expected` still is (null: if there is none).
   * @returns false where another commit is live, and nothing was changed
   */
  setLive(change: { siteId: string; commit: string; taskId: string | null; expected: string | null }): Promise<boolean>;
  /** Those that were live until less than 30 days ago, and are not live now: the last one first. */
  past(siteId: string, part: { after?: PastPlace | undefined; limit: number }): Promise<PastDeployment[]>;
  /** Whether a commit is among the past ones. */
  wasLive(siteId: string, commit: string): Promise<boolean>;
  /** Records that a production deployment failed. */
  setFailed(failed: { siteId: string; commit: string; taskId: string }): Promise<void>;
  /** The commit that a task's preview shows or showed last, and its site; null without a preview. */
  preview(taskId: string): Promise<(PreviewDeployment & Preview) | null>;
  /** The same for what only tells of the preview: a moment ago another process may have changed it. */
  knownPreview(taskId: string): Promise<(PreviewDeployment & Preview) | null>;
  /** Makes a commit visible as a task's preview. May be repeated. A preview that was deleted stays so. */
  setPreview(preview: PreviewDeployment & { taskId: string }): Promise<void>;
  /** Ends a task's preview, also one that a late step of the task would still make. May be repeated. */
  removePreview(preview: { siteId: string; taskId: string }): Promise<void>;
  /**
   * Lets a task's preview show `commit` if it still shows `expected`.
   * @returns false where it shows another one, and nothing was changed
   */
  movePreview(change: { taskId: string; commit: string; expected: string }): Promise<boolean>;
}

/** Which commits the embedded host shows (design.md, Hosting: a deployment is a commit). */
export function createDeployments(db: Kysely<Schema>, options: DeploymentOptions = {}): Deployments {
  return { ...liveDeployments(db), ...pastDeployments(db), ...previewDeployments(db, options) };
}

function liveDeployments(db: Kysely<Schema>): Pick<Deployments, 'live' | 'setLive' | 'setFailed'> {
  async function live(siteId: string): Promise<LiveDeployment | null> {
    const row = await db.selectFrom('live_deployments').selectAll().where('site_id', '=', siteId).executeTakeFirst();
    return row ? { commit: row.commit, taskId: row.task_id, deployedAt: row.deployed_at.toISOString() } : null;
  }

  return {
    live,

    async setLive({ siteId, commit, taskId, expected }) {
      const values = { commit, task_id: taskId, deployed_at: new Date() };
      const before = expected === null ? null : await live(siteId);
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
      const isChanged = (await changed.executeTakeFirst()) !== undefined;
      if (isChanged && expected !== null)
        await endDeployment(db, siteId, before?.commit === expected ? before : { commit: expected });
      return isChanged;
    },

    async setFailed({ siteId, commit, taskId }) {
      const values = { commit, task_id: taskId, failed_at: new Date() };
      await db
        .insertInto('failed_deployments')
        .values({ site_id: siteId, ...values })
        .onConflict((conflict) => conflict.column('site_id').doUpdateSet(values))
        .execute();
    },
  };
}

function pastDeployments(db: Kysely<Schema>): Pick<Deployments, 'past' | 'wasLive'> {
  /** Those whose commits are kept still. */
  const kept = () =>
    db.selectFrom('past_deployments').where('ended_at', '>', new Date(Date.now() - DEPLOYMENT_DAYS * DAY));

  return {
    async wasLive(siteId, commit) {
      const found = await kept()
        .select('commit')
        .where('site_id', '=', siteId)
        .where('commit', '=', commit)
        .executeTakeFirst();
      return found !== undefined;
    },

    async past(siteId, { after, limit }) {
      const shown = db.selectFrom('live_deployments').select('commit').where('site_id', '=', siteId);
      const place = sql<boolean>`(ended_at, commit) < (${after?.endedAt}::timestamptz, ${after?.commit})`;
      const rows = await kept()
        .selectAll()
        .where('site_id', '=', siteId)
        .where('commit', 'not in', shown)
        .$if(after !== undefined, (query) => query.where(place))
        .orderBy('ended_at', 'desc')
        .orderBy('commit', 'desc')
        .limit(limit)
        .execute();
      return rows.map((row) => ({
        ...{ commit: row.commit, taskId: row.task_id, endedAt: row.ended_at.toISOString() },
        deployedAt: row.deployed_at?.toISOString() ?? null,
      }));
    },
  };
}

/** From now on it counts how long the commit is kept. */
async function endDeployment(
  db: Kysely<Schema>,
  siteId: string,
  { commit, taskId = null, deployedAt }: Pick<LiveDeployment, 'commit'> & Partial<LiveDeployment>,
): Promise<void> {
  const deployed_at = deployedAt === undefined ? null : new Date(deployedAt);
  const ended = { ended_at: new Date(), task_id: taskId, deployed_at };
  await db
    .insertInto('past_deployments')
    .values({ site_id: siteId, commit, ...ended })
    .onConflict((conflict) => conflict.columns(['site_id', 'commit']).doUpdateSet(ended))
    .execute();
}

function previewDeployments(
  db: Kysely<Schema>,
  { previewRetention = Infinity, now = Date.now, changes }: DeploymentOptions,
): Omit<Deployments, 'live' | 'setLive' | 'setFailed' | 'past' | 'wasLive'> {
  const kept = createKept<PreviewRow>('preview_deployments', changes);
  const daysAgo = (days: number) => daysBefore(now(), days);
  const find = (taskId: string): Promise<PreviewRow | undefined> =>
    db.selectFrom('preview_deployments').selectAll().where('task_id', '=', taskId).executeTakeFirst();

  function present(row: PreviewRow | undefined) {
    if (!row?.commit || row.held_by === null) return null;
    const isKept = row.changed_at > daysAgo(previewRetention);
    const isShown = isKept && row.deleted_at === null;
    const held = { siteId: row.site_id, commit: row.commit, heldBy: row.held_by };
    return { ...held, isShown, ...(!isKept && { isGone: true as const }) };
  }

  return {
    preview: async (taskId) => present(await find(taskId)),
    knownPreview: async (taskId) => present(await kept.get(taskId, () => find(taskId))),

    async setPreview({ siteId, taskId, commit, heldBy }) {
      await removeOldPreviews(db, daysAgo(Math.max(previewRetention, KEPT_DAYS)));
      const values = { site_id: siteId, commit, held_by: heldBy, changed_at: new Date(now()) };
      await db
        .insertInto('preview_deployments')
        .values({ task_id: taskId, ...values })
        .onConflict((conflict) => conflict.column('task_id').doUpdateSet(values))
        .execute();
      kept.forget(taskId);
    },

    async removePreview({ siteId, taskId }) {
      const deletion = { deleted_at: new Date(now()) };
      const neverMade = { task_id: taskId, site_id: siteId, commit: null, held_by: null, changed_at: new Date(now()) };
      await db
        .insertInto('preview_deployments')
        .values({ ...neverMade, ...deletion })
        .onConflict((conflict) =>
          conflict.column('task_id').doUpdateSet(deletion).where('preview_deployments.deleted_at', 'is', null),
        )
        .execute();
      kept.forget(taskId);
    },

    async movePreview({ taskId, commit, expected }) {
      const moved = db
        .updateTable('preview_deployments')
        .set({ commit, changed_at: new Date(now()) })
        .where('task_id', '=', taskId)
        .where('commit', '=', expected)
        .returning('task_id');
      const isMoved = (await moved.executeTakeFirst()) !== undefined;
      kept.forget(taskId);
      return isMoved;
    },
  };
}

/** Tasks whose previews are shown at this time, as `preview` says it. */
export const shownPreviews = (db: Kysely<Schema>, at: Date, previewRetention = Infinity) =>
  db
    .selectFrom('preview_deployments')
    .select('task_id')
    .where('commit', 'is not', null)
    .where('deleted_at', 'is', null)
    .where('changed_at', '>', daysBefore(at.getTime(), previewRetention));

const daysBefore = (at: number, days: number) => new Date(Math.max(0, at - days * DAY));

type PreviewRow = Selectable<Schema['preview_deployments']>;

/** Each new preview removes some rows that nothing asks for any more. Processes leave each other's rows alone. */
async function removeOldPreviews(db: Kysely<Schema>, before: Date): Promise<void> {
  const old = db
    .selectFrom('preview_deployments')
    .select('task_id')
    .where('changed_at', '<', before)
    .limit(REMOVED_AT_ONCE)
    .forUpdate()
    .skipLocked();
  await db.deleteFrom('preview_deployments').where('task_id', 'in', old).execute();
}
