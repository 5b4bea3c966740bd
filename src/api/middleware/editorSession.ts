import { isTaskId } from '../../contract/task.ts';
import type { Grant } from '../../editor/grants.ts';
import { DomainError, onCode } from '../../errors.ts';
import type { Identity } from '../../tasks/caller.ts';
import type { ApiContext, ApiMiddleware } from '../context.ts';
import type { RouteNeeds } from '../parts.ts';
import type { Share } from '../../organizations/shares.ts';
import { hasRole } from '../../contract/roles.ts';
import { refuseKey } from './authenticate.ts';
import { linksOf } from './linkLimits.ts';
import { countPerson, readCookie, setCookies, webHeaders } from './session.ts';
import type { Session } from '../../accounts/memberships.ts';

type SessionDeps = RouteNeeds<'editing' | 'accounts' | 'shares' | 'batches'>;

const isSecure = (publicUrl: URL) => publicUrl.protocol === 'https:';
/**
 * Browsers accept a cookie with the `__Secure-` prefix only over https, so nobody can set it over
 * plain http.
 */
const cookieName = (publicUrl: URL) =>
  isSecure(publicUrl) ? '__Secure-agent_editor' : 'agent_editor';

/**
 * Sets the session's cookie. Browsers send it only to this task's editor, from the editor's own
 * pages.
 */
export function setSessionCookie(
  ctx: ApiContext,
  {
    taskId,
    token,
    seconds,
    publicUrl,
  }: { taskId: string; token: string; seconds: number; publicUrl: URL },
): void {
  const attributes = [`Path=/edit/${taskId}`, `Max-Age=${seconds}`, 'HttpOnly', 'SameSite=Strict'];
  ctx.set(
    'Set-Cookie',
    [
      `${cookieName(publicUrl)}=${token}`,
      ...attributes,
      ...(isSecure(publicUrl) ? ['Secure'] : []),
    ].join('; '),
  );
}

/**
 * Requires the session of a member of the task's organization, or an editor session for the task in
 * the path whose key or share is still valid.
 * @throws DomainError UNAUTHORIZED if there is none, or it is expired, another task's, or its key
 *   or share was revoked; FORBIDDEN for a person who may not edit the task's pages
 */
export function editorSession(deps: SessionDeps): ApiMiddleware {
  const { rateLimits } = deps;
  return async function editorSession(ctx, next) {
    const taskId = /^\/edit\/([^/]*)/.exec(ctx.path)?.[1] ?? '';
    const look = async () => {
      const identity = (await memberOf(ctx, deps, taskId)) ?? (await editorBy(ctx, deps, taskId));
      if (!identity)
        return ctx.state.session
          ? refusePerson(ctx.state.session)
          : refuseKey(ctx, rateLimits, noSession);
      ctx.state.identity = identity;
    };
    await look();
    ctx.state.recheck = look;
    await next();
  };
}

const noSession = 'no session of the editor for this task: open it by a link, or sign in';

/**
 * The identity of an editor session, which may only edit one task's pages. null without a valid
 * session.
 */
async function editorBy(
  ctx: ApiContext,
  deps: SessionDeps,
  taskId: string,
): Promise<Identity | null> {
  const { editing } = deps;
  const grant = editing.grants.read(
    'session',
    ctx.cookies.get(cookieName(editing.publicUrl())) ?? '',
  );
  const owner = grant?.taskId === taskId && grant ? await ownerOf(grant, deps) : null;
  if (!grant || !owner) return null;
  const { organizationId, role, countsFor = owner.keyId } = owner;
  const by = 'keyId' in grant ? grant.keyId : grant.shareId;
  return { organizationId, role, countsFor, keyId: `editor of ${taskId} by ${by}` };
}

/** The owner of the key, assistant or share that made a grant. null if it is no longer valid. */
export async function ownerOf(
  grant: Grant,
  { keys, shares, accounts: { assistants } }: Pick<SessionDeps, 'keys' | 'shares' | 'accounts'>,
): Promise<Identity | null> {
  const owner =
    'keyId' in grant
      ? ((await keys.identify(grant.keyId)) ?? (await assistants.identify(grant.keyId)))
      : editorOf(await shares.find(grant.shareId));
  return owner?.organizationId === grant.organizationId ? owner : null;
}

/**
 * The request's person as a member of the task's organization. null without a session, and for
 * people who are not members. Unknown tasks give null too.
 */
async function memberOf(
  ctx: ApiContext,
  deps: SessionDeps,
  taskId: string,
): Promise<Identity | null> {
  const { accounts, editing } = deps;
  if (readCookie(ctx, 'session_token', editing.publicUrl()) === undefined) return null;
  const { session, cookies } = await accounts.session(webHeaders(ctx, editing.publicUrl()));
  if (!session) return null;
  setCookies(ctx, cookies);
  ctx.state.session = session;
  const { userId } = session;
  await countPerson(userId, deps.rateLimits);
  for (const { organizationId, role } of await accounts.memberships.of(userId))
    if (hasRole(role, 'member') && (await hasTask(deps, organizationId, taskId)))
      return { organizationId, role, userId, keyId: `editor ${userId}` };
  return null;
}

function refusePerson({ email }: Pick<Session, 'email'>): never {
  throw new DomainError(
    'FORBIDDEN',
    `Forbidden: ${email} may not edit this page. Ask somebody of its team for an editing link, or to become a member.`,
  );
}

/** Whether an organization has a task or a batch with this id. */
async function hasTask(
  { batches, editing }: Pick<SessionDeps, 'batches' | 'editing'>,
  organizationId: string,
  id: string,
): Promise<boolean> {
  if (!isTaskId(id)) return false;
  const isThere = (found: Promise<unknown>) =>
    found.then(() => true).catch(onCode(['NOT_FOUND'], false));
  return (
    (await isThere(batches.find(organizationId, id))) ||
    isThere(editing.findTask(organizationId, id))
  );
}

/** A share's holder has the role member, for this task only. */
function editorOf(share: Share | null): Identity | null {
  if (share?.access !== 'edit') return null;
  const { shareId, organizationId } = share;
  return {
    keyId: `share ${shareId}`,
    organizationId,
    role: 'member',
    countsFor: linksOf(organizationId),
  };
}

/**
 * Refuses writing requests from pages of other sites. Browsers name the page's site in `Origin`
 * (Fetch standard, "Origin header").
 * @param publicUrl the base address that clients use
 */
export function sameOrigin(publicUrl: () => URL): ApiMiddleware {
  return async function sameOrigin(ctx, next) {
    const origin = URL.parse(ctx.get('Origin'));
    if (origin === null || (origin.origin !== publicUrl().origin && origin.host !== ctx.host))
      throw new DomainError(
        'FORBIDDEN',
        'Forbidden: the request must come from a page of this service',
      );
    await next();
  };
}
