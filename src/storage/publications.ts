import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Publication, PublicationReader } from '../contract/publication.ts';
import type { PageFile } from '../contract/site.ts';
import type { RowCache } from './rowCache.ts';
import type { PageBlob } from './replacePages.ts';
import type { Schema } from './schema.ts';

/*
 * Which tasks' results are live. A task's page counts as live as long as the live site has the same
 * content at its path, whatever was published after it.
 */

/** A page that went live, and whether it is live now. */
export type PublishedPage = PageFile & Pick<PageBlob, 'blob'> & { isLive: boolean };

/** What went live with a task. */
export interface PublishedResult {
  siteId: string;
  /** The task that published. */
  taskId: string;
  /** The commit that went live. */
  commit: string;
  pages: PublishedPage[];
  /** The commit that is live now. `isLive` of the pages refers to it. */
  live: string;
}

export interface Publications extends PublicationReader {
  /**
   * Records the results that went live with a task: its own, or the one that it published, and the
   * results of its base tasks if they were not live before. Repeatable.
   * @returns false if another commit is live; then nothing changes
   */
  record(published: PublishedResult): Promise<boolean>;
  /** The paths of all page files that went live on a site. */
  paths(siteId: string): Promise<string[]>;
}

/** Most tasks that are followed in a chain of base tasks. */
const MOST_TASKS = 100;

/**
 * Makes the store of publications.
 * @param cache for `known`. Each change clears all of it, since a task's pages may replace those of
 * any other task.
 */
export function createPublications(
  db: Kysely<Schema>,
  cache: RowCache<Publication | null>,
): Publications {
  async function of(taskIds: string[]) {
    if (taskIds.length === 0) return new Map<string, Publication>();
    const rows = await publicationRows(db, taskIds);
    return new Map(rows.map(({ task_id, ...row }) => [task_id, presentPublication(row)]));
  }

  async function readAll(taskIds: string[]): Promise<(Publication | null)[]> {
    const foundPublications = await of(taskIds);
    return taskIds.map((taskId) => foundPublications.get(taskId) ?? null);
  }

  return {
    of,

    known: async (taskIds) =>
      (await cache.getAll(taskIds, readAll)).map((publication) => publication ?? null),

    async record({ siteId, taskId, commit, pages, live: liveCommit }) {
      const recordedTask = await sql`
        with recursive here as materialized (
          select task_id from live_deployments where site_id = ${siteId}::uuid and commit = ${liveCommit} for share
        ), own as (
          select task_id, held_by, commit, base from preview_deployments where task_id = ${taskId}
        ), below (task_id, result, onto, base, depth) as (
          select p.task_id, own.commit, p.onto, p.base, 0
          from own join preview_deployments p on p.task_id = own.held_by
          union all
          select p.task_id, b.base, p.onto, p.base, b.depth + 1
          from below b join preview_deployments p on p.task_id = b.onto
          where b.depth < ${MOST_TASKS} and not exists (select from publications q where q.task_id = p.task_id)
        ), with_it as (
          select task_id, base, result from below union select task_id, base, commit from own
        ), went as (
          insert into publications (task_id, site_id, published_by, base, result, commit, published_at)
          select task_id, ${siteId}::uuid, ${taskId}::text, base, result, ${commit}::text, now() from with_it
          where exists (select from here)
          on conflict (task_id) do update set (published_by, base, result, commit, published_at) =
            (excluded.published_by, excluded.base, excluded.result, excluded.commit, excluded.published_at)
          where publications.published_by <> excluded.published_by
        ), shown as (
          insert into published_pages (published_by, site_id, path, slug, blob, replaced_at, replaced_by)
          select ${taskId}::text, ${siteId}::uuid, page.path, page.slug, page.blob,
            case when page."isLive" then null else now() end,
            case when page."isLive" then null else (select task_id from here) end
          from jsonb_to_recordset(${JSON.stringify(pages)}::jsonb)
            as page (path text, slug text, blob text, "isLive" boolean)
          where exists (select from here) and exists (select from own)
          on conflict (published_by, path) do update set (blob, replaced_at, replaced_by) =
            (excluded.blob, excluded.replaced_at, excluded.replaced_by)
        )
        select task_id from here`.execute(db);
      cache.forget();
      return recordedTask.rows.length > 0;
    },

    async paths(siteId) {
      const rows = await db
        .selectFrom('published_pages')
        .select('path')
        .distinct()
        .where('site_id', '=', siteId)
        .execute();
      return rows.map(({ path }) => path);
    },
  };
}

const slugsWhere = (condition: RawBuilder<unknown>) =>
  sql<string[] | null>`array_agg(page.slug order by page.slug) filter (where ${condition})`;

type PublicationRow = Awaited<ReturnType<typeof publicationRows>>[number];

const publicationRows = (db: Kysely<Schema>, taskIds: string[]) =>
  db
    .selectFrom('publications as own')
    .leftJoin('published_pages as page', 'page.published_by', 'own.published_by')
    .select([
      'own.task_id',
      'own.published_at',
      'own.published_by',
      'own.commit',
      'own.base',
      'own.result',
    ])
    .select([
      slugsWhere(sql`page.replaced_at is null and page.slug is not null`).as('live'),
      slugsWhere(sql`page.replaced_at is not null`).as('replaced'),
    ])
    .select(sql<Date | null>`max(page.replaced_at)`.as('replaced_at'))
    .select(
      sql<
        string | null
      >`(array_agg(page.replaced_by order by page.replaced_at desc) filter (where page.replaced_at is not null))[1]`.as(
        'replaced_by',
      ),
    )
    .where('own.task_id', 'in', taskIds)
    .groupBy('own.task_id')
    .execute();

/** A page counts as live only if none of its files was replaced. A moved page has two files. */
function presentPublication(row: Omit<PublicationRow, 'task_id'>): Publication {
  const replacedSlugs = [...new Set(row.replaced)];
  return {
    publishedAt: row.published_at.toISOString(),
    publishedBy: row.published_by,
    commit: row.commit,
    base: row.base,
    result: row.result,
    live: [...new Set(row.live)].filter((slug) => !replacedSlugs.includes(slug)),
    replaced: replacedSlugs,
    replacedAt: row.replaced_at?.toISOString() ?? null,
    replacedBy: row.replaced_by,
  };
}
