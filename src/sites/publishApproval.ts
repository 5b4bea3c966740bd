import type { Approvals } from '../contract/approvals.ts';
import type { ResultCommit, Site } from '../contract/site.ts';
import { DomainError } from '../errors.ts';

/**
 * Refuses to publish the current version of a result if the site needs the approval of another
 * person, and nobody has given it.
 * @throws DomainError APPROVAL_REQUIRED
 */
export async function refuseUnapproved(
  { approvals }: { approvals: Pick<Approvals, 'of'> },
  { publishApproval }: Pick<Site, 'publishApproval'>,
  { commit, retainedBy }: ResultCommit,
): Promise<void> {
  if (publishApproval === undefined) return;
  if ((await approvals.of(retainedBy)).some(({ version }) => version === commit)) return;
  throw new DomainError(
    'APPROVAL_REQUIRED',
    'The site publishes only pages that another person has approved, and nobody has approved the current version. Ask somebody who did not create or edit it to approve it',
  );
}

/**
 * Refuses a request that would publish pages as soon as they are created: on a site whose pages
 * need an approval, nobody can have approved them yet.
 * @throws DomainError APPROVAL_REQUIRED
 */
export function refusePublishAtCreation(
  { publishApproval }: Pick<Site, 'publishApproval'>,
  publish: boolean | undefined,
): void {
  if (publish && publishApproval !== undefined)
    throw new DomainError(
      'APPROVAL_REQUIRED',
      'The site publishes only pages that another person has approved. Create the pages without publish, and publish them after the approval',
    );
}
