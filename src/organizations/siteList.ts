import { type InferResult, type Kysely, sql } from 'kysely';
import type { Site } from '../contract/site.ts';
import type { Schema } from '../storage/schema.ts';
import { presentSite, sitesIn } from './sites.ts';
import { isUuid } from './uuid.ts';

/** A site, whether it is live, and its latest production deployment. */
export interface ListedSite extends Site {
  /** Whether its live URL shows anything. */
  isLive: boolean;
  /** The latest production deployment, also a failed one; null before the first one. */
  deployment: SiteDeployment | null;
}

/** A deployment to a site's live URL. */
export interface SiteDeployment {
  /** After `failed`, the previous deployment is still live. */
  state: 'live' | 'failed';
  commit: string;
  /**
   * The task that published it. null if the site's registration or an operator deployed it.
   */
  taskId: string | null;
  /** ISO 8601, UTC. */
  at: string;
}

/** The name and id of the last site of the previous page. */
export type SitePosition = [name: string, siteId: string];

export interface SiteList {
  /** A page of an organization's sites by name, and whether there are more. */
  list(
    organizationId: string,
    part: { after?: SitePosition; limit: number },
  ): Promise<{ sites: ListedSite[]; more: boolean }>;
  /** One site; null for an unknown site and for another organization's. */
  find(organizationId: string, siteId: string): Promise<ListedSite | null>;
}

/** Lists sites with their latest production deployments. */
export function createSiteList(db: Kysely<Schema>): SiteList {
  return {
    async list(organizationId, { after, limit }) {
      const isAfterPosition = sql<boolean>`(sites.name, sites.id) > (${after?.[0]}, ${after?.[1]}::uuid)`;
      const rows = await listedSiteRows(db, organizationId)
        .$if(after !== undefined, (query) => query.where(isAfterPosition))
        .orderBy('sites.name')
        .orderBy('sites.id')
        .limit(limit + 1)
        .execute();
      return { sites: rows.slice(0, limit).map(presentListedSite), more: rows.length > limit };
    },

    async find(organizationId, siteId) {
      if (!isUuid(siteId)) return null;
      const siteQuery = listedSiteRows(db, organizationId);
      const row = await siteQuery.where('sites.id', '=', siteId).executeTakeFirst();
      return row ? presentListedSite(row) : null;
    },
  };
}

const listedSiteRows = (db: Kysely<Schema>, organizationId: string) =>
  sitesIn(db)
    .leftJoin('live_deployments as live', 'live.site_id', 'sites.id')
    .leftJoin('failed_deployments as failed', 'failed.site_id', 'sites.id')
    .select(['live.commit', 'live.task_id', 'live.deployed_at'])
    .select([
      'failed.commit as failed_commit',
      'failed.task_id as failed_task_id',
      'failed.failed_at',
    ])
    .where('sites.organization_id', '=', organizationId);

type ListedSiteRow = InferResult<ReturnType<typeof listedSiteRows>>[number];

const presentListedSite = (siteRow: ListedSiteRow): ListedSite => ({
  ...presentSite(siteRow),
  isLive: siteRow.commit !== null,
  deployment: latestDeployment(siteRow),
});

function latestDeployment({
  commit,
  task_id,
  deployed_at,
  ...failedColumns
}: ListedSiteRow): SiteDeployment | null {
  const { failed_commit, failed_task_id: taskId, failed_at: failedAt } = failedColumns;
  if (failed_commit !== null && failedAt && (!deployed_at || failedAt > deployed_at))
    return { state: 'failed', commit: failed_commit, taskId, at: failedAt.toISOString() };
  if (commit === null || !deployed_at) return null;
  return { state: 'live', commit, taskId: task_id, at: deployed_at.toISOString() };
}
