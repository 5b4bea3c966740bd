import type { Look } from '../../src/contract/deployment.ts';
import type { ActivityDeps, TaskRef } from '../deps.ts';
import { openSite } from '../taskRepository.ts';
import { addressesOf, rowsIn } from './showRows.ts';

type Deps = Pick<ActivityDeps, 'sites' | 'repositories' | 'batches' | 'hosting'>;

interface ConfirmRows {
  task: TaskRef;
  /** What was looked for: the build that has the rows. */
  look: Look;
  /** Whether pages of that build were seen. Otherwise no page is looked at. */
  isOnline: boolean;
  /** Whether its pages are published next. */
  publish: boolean;
}

/** Rows whose new texts are in memory at once. */
const ROWS = 100;

/**
 * Looks once at every page of a batch at a host that builds, after some of them were seen there,
 * and stores the addresses of those that answer with their new text. Repeatable. Throws GIT_FAILED.
 * @returns whether the batch may be published: from then on nobody can pause or cancel it
 */
export function createConfirmRows({ sites, repositories, batches, hosting }: Deps) {
  return async (
    { task, look, isOnline, publish }: ConfirmRows,
    signal: AbortSignal,
  ): Promise<{ mayPublish: boolean }> => {
    const { taskId: batchId, organizationId } = task;
    const { site, repository } = await openSite({ sites, repositories }, task);
    const { base } = await batches.find(organizationId, batchId);
    const isLive = look.target === 'live';
    const states = isLive
      ? (['published'] as const)
      : (['committed', 'published', 'held'] as const);
    const held = { commit: look.commit, heldBy: isLive ? null : batchId };
    const tree = await repository.tree(held, signal);
    const rows = isOnline ? await rowsIn({ batches }, batchId, [...states], tree) : [];
    const result = { ...held, base: base! };
    for (let at = 0; at < rows.length; at += ROWS) {
      const some = rows.slice(at, at + ROWS);
      const pages = await hosting.awaited(site, result, some, signal);
      const seen = await hosting.look(site, { ...look, pages, until: new Date(0) }, signal);
      const name = isLive ? 'publishedUrl' : 'previewUrl';
      await batches.show(batchId, addressesOf(some, seen.pages, name));
    }
    return { mayPublish: publish && (await batches.beginPublish(batchId)) };
  };
}
