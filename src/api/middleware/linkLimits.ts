import { hash } from 'node:crypto';
import { DomainError } from '../../errors.ts';
import type { ApiContext } from '../context.ts';
import { networkOf } from './authenticate.ts';
import { type Count, countEach, type RateLimits, scopesOf } from './rateLimit.ts';

/**
 * What the holders of an organization's links ask for is counted together, and for nobody of the
 * organization.
 */
export const linksOf = (organizationId: string) => `links of ${organizationId}`;

/** A link whose key was right. */
interface OpenedLink {
  linkId: string;
  organizationId: string;
}

/**
 * Counts what the holder of a link asks for: by link and address, by link, by all links of the
 * organization, and with all that is asked of the organization. Wrong keys are counted elsewhere,
 * so that nobody without the key uses this up.
 * @param what `open`: to see what it shows; `edit`: to begin a session of the editor
 * @throws DomainError TOO_MANY_REQUESTS with the seconds to wait
 */
export async function countLink(
  ctx: ApiContext,
  limits: RateLimits,
  what: keyof RateLimits['links'],
  { linkId, organizationId }: OpenedLink,
): Promise<void> {
  const { atAddress, inAll } = limits.links[what];
  const { person } = scopesOf({
    keyId: linkId,
    organizationId,
    role: 'member',
    countsFor: linksOf(organizationId),
  });
  await countOrRefuse([
    ['address', atAddress, `${linkId} ${networkOf(ctx.ip)}`],
    ['link', inAll, linkId],
    ['links', limits.person.read, person],
    ['organization', limits.organization.read, organizationId],
  ]);
}

/** Counts who looks, with a right token, at what it is for. @throws DomainError as `countLink` */
export async function countToken(
  ctx: ApiContext,
  { links }: RateLimits,
  token: string,
): Promise<void> {
  const secret = hash('sha256', token, 'base64url');
  await countOrRefuse([['address', links.open.atAddress, `${secret} ${networkOf(ctx.ip)}`]]);
}

async function countOrRefuse(counts: Count[]): Promise<void> {
  const { allowed, resetSeconds } = await countEach(counts);
  if (!allowed)
    throw new DomainError('TOO_MANY_REQUESTS', 'Too many requests with one link', {
      details: { retryAfterSeconds: Math.max(1, resetSeconds) },
    });
}
