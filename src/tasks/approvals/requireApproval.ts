import { refuseUnapproved } from '../../sites/publishApproval.ts';
import type { ResultCommit, SiteWithRepository } from '../../contract/site.ts';
import type { NeededPorts } from '../ports.ts';

/**
 * Refuses to publish a result that still needs the approval of another person.
 * @throws DomainError APPROVAL_REQUIRED
 */
export async function requireApproval(
  deps: NeededPorts<'approvals' | 'readCurrentVersion'>,
  site: SiteWithRepository,
  result: ResultCommit,
): Promise<void> {
  if (site.publishApproval === undefined) return;
  const { commit } = await deps.readCurrentVersion(site, result);
  await refuseUnapproved(deps, site, { ...result, commit });
}
