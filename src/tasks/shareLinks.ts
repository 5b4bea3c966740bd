import type { SharedPages } from '../contract/answers.ts';
import type { NamedMaker } from '../contract/maker.ts';
import type { Site } from '../contract/site.ts';
import type { Share, SharePart } from '../organizations/shares.ts';
import { findSite } from '../sites/git/registeredSite.ts';
import type { Needs } from './ports.ts';
import { type EditDeps, findEditable } from './editLink.ts';

export type SharedTaskDeps = EditDeps &
  Needs<'shares' | 'knownTasks' | 'sites' | 'makers' | 'publications'>;

/** A share link with its maker, task and site. */
export interface ListedShare {
  share: Share;
  /** null: the link was made by a program, or its maker is not known. */
  createdBy: NamedMaker | null;
  /** The task's title. null if the task is past its retention, or if Temporal does not answer. */
  title: string | null;
  /** null like `title`, or if the site was removed. */
  site: Site | null;
}

/**
 * Lists a part of an organization's valid links.
 * @returns `next`: the creation time and id of the last link if there are more links, otherwise
 *   null
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
 * The pages that a link opens.
 * @param editUrlOf returns the address at which a page can be edited; null for view-only links
 * @throws DomainError NOT_FOUND, CONFLICT if the preview is gone
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
  const host = site.ownHost ? 'own' : 'embedded';
  return { access, expiresAt, site: site.name, host, pages };
}
