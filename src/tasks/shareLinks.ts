import type { OpenedShareResponse } from '../contract/responses.ts';
import type { NamedCreator } from '../contract/creator.ts';
import type { Site } from '../contract/site.ts';
import type { ShareLink, ShareListPart } from '../organizations/shareLinks.ts';
import { findSite } from '../sites/git/registeredSite.ts';
import type { NeededPorts } from './ports.ts';
import { type EditPorts, findEditable } from './editLink.ts';

export type SharedTaskPorts = EditPorts &
  NeededPorts<'shares' | 'knownTasks' | 'sites' | 'creators' | 'publications'>;

/** A share link with its creator, task and site. */
export interface ShareListing {
  share: ShareLink;
  /** null: a program created the link, or its creator is not known. */
  createdBy: NamedCreator | null;
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
export async function listShareLinks(
  { shares, knownTasks, sites, creators }: SharedTaskPorts,
  organizationId: string,
  listPart: ShareListPart,
): Promise<{ shares: ShareListing[]; next: { at: string; id: string } | null }> {
  const { shares: foundShares, more } = await shares.listAll(organizationId, listPart);
  const namedCreators = await creators.named(foundShares.map(({ createdBy }) => createdBy));
  const tasks = await knownTasks(
    organizationId,
    foundShares.map(({ taskId }) => taskId),
  );
  const siteIds = [...new Set([...tasks.values()].map(({ siteId }) => siteId))];
  const taskSites = await Promise.all(siteIds.map((siteId) => sites.find(organizationId, siteId)));
  const taskFacts = (taskId: string) => {
    const { title = null, siteId } = tasks.get(taskId) ?? {};
    return { title, site: taskSites.find((site) => site?.siteId === siteId) ?? null };
  };
  const lastShare = foundShares.at(-1);
  return {
    shares: foundShares.map((share, i) => ({
      share,
      createdBy: namedCreators[i] ?? null,
      ...taskFacts(share.taskId),
    })),
    next: more && lastShare ? { at: lastShare.createdAt, id: lastShare.shareId } : null,
  };
}

/**
 * The pages that a link opens.
 * @param editUrlOf returns the address at which a page can be edited; null for view-only links
 * @throws DomainError NOT_FOUND, CONFLICT if the preview is gone
 */
export async function openSharedPages(
  deps: EditPorts & NeededPorts<'sites' | 'publications'>,
  { organizationId, taskId, access, expiresAt }: ShareLink,
  editUrlOf: (slug: string) => string | null,
): Promise<OpenedShareResponse> {
  const task = await findEditable(deps, organizationId, taskId);
  const site = await findSite(deps.sites, task);
  const publication = (await deps.publications.of([task.taskId])).get(task.taskId);
  const pages = task.pages.map(({ slug, previewUrl }) => ({
    slug,
    previewUrl,
    editUrl: editUrlOf(slug),
    live: publication?.live.includes(slug) ?? false,
    published: publication !== undefined,
  }));
  const host = site.ownHost ? 'own' : 'embedded';
  return { access, expiresAt, site: site.name, host, pages };
}
