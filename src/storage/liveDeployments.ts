import { type Kysely, type Selectable, sql } from 'kysely';
import { type PageBlob, replacePages } from './replacePages.ts';
import { DEPLOYMENT_DAYS } from './retention.ts';
import type { Schema } from './schema.ts';

/** How many pages a deployment changed, compared with the previous one. */
export interface ChangedPageCounts {
  created: number;
  modified: number;
  deleted: number;
}

/** A deployment of a site's live pages. Times are in ISO 8601, UTC. */
export interface DeploymentRecord {
  commit: string;
  /** The task that published it. null: not published by a task. */
  taskId: string | null;
  deployedAt: string;
  name: string;
  /** When the version that this deployment restores went live. null if it restores none. */
  restores: string | null;
  pages: ChangedPageCounts;
}

/** A commit that was live earlier. */
export interface PastDeployment extends DeploymentRecord {
  /** ISO 8601, UTC. */
  endedAt: string;
}

/** The last past deployment on a page of a list. The next page begins after it. */
export type PastDeploymentPosition = Pick<PastDeployment, 'endedAt' | 'commit'>;

/** A commit to make live. */
export interface LiveDeploymentChange extends Omit<DeploymentRecord, 'deployedAt'> {
  siteId: string;
  /** The commit that should be live before the change. null: none. */
  expected: string | null;
  /** The pages that differ from the currently live ones. */
  changed: PageBlob[];
}

export interface LiveDeployments {
  /** The commit that the live site shows. null before the first deployment. */
  live(siteId: string): Promise<DeploymentRecord | null>;
  /**
   * Makes `commit` live if `expected` is still live, and updates which published pages are live.
   * @returns false if another commit is live; then nothing changes
   */
  setLive(change: LiveDeploymentChange): Promise<boolean>;
  /** Deployments that ended less than 30 days ago, the latest first. */
  past(
    siteId: string,
    part: { after?: PastDeploymentPosition | undefined; limit: number },
  ): Promise<PastDeployment[]>;
  /** A commit whose deployment ended less than 30 days ago. null if there is none. */
  findPast(siteId: string, commit: string): Promise<PastDeployment | null>;
  /** Records a failed production deployment. */
  setFailed(failed: { siteId: string; commit: string; taskId: string }): Promise<void>;
}

const DAY = 24 * 60 * 60_000;

/** Records the current and past live commits of sites. */
export function createLiveDeployments(db: Kysely<Schema>): LiveDeployments {
  return {
    ...pastDeployments(db),

    async live(siteId) {
      const liveRow = await db
        .selectFrom('live_deployments')
        .selectAll()
        .where('site_id', '=', siteId)
        .executeTakeFirst();
      return liveRow ? presentFacts(liveRow) : null;
    },

    setLive: (change) =>
      db.transaction().execute(async (trx) => {
        if (!(await moveLive(trx, change))) return false;
        await replacePages(trx, change);
        return true;
      }),

    async setFailed({ siteId, commit, taskId }) {
      const failedColumns = { commit, task_id: taskId, failed_at: new Date() };
      await db
        .insertInto('failed_deployments')
        .values({ site_id: siteId, ...failedColumns })
        .onConflict((conflict) => conflict.column('site_id').doUpdateSet(failedColumns))
        .execute();
    },
  };
}

/**
 * Sets the live commit if the expected one is live. The replaced commit becomes a past deployment,
 * which is kept for 30 days from now.
 */
async function moveLive(
  db: Kysely<Schema>,
  { siteId, expected, ...change }: LiveDeploymentChange,
): Promise<boolean> {
  const { commit, taskId, name, restores, pages } = change;
  const liveColumns = {
    commit,
    task_id: taskId,
    deployed_at: new Date(),
    name,
    restores: restores === null ? null : new Date(restores),
    pages_created: pages.created,
    pages_modified: pages.modified,
    pages_deleted: pages.deleted,
  };
  if (expected === null) {
    const insertQuery = db
      .insertInto('live_deployments')
      .values({ site_id: siteId, ...liveColumns })
      .onConflict((conflict) => conflict.column('site_id').doNothing())
      .returning('site_id');
    return (await insertQuery.executeTakeFirst()) !== undefined;
  }
  const columns = ['site_id', 'commit', 'task_id', 'deployed_at', 'name', 'restores'] as const;
  const countColumns = ['pages_created', 'pages_modified', 'pages_deleted'] as const;
  const endedDeployment = await db
    .selectFrom('live_deployments')
    .select([...columns, ...countColumns])
    .where('site_id', '=', siteId)
    .where('commit', '=', expected)
    .forUpdate()
    .executeTakeFirst();
  if (!endedDeployment) return false;
  const { site_id, commit: endedCommit, ...deploymentColumns } = endedDeployment;
  const pastColumns = { ...deploymentColumns, ended_at: new Date() };
  await db
    .insertInto('past_deployments')
    .values({ site_id, commit: endedCommit, ...pastColumns })
    .onConflict((conflict) => conflict.columns(['site_id', 'commit']).doUpdateSet(pastColumns))
    .execute();
  await db.updateTable('live_deployments').set(liveColumns).where('site_id', '=', siteId).execute();
  return true;
}

function pastDeployments(db: Kysely<Schema>): Pick<LiveDeployments, 'past' | 'findPast'> {
  /**
   * Past deployments of the last 30 days. A row without `deployed_at` is for a commit that was
   * never live.
   */
  const keptDeployments = (siteId: string) =>
    db
      .selectFrom('past_deployments')
      .selectAll()
      .where('site_id', '=', siteId)
      .where('deployed_at', 'is not', null)
      .where('ended_at', '>', new Date(Date.now() - DEPLOYMENT_DAYS * DAY));

  return {
    async findPast(siteId, commit) {
      const row = await keptDeployments(siteId).where('commit', '=', commit).executeTakeFirst();
      return row ? presentPast(row) : null;
    },

    async past(siteId, { after, limit }) {
      const liveCommit = db
        .selectFrom('live_deployments')
        .select('commit')
        .where('site_id', '=', siteId);
      const isAfterPosition = sql<boolean>`(ended_at, commit) < (${after?.endedAt}::timestamptz, ${after?.commit})`;
      const rows = await keptDeployments(siteId)
        .where('commit', 'not in', liveCommit)
        .$if(after !== undefined, (query) => query.where(isAfterPosition))
        .orderBy('ended_at', 'desc')
        .orderBy('commit', 'desc')
        .limit(limit)
        .execute();
      return rows.map(presentPast);
    },
  };
}

type LiveRow = Selectable<Schema['live_deployments']>;

const presentFacts = (row: Omit<LiveRow, 'site_id'>): DeploymentRecord => ({
  commit: row.commit,
  taskId: row.task_id,
  deployedAt: row.deployed_at.toISOString(),
  name: row.name,
  restores: row.restores?.toISOString() ?? null,
  pages: { created: row.pages_created, modified: row.pages_modified, deleted: row.pages_deleted },
});

const presentPast = (row: Selectable<Schema['past_deployments']>): PastDeployment => ({
  ...presentFacts(row as LiveRow),
  endedAt: row.ended_at.toISOString(),
});
