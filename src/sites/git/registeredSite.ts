import type { Site, SiteRegister, SiteWithRepository } from '../../contract/site.ts';
import { DomainError } from '../../errors.ts';
import type { GitRepositories, GitRepository } from './repository.ts';

/**
 * The organization's site.
 * @throws DomainError NOT_FOUND for an unknown site and for another organization's
 */
export async function findSite(
  sites: SiteRegister,
  { organizationId, siteId }: Pick<Site, 'organizationId' | 'siteId'>,
): Promise<Site> {
  const site = await sites.find(organizationId, siteId);
  if (!site) throw new DomainError('NOT_FOUND', 'Site not found');
  return site;
}

export const hasRepository = (site: Site): site is SiteWithRepository => site.repository !== null;

/** @throws DomainError SITE_WITHOUT_REPOSITORY */
export function requireRepository(site: Site): SiteWithRepository {
  if (!hasRepository(site))
    throw new DomainError('SITE_WITHOUT_REPOSITORY', 'Site is missing repository information');
  return site;
}

/**
 * Opens the git repository of a site.
 * @throws DomainError SITE_WITHOUT_REPOSITORY
 */
export function openRepository(
  repositories: Pick<GitRepositories, 'open'>,
  site: Site,
): GitRepository {
  return repositories.open(requireRepository(site));
}
