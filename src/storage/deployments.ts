import type { Kysely, Selectable } from 'kysely';
import type { Publication } from '../contract/publication.ts';
import type { TaskPreview, ResultCommit } from '../contract/site.ts';
import type { RowChanges } from './rowChanges.ts';
import { createRowCache } from './rowCache.ts';
import { createLiveDeployments, type LiveDeployments } from './liveDeployments.ts';
import { createPublications, type Publications } from './publications.ts';
import type { Schema } from './schema.ts';

/**
 * The commit of a preview. `retainedBy` is another task if the preview's task publishes that task's
 * result.
 */
export interface PreviewDeployment extends ResultCommit {
  siteId: string;
}

/** A preview to create. */
export interface NewPreview extends PreviewDeployment {
  taskId: string;
  /** The commit that the work began from. */
  base: string;
  /** The base task: the other task whose result `base` is, if there is one. */
  baseTaskId?: string | undefined;
}

export interface DeploymentOptions {
  /** Days that a preview stays available after it was created or last changed. Default: forever. */
  previewRetention?: number;
  /** Reports changes of rows. With it, `known…` methods cache rows until they change. */
  changes?: RowChanges;
}

const DAY = 24 * 60 * 60_000;
/**
 * Minimum days to keep a preview's row. Tasks run for 1 day at most, and can be read for 30 days.
 */
const KEPT_DAYS = 35;
const REMOVED_AT_ONCE = 100;

/** The commits of previews and live sites, and the published results. */
export interface Deployments extends LiveDeployments {
  publications: Publications;
  /** The commit that a task's preview shows, or showed last. null if the task has no preview. */
  preview(taskId: string): Promise<(PreviewDeployment & TaskPreview) | null>;
  /** Like `preview`, but cached: it may miss a change that another process just made. */
  knownPreview(taskId: string): Promise<(PreviewDeployment & TaskPreview) | null>;
  /** Sets the commit that a task's preview shows. Repeatable. A deleted preview stays deleted. */
  setPreview(preview: NewPreview): Promise<void>;
  /** Deletes a task's preview. A later activity of the task can't show it again. Repeatable. */
  removePreview(preview: { siteId: string; taskId: string }): Promise<void>;
  /**
   * Sets the commit that a task's preview shows, if it still shows `expected`.
   * @returns false if it shows another commit; then nothing changes
   */
  movePreview(change: { taskId: string; commit: string; expected: string }): Promise<boolean>;
  /**
   * Records that a task's result contains a later version of its base task's result. A publish of
   * the task then puts that version live. Repeatable.
   */
  setPreviewBase(change: { taskId: string; baseTaskId: string; base: string }): Promise<void>;
}

/**
 * Makes the store of previews, live deployments and publications. The embedded host serves files
 * straight from git, so a deployment is only a row with the id of a commit.
 */
export function createDeployments(
  db: Kysely<Schema>,
  options: DeploymentOptions = {},
): Deployments {
  const publicationCache = createRowCache<Publication | null>('published_pages', options.changes);
  const liveDeployments = createLiveDeployments(db);
  return {
    ...liveDeployments,
    setLive: (change) => liveDeployments.setLive(change).finally(() => publicationCache.forget()),
    ...previewDeployments(db, options),
    publications: createPublications(db, publicationCache),
  };
}

function previewDeployments(
  db: Kysely<Schema>,
  { previewRetention = Infinity, changes }: DeploymentOptions,
): Omit<Deployments, keyof LiveDeployments | 'publications'> {
  const previewCache = createRowCache<PreviewRow | null>('preview_deployments', changes);
  const daysAgo = (days: number) => daysBefore(Date.now(), days);
  const findPreview = (taskId: string): Promise<PreviewRow | undefined> =>
    db
      .selectFrom('preview_deployments')
      .selectAll()
      .where('task_id', '=', taskId)
      .executeTakeFirst();

  function present(row: PreviewRow | null | undefined) {
    if (!row?.commit || row.held_by === null) return null;
    const isKept = row.changed_at > daysAgo(previewRetention);
    const isShown = isKept && row.deleted_at === null;
    const retainedCommit = { siteId: row.site_id, commit: row.commit, retainedBy: row.held_by };
    const base = row.base ?? undefined;
    return { ...retainedCommit, base, isShown, ...(!isKept && { isGone: true as const }) };
  }

  return {
    preview: async (taskId) => present(await findPreview(taskId)),
    knownPreview: async (taskId) =>
      present(await previewCache.get(taskId, async () => (await findPreview(taskId)) ?? null)),

    async setPreview({ siteId, taskId, commit, retainedBy, base, baseTaskId = null }) {
      await removeOldPreviews(db, daysAgo(Math.max(previewRetention, KEPT_DAYS)));
      const previewColumns = {
        site_id: siteId,
        commit,
        held_by: retainedBy,
        base,
        onto: baseTaskId,
        changed_at: new Date(),
      };
      await db
        .insertInto('preview_deployments')
        .values({ task_id: taskId, ...previewColumns })
        .onConflict((conflict) => conflict.column('task_id').doUpdateSet(previewColumns))
        .execute();
      previewCache.forget(taskId);
    },

    async removePreview({ siteId, taskId }) {
      const deleted_at = new Date();
      await db
        .insertInto('preview_deployments')
        .values({
          task_id: taskId,
          site_id: siteId,
          commit: null,
          held_by: null,
          changed_at: deleted_at,
          deleted_at,
        })
        .onConflict((conflict) =>
          conflict
            .column('task_id')
            .doUpdateSet({ deleted_at })
            .where('preview_deployments.deleted_at', 'is', null),
        )
        .execute();
      previewCache.forget(taskId);
    },

    async movePreview({ taskId, commit, expected }) {
      const moveQuery = db
        .updateTable('preview_deployments')
        .set({ commit, changed_at: new Date() })
        .where('task_id', '=', taskId)
        .where('commit', '=', expected)
        .returning('task_id');
      const isMoved = (await moveQuery.executeTakeFirst()) !== undefined;
      previewCache.forget(taskId);
      return isMoved;
    },

    async setPreviewBase({ taskId, baseTaskId, base }) {
      await db
        .updateTable('preview_deployments')
        .set({ base })
        .where('task_id', '=', taskId)
        .where('onto', '=', baseTaskId)
        .execute();
      previewCache.forget(taskId);
    },
  };
}

/** A query for the tasks whose previews are shown at a time, by the same rules as `preview`. */
export const shownPreviews = (db: Kysely<Schema>, currentTime: Date, previewRetention = Infinity) =>
  db
    .selectFrom('preview_deployments')
    .select('task_id')
    .where('commit', 'is not', null)
    .where('deleted_at', 'is', null)
    .where('changed_at', '>', daysBefore(currentTime.getTime(), previewRetention));

const daysBefore = (currentMs: number, days: number) =>
  new Date(Math.max(0, currentMs - days * DAY));

type PreviewRow = Selectable<Schema['preview_deployments']>;

/**
 * Removes some expired rows. Called for each new preview. Skips rows that another process is
 * removing.
 */
async function removeOldPreviews(db: Kysely<Schema>, keptSince: Date): Promise<void> {
  const oldPreviews = db
    .selectFrom('preview_deployments')
    .select('task_id')
    .where('changed_at', '<', keptSince)
    .limit(REMOVED_AT_ONCE)
    .forUpdate()
    .skipLocked();
  await db.deleteFrom('preview_deployments').where('task_id', 'in', oldPreviews).execute();
}
