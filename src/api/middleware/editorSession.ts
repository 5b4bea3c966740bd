import { isSiteId } from '../../contract/site.ts';
import { isTaskId } from '../../contract/task.ts';
import type { EditGrant } from '../../editor/grants.ts';
import { DomainError, onCode } from '../../errors.ts';
import type { CallerIdentity } from '../../tasks/caller.ts';
import type { ApiContext, ApiMiddleware } from '../context.ts';
import type { RouteDeps } from '../apiDeps.ts';
import type { ShareLink } from '../../organizations/shareLinks.ts';
import { hasRole } from '../../contract/roles.ts';
import { refuseKey } from './authenticate.ts';
import { linkCounterKey } from './linkLimits.ts';
import { countPerson, readCookie, setCookies, webHeaders } from './session.ts';
import type { AccountSession } from '../../accounts/memberships.ts';
import { parseUrl } from '../../contract/text/parseUrl.ts';

type EditorSessionDeps = RouteDeps<'editing' | 'accounts' | 'shares' | 'batches' | 'sites'>;

const isHttps = (publicUrl: URL) => publicUrl.protocol === 'https:';
/**
 * Browsers accept a cookie with the `__Secure-` prefix only over https, so nobody can set it over
 * plain http.
 */
const editorCookieName = (publicUrl: URL) =>
  isHttps(publicUrl) ? '__Secure-agent_editor' : 'agent_editor';

/**
 * Sets the cookie of an editor session: the right to edit one task's pages, which a link gives to
 * people without an account. Browsers send it only to this task's editor, and only from the
 * editor's own pages.
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
      `${editorCookieName(publicUrl)}=${token}`,
      ...attributes,
      ...(isHttps(publicUrl) ? ['Secure'] : []),
    ].join('; '),
  );
}

/**
 * Requires the session of a member of the task's organization, or an editor session for the task in
 * the path whose key or share link is still valid. Sets `ctx.state.identity`.
 * @throws DomainError UNAUTHORIZED if there is none, or it is expired, another task's, or its key
 *   or share was revoked; FORBIDDEN for a person who may not edit the task's pages
 */
export function editorSession(deps: EditorSessionDeps): ApiMiddleware {
  const { rateLimits } = deps;
  return async function editorSession(ctx, next) {
    const taskId = /^\/edit\/([^/]*)/.exec(ctx.path)?.[1] ?? '';
    const identifyEditor = async () => {
      const identity =
        (await findMember(ctx, deps, taskId)) ?? (await findEditorSession(ctx, deps, taskId));
      if (!identity)
        return ctx.state.session
          ? refusePerson(ctx.state.session)
          : refuseKey(ctx, rateLimits, noSessionReason);
      ctx.state.identity = identity;
    };
    await identifyEditor();
    ctx.state.recheck = identifyEditor;
    await next();
  };
}

const noSessionReason =
  'the request has no editor session for this task: open an editing link, or sign in';

/** The grant in the cookie of an editor session; null without a valid one. */
export const readSessionGrant = (
  ctx: ApiContext,
  { editing }: Pick<EditorSessionDeps, 'editing'>,
): EditGrant | null =>
  editing.grants.read('session', ctx.cookies.get(editorCookieName(editing.publicUrl())) ?? '');

/**
 * The identity of an editor session, which may only edit one task's pages. null without a valid
 * session.
 */
async function findEditorSession(
  ctx: ApiContext,
  deps: EditorSessionDeps,
  taskId: string,
): Promise<CallerIdentity | null> {
  const grant = readSessionGrant(ctx, deps);
  const owner = grant?.taskId === taskId && grant ? await findGrantOwner(grant, deps) : null;
  if (!grant || !owner) return null;
  const { organizationId, role, countsFor = owner.keyId } = owner;
  const grantSource = 'keyId' in grant ? grant.keyId : grant.shareId;
  return { organizationId, role, countsFor, keyId: `editor of ${taskId} by ${grantSource}` };
}

/**
 * The owner of the key, assistant or share link that created a grant (the signed text in an editing
 * link or a cookie). null if it is no longer valid.
 */
export async function findGrantOwner(
  grant: EditGrant,
  {
    keys,
    shares,
    accounts: { assistants },
  }: Pick<EditorSessionDeps, 'keys' | 'shares' | 'accounts'>,
): Promise<CallerIdentity | null> {
  const owner =
    'keyId' in grant
      ? ((await keys.identify(grant.keyId)) ?? (await assistants.identify(grant.keyId)))
      : shareEditor(await shares.find(grant.shareId));
  return owner?.organizationId === grant.organizationId ? owner : null;
}

/**
 * The request's person as a member of the task's organization. null without a session, and for
 * people who are not members. Unknown tasks give null too.
 */
async function findMember(
  ctx: ApiContext,
  deps: EditorSessionDeps,
  taskId: string,
): Promise<CallerIdentity | null> {
  const { accounts, editing } = deps;
  if (readCookie(ctx, 'session_token', editing.publicUrl()) === undefined) return null;
  const { session, cookies } = await accounts.session(webHeaders(ctx, editing.publicUrl()));
  if (!session) return null;
  setCookies(ctx, cookies);
  ctx.state.session = session;
  const { userId } = session;
  await countPerson(userId, deps.rateLimits);
  for (const { organizationId, role } of await accounts.memberships.of(userId))
    if (hasRole(role, 'member') && (await hasEditable(deps, organizationId, taskId)))
      return { organizationId, role, userId, keyId: `editor ${userId}` };
  return null;
}

function refusePerson({ email }: Pick<AccountSession, 'email'>): never {
  throw new DomainError(
    'FORBIDDEN',
    `Forbidden: ${email} may not edit this page. Ask its team for an editing link or for an invitation as a member.`,
  );
}

/** Whether an organization has a task, a batch or a site with this id. */
async function hasEditable(
  { batches, editing, sites }: Pick<EditorSessionDeps, 'batches' | 'editing' | 'sites'>,
  organizationId: string,
  id: string,
): Promise<boolean> {
  if (isSiteId(id)) return (await sites.find(organizationId, id)) !== null;
  if (!isTaskId(id)) return false;
  const exists = (lookup: Promise<unknown>) =>
    lookup.then(() => true).catch(onCode(['NOT_FOUND'], false));
  return (
    (await exists(batches.find(organizationId, id))) || exists(editing.findTask(organizationId, id))
  );
}

/** Whoever has an editing share link has the role member, for this task only. */
function shareEditor(share: ShareLink | null): CallerIdentity | null {
  if (share?.access !== 'edit') return null;
  const { shareId, organizationId } = share;
  return {
    keyId: `share ${shareId}`,
    organizationId,
    role: 'member',
    countsFor: linkCounterKey(organizationId),
  };
}

/**
 * Refuses writing requests from pages of other sites. Browsers name the page's site in `Origin`
 * (Fetch standard, "Origin header").
 * @param publicUrl the base address that clients use
 */
export function sameOrigin(publicUrl: () => URL): ApiMiddleware {
  return async function sameOrigin(ctx, next) {
    const origin = parseUrl(ctx.get('Origin'));
    if (origin === null || (origin.origin !== publicUrl().origin && origin.host !== ctx.host))
      throw new DomainError(
        'FORBIDDEN',
        'Forbidden: the request must come from a page of this service',
      );
    await next();
  };
}
