import { withoutUndefined } from '../../../contract/withoutUndefined.ts';
import { type ApiKey, keyTitle } from '../../../organizations/apiKeyRows.ts';
import type { Role } from '../../../contract/roles.ts';
import {
  type ApiContext,
  type ApiRouter,
  callerOf,
  callerIdentity,
  pathParameter,
  type ValidBody,
  type ValidQuery,
} from '../../context.ts';
import type { RouteDeps } from '../../apiDeps.ts';
import { recordChange } from '../../recordChange.ts';
import { createRouter } from '../../router.ts';
import { validBody } from '../../middleware/validBody.ts';
import { enter } from '../../middleware/enter.ts';
import { validateQuery } from '../../middleware/validate.ts';
import {
  addressCursor,
  invitationBody,
  type OrganizationChangeBody,
  organizationChangeBody,
  type PeopleQuery,
  peopleQuery,
  type RemovalQuery,
  removalQuery,
  roleBody,
  type RoleBody,
} from './people.schema.ts';

type PeopleRouteDeps = RouteDeps<'accounts' | 'signInLimits' | 'organizations' | 'audit'>;

/** The key's organization, its members and its invitations. */
export function peopleRoutes(deps: PeopleRouteDeps): ApiRouter {
  const router = createRouter();
  const validQuery = validateQuery(peopleQuery);
  router.get('/organization', ...enter(deps, 'read'), (ctx) => showOrganization(ctx, deps));
  router.patch(
    '/organization',
    ...enter(deps, 'create', 'owner'),
    ...validBody(organizationChangeBody),
    (ctx) => changeOrganization(ctx, deps),
  );
  router.get('/members', ...enter(deps, 'read'), validQuery, (ctx) => listMembers(ctx, deps));
  router.patch(
    '/members/:memberId',
    ...enter(deps, 'create', 'admin'),
    ...validBody(roleBody),
    (ctx) => changeMember(ctx, deps),
  );
  router.delete(
    '/members/:memberId',
    ...enter(deps, 'create'),
    validateQuery(removalQuery),
    (ctx) => removeMember(ctx, deps),
  );
  router.get('/invitations', ...enter(deps, 'read', 'admin'), validQuery, (ctx) =>
    listInvitations(ctx, deps),
  );
  router.post(
    '/invitations',
    ...enter(deps, 'create', 'admin'),
    ...validBody(invitationBody),
    (ctx) => invitePerson(ctx, deps),
  );
  router.delete('/invitations/:invitationId', ...enter(deps, 'create', 'admin'), (ctx) =>
    withdrawInvitation(ctx, deps),
  );
  return router;
}

/** GET /organization */
async function showOrganization(
  ctx: ApiContext,
  { organizations }: PeopleRouteDeps,
): Promise<void> {
  ctx.body = await organizations.get(callerIdentity(ctx).organizationId);
}

/** Records in the audit the API keys that were revoked together with a role or a membership. */
async function recordEndedKeys(
  ctx: ApiContext,
  deps: PeopleRouteDeps,
  endedKeys: ApiKey[],
): Promise<void> {
  for (const key of endedKeys) await recordChange(ctx, deps, 'key.revoke', keyTitle(key));
}

/** PATCH /organization */
async function changeOrganization(
  ctx: ApiContext<ValidBody<OrganizationChangeBody>>,
  deps: PeopleRouteDeps,
) {
  const { body } = ctx.state;
  const organization = await deps.organizations.change(callerIdentity(ctx).organizationId, body);
  const { name, tokensPerMonth } = organization;
  if (body.name !== undefined) await recordChange(ctx, deps, 'organization.rename', name);
  if (body.tokensPerMonth !== undefined) {
    const limitWords = tokensPerMonth === null ? 'none' : `${tokensPerMonth} tokens per month`;
    await recordChange(ctx, deps, 'organization.limit', limitWords);
  }
  ctx.body = organization;
}

/** GET /members */
async function listMembers(
  ctx: ApiContext<ValidQuery<PeopleQuery>>,
  { accounts }: PeopleRouteDeps,
): Promise<void> {
  const { limit, cursor: after } = ctx.state.query;
  const { members, more: hasMore } = await accounts.members.list(
    callerIdentity(ctx).organizationId,
    withoutUndefined({ limit, after }),
  );
  ctx.body = {
    members,
    nextCursor: hasMore ? addressCursor.at(members.at(-1)?.email ?? '') : null,
  };
}

/** PATCH /members/{memberId} */
async function changeMember(
  ctx: ApiContext<ValidBody<RoleBody>>,
  deps: PeopleRouteDeps,
): Promise<void> {
  const { role, endKeys } = ctx.state.body;
  const { members } = deps.accounts;
  const memberChange = await members.changeRole(
    callerOf(ctx),
    pathParameter(ctx, 'memberId'),
    role,
    {
      endKeys,
    },
  );
  const { member, endedKeys } = memberChange;
  await recordChange(ctx, deps, 'member.update', `${member.email}: ${member.role}`);
  await recordEndedKeys(ctx, deps, endedKeys);
  ctx.body = member;
}

/** DELETE /members/{memberId} */
async function removeMember(
  ctx: ApiContext<ValidQuery<RemovalQuery>>,
  deps: PeopleRouteDeps,
): Promise<void> {
  const { members } = deps.accounts;
  const memberRemoval = await members.remove(
    callerOf(ctx),
    pathParameter(ctx, 'memberId'),
    ctx.state.query,
  );
  await recordChange(ctx, deps, 'member.remove', memberRemoval.member.email);
  await recordEndedKeys(ctx, deps, memberRemoval.endedKeys);
  ctx.status = 204;
}

/** GET /invitations */
async function listInvitations(
  ctx: ApiContext<ValidQuery<PeopleQuery>>,
  { accounts }: PeopleRouteDeps,
): Promise<void> {
  const { limit, cursor: after } = ctx.state.query;
  const { invitations, more: hasMore } = await accounts.invitations.list(
    callerOf(ctx),
    withoutUndefined({ limit, after }),
  );
  ctx.body = {
    invitations,
    nextCursor: hasMore ? addressCursor.at(invitations.at(-1)?.email ?? '') : null,
  };
}

/** POST /invitations */
async function invitePerson(
  ctx: ApiContext<ValidBody<{ email: string; role: Role }>>,
  deps: PeopleRouteDeps,
): Promise<void> {
  const { accounts, signInLimits } = deps;
  const { organizationId } = callerIdentity(ctx);
  const mayMail = (email: string, userId?: string) =>
    signInLimits.mayMail(email, { organizationId, userId });
  const invitation = await accounts.invitations.create(callerOf(ctx), ctx.state.body, mayMail);
  await recordChange(ctx, deps, 'invitation.create', `${invitation.email}: ${invitation.role}`);
  ctx.body = invitation;
  ctx.status = 201;
}

/** DELETE /invitations/{invitationId} */
async function withdrawInvitation(ctx: ApiContext, deps: PeopleRouteDeps): Promise<void> {
  const { email } = await deps.accounts.invitations.remove(
    callerOf(ctx),
    pathParameter(ctx, 'invitationId'),
  );
  await recordChange(ctx, deps, 'invitation.delete', email);
  ctx.status = 204;
}
