import { hash } from 'node:crypto';
import type { ApiContext } from '../context.ts';
import { networkOf } from './authenticate.ts';
import { type LimiterCount, countOrThrow, type RateLimits, limitKeys } from './rateLimit.ts';

/**
 * The counter's key for all share links of an organization. Their requests don't count for any key
 * or person of the organization.
 */
export const linkCounterKey = (organizationId: string) => `links of ${organizationId}`;

/** A link that was opened with its right key. */
interface OpenedLink {
  linkId: string;
  organizationId: string;
}

/**
 * Counts a request of a person who has a share link or an editing link: by link and IP address, by
 * link, by all links of the organization, and by the organization. Requests with a wrong key are
 * counted elsewhere, so only people who have the link can use up these limits.
 * @param what `open`: view the pages; `edit`: start an editor session
 * @throws DomainError TOO_MANY_REQUESTS with the seconds to wait
 */
export async function countLink(
  ctx: ApiContext,
  limits: RateLimits,
  what: keyof RateLimits['links'],
  { linkId, organizationId }: OpenedLink,
): Promise<void> {
  const { atAddress, inAll } = limits.links[what];
  const { person } = limitKeys({
    keyId: linkId,
    organizationId,
    role: 'member',
    countsFor: linkCounterKey(organizationId),
  });
  await countOrRefuse([
    ['address', atAddress, `${linkId} ${networkOf(ctx.ip)}`],
    ['link', inAll, linkId],
    ['links', limits.person.read, person],
    ['organization', limits.organization.read, organizationId],
  ]);
}

/**
 * Counts a request that asks for the purpose of a valid one-time token, such as an invitation.
 * @throws DomainError as `countLink`
 */
export async function countToken(
  ctx: ApiContext,
  { links }: RateLimits,
  token: string,
): Promise<void> {
  const tokenHash = hash('sha256', token, 'base64url');
  await countOrRefuse([['address', links.open.atAddress, `${tokenHash} ${networkOf(ctx.ip)}`]]);
}

const countOrRefuse = (counts: LimiterCount[]) =>
  countOrThrow('Too many requests with the same link', counts);
