import type { SharedPages } from '../contract/answers.ts';
import type { NamedMaker } from '../contract/maker.ts';
import type { Site } from '../contract/site.ts';
import type { Share, SharePart } from '../organizations/shares.ts';
import { findSite } from '../sites/git/registeredSite.ts';
import type { Needs } from './ports.ts';
import { type EditDeps, findEditable } from './editLink.ts';

export type SharedTaskDeps = EditDeps &
  Needs<'shares' | 'knownTasks' | 'sites' | 'makers' | 'publications'>;

/** A link with what it is about. */
export interface ListedShare {
  share: Share;
  /** The person; null: a program. */
  createdBy: NamedMaker | null;
  /** The task's; null where the task is over its retention, or Temporal does not answer. */
  title: string | null;
  /** null as above, and where the site is not known any more. */
  site: Site | null;
}

/**
 * A part of an organization's links that are in force.
 * @returns `next`: when and what the last one is, if there are more
 */
export async function listShared(
  { shares, knownTasks, sites, makers }: SharedTaskDeps,
  organizationId: string,
  part: SharePart,
): Promise<{ shares: ListedShare[]; next: { at: string; id: string } | null }> {
  const { shares: found, more } = await shares.listAll(organizationId, part);
  const named = await makers.named(found.map(({ createdBy }) => createdBy));
  const tasks = await knownTasks(
    organizationId,
    found.map(({ taskId }) => taskId),
  );
  const siteIds = [...new Set([...tasks.values()].map(({ siteId }) => siteId))];
  const ofTasks = await Promise.all(siteIds.map((siteId) => sites.find(organizationId, siteId)));
  const about = (taskId: string) => {
    const { title = null, siteId } = tasks.get(taskId) ?? {};
    return { title, site: ofTasks.find((site) => site?.siteId === siteId) ?? null };
  };
  const last = found.at(-1);
  return {
    shares: found.map((share, i) => ({
      share,
      createdBy: named[i] ?? null,
      ...about(share.taskId),
    })),
    next: more && last ? { at: last.createdAt, id: last.shareId } : null,
  };
}

/**
 * What a link shows.
 * @param editUrlOf gives the address at which a page can be edited; null where it is only to look
 *   at
 * @throws DomainError NOT_FOUND, CONFLICT where there is nothing to look at any more
 */
export async function openPages(
  deps: EditDeps & Needs<'sites' | 'publications'>,
  { organizationId, taskId, access, expiresAt }: Share,
  editUrlOf: (slug: string) => string | null,
): Promise<SharedPages> {
  const task = await findEditable(deps, organizationId, taskId);
  const site = await findSite(deps.sites, task);
  const published = (await deps.publications.of([task.taskId])).get(task.taskId);
  const pages = task.pages.map(({ slug, previewUrl }) => ({
    slug,
    previewUrl,
    editUrl: editUrlOf(slug),
    live: published?.live.includes(slug) ?? false,
    published: published !== undefined,
  }));
  return { access, expiresAt, site: site.name, pages };
}
