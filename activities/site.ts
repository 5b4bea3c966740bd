import type { Site, SiteRepository } from '../src/contract/site.ts';
import { DomainError } from '../src/errors.ts';
import type { Repository } from '../src/sites/git/repository.ts';
import { taskRef } from '../src/sites/git/taskCommit.ts';
import type { ActivityDeps, TaskRef } from './deps.ts';

/** The task's site and its repository. Throws NOT_FOUND, SITE_WITHOUT_REPOSITORY if it was taken away since the task began. */
export async function openSite(
  { sites, repositories }: Pick<ActivityDeps, 'sites' | 'repositories'>,
  { organizationId, siteId }: TaskRef,
): Promise<{ site: Site & { repository: SiteRepository }; repository: Repository }> {
  const site = await sites.find(organizationId, siteId);
  if (!site) throw new DomainError('NOT_FOUND', 'Site not found');
  if (!site.repository) throw new DomainError('SITE_WITHOUT_REPOSITORY', 'Site is missing repository information');
  const found = { ...site, repository: site.repository };
  return { site: found, repository: repositories.open(found) };
}

/** The hidden ref under which a worker that lacks the task's base finds it; one on the production branch needs none. */
export const baseRef = ({ taskId, ontoTaskId }: TaskRef) => taskRef(ontoTaskId ?? taskId);
