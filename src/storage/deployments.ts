import type { Kysely, Selectable } from 'kysely';
import type { Publication } from '../contract/published.ts';
import type { Preview, ResultCommit } from '../contract/site.ts';
import type { RowChanges } from './rowChanges.ts';
import { createRowCache } from './rowCache.ts';
import { createLiveDeployments, type LiveDeployments } from './liveDeployments.ts';
import { createPublications, type Publications } from './publications.ts';
import type { Schema } from './schema.ts';

/** `heldBy` differs from the preview's task if that task publishes another one's result. */
export interface PreviewDeployment extends ResultCommit {
  siteId: string;
}

/** A preview to be made. */
export interface NewPreview extends PreviewDeployment {
  taskId: string;
  /** The commit that the result began from. */
  base: string;
  /** The task whose result `base` is, if it is one. */
  onto?: string | undefined;
}

export interface DeploymentOptions {
  /** Days that a preview is shown after it was made or last changed. Default: for ever. */
  previewRetention?: number;
  /** Milliseconds since 1970. */
  now?: () => number;
  /** Lets `known` reads be cached for 5 s. */
  changes?: RowChanges;
}

const DAY = 24 * 60 * 60_000;
/** Days that a preview's row stays at least: tasks run for 1 day at most and can be read for 30. */
const KEPT_DAYS = 35;
const REMOVED_AT_ONCE = 100;

export interface Deployments extends LiveDeployments {
  publications: Publications;
  /** The commit that a task's preview shows or last showed; null without a preview. */
  preview(taskId: string): Promise<(PreviewDeployment & Preview) | null>;
  /** The same, but cached: another process may have changed the preview up to 5 s ago. */
  knownPreview(taskId: string): Promise<(PreviewDeployment & Preview) | null>;
  /** Lets a task's preview show a commit. Repeatable. A deleted preview stays deleted. */
  setPreview(preview: NewPreview): Promise<void>;
  /** Deletes a task's preview, even before a late step of the task makes it. Repeatable. */
  removePreview(preview: { siteId: string; taskId: string }): Promise<void>;
  /**
   * Lets a task's preview show `commit` if it still shows `expected`.
   * @returns false, and changes nothing, if it shows another one
   */
  movePreview(change: { taskId: string; commit: string; expected: string }): Promise<boolean>;
}

/** Records which commits previews and live sites show. */
export function createDeployments(
  db: Kysely<Schema>,
  options: DeploymentOptions = {},
): Deployments {
  const published = createRowCache<Publication | null>('published_pages', options.changes);
  const live = createLiveDeployments(db);
  return {
    ...live,
    setLive: (change) => live.setLive(change).finally(() => published.forget()),
    ...previewDeployments(db, options),
    publications: createPublications(db, published),
  };
}

function previewDeployments(
  db: Kysely<Schema>,
  { previewRetention = Infinity, now = Date.now, changes }: DeploymentOptions,
): Omit<Deployments, keyof LiveDeployments | 'publications'> {
  const cache = createRowCache<PreviewRow>('preview_deployments', changes);
  const daysAgo = (days: number) => daysBefore(now(), days);
  const find = (taskId: string): Promise<PreviewRow | undefined> =>
    db
      .selectFrom('preview_deployments')
      .selectAll()
      .where('task_id', '=', taskId)
      .executeTakeFirst();

  function present(row: PreviewRow | undefined) {
    if (!row?.commit || row.held_by === null) return null;
    const isKept = row.changed_at > daysAgo(previewRetention);
    const isShown = isKept && row.deleted_at === null;
    const held = { siteId: row.site_id, commit: row.commit, heldBy: row.held_by };
    return { ...held, isShown, ...(!isKept && { isGone: true as const }) };
  }

  return {
    preview: async (taskId) => present(await find(taskId)),
    knownPreview: async (taskId) => present(await cache.get(taskId, () => find(taskId))),

    async setPreview({ siteId, taskId, commit, heldBy, base, onto = null }) {
      await removeOldPreviews(db, daysAgo(Math.max(previewRetention, KEPT_DAYS)));
      const values = {
        site_id: siteId,
        commit,
        held_by: heldBy,
        base,
        onto,
        changed_at: new Date(now()),
      };
      await db
        .insertInto('preview_deployments')
        .values({ task_id: taskId, ...values })
        .onConflict((conflict) => conflict.column('task_id').doUpdateSet(values))
        .execute();
      cache.forget(taskId);
    },

    async removePreview({ siteId, taskId }) {
      const deleted_at = new Date(now());
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
      cache.forget(taskId);
    },

    async movePreview({ taskId, commit, expected }) {
      const moved = db
        .updateTable('preview_deployments')
        .set({ commit, changed_at: new Date(now()) })
        .where('task_id', '=', taskId)
        .where('commit', '=', expected)
        .returning('task_id');
      const isMoved = (await moved.executeTakeFirst()) !== undefined;
      cache.forget(taskId);
      return isMoved;
    },
  };
}

/** Tasks whose previews are shown at this time, by the same rules as `preview`. */
export const shownPreviews = (db: Kysely<Schema>, at: Date, previewRetention = Infinity) =>
  db
    .selectFrom('preview_deployments')
    .select('task_id')
    .where('commit', 'is not', null)
    .where('deleted_at', 'is', null)
    .where('changed_at', '>', daysBefore(at.getTime(), previewRetention));

const daysBefore = (at: number, days: number) => new Date(Math.max(0, at - days * DAY));

type PreviewRow = Selectable<Schema['preview_deployments']>;

/** Each new preview removes some expired rows; processes skip rows that others remove. */
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
