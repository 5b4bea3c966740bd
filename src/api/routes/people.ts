import { defined } from '../../contract/defined.ts';
import { type Key, titleOf } from '../../organizations/keyRows.ts';
import type { Role } from '../../contract/roles.ts';
import {
  type ApiContext,
  type ApiRouter,
  callerOf,
  identityOf,
  pathParameter,
  type ValidBody,
  type ValidQuery,
} from '../context.ts';
import type { RouteNeeds } from '../parts.ts';
import { recordChange } from '../recordChange.ts';
import { createRouter } from '../router.ts';
import { validBody } from '../middleware/validBody.ts';
import { enter } from '../middleware/enter.ts';
import { validateQuery } from '../middleware/validate.ts';
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

type Deps = RouteNeeds<'accounts' | 'signInLimits' | 'organizations' | 'audit'>;

/** The key's organization, its members and its invitations. */
export function peopleRoutes(deps: Deps): ApiRouter {
  const router = createRouter();
  const query = validateQuery(peopleQuery);
  router.get('/organization', ...enter(deps, 'read'), (ctx) => showOrganization(ctx, deps));
  router.patch(
    '/organization',
    ...enter(deps, 'create', 'owner'),
    ...validBody(organizationChangeBody),
    (ctx) => changeOrganization(ctx, deps),
  );
  router.get('/members', ...enter(deps, 'read'), query, (ctx) => listMembers(ctx, deps));
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
  router.get('/invitations', ...enter(deps, 'read', 'admin'), query, (ctx) =>
    listInvitations(ctx, deps),
  );
  router.post(
    '/invitations',
    ...enter(deps, 'create', 'admin'),
    ...validBody(invitationBody),
    (ctx) => invite(ctx, deps),
  );
  router.delete('/invitations/:invitationId', ...enter(deps, 'create', 'admin'), (ctx) =>
    withdraw(ctx, deps),
  );
  return router;
}

/** GET /organization */
async function showOrganization(ctx: ApiContext, { organizations }: Deps): Promise<void> {
  ctx.body = await organizations.get(identityOf(ctx).organizationId);
}

async function noteKeys(ctx: ApiContext, deps: Deps, ended: Key[]): Promise<void> {
  for (const key of ended) await recordChange(ctx, deps, 'key.revoke', titleOf(key));
}

/** PATCH /organization */
async function changeOrganization(ctx: ApiContext<ValidBody<OrganizationChangeBody>>, deps: Deps) {
  const { body } = ctx.state;
  const organization = await deps.organizations.change(identityOf(ctx).organizationId, body);
  const { name, tokensPerMonth } = organization;
  if (body.name !== undefined) await recordChange(ctx, deps, 'organization.rename', name);
  if (body.tokensPerMonth !== undefined) {
    const limit = tokensPerMonth === null ? 'none' : `${tokensPerMonth} tokens per month`;
    await recordChange(ctx, deps, 'organization.limit', limit);
  }
  ctx.body = organization;
}

/** GET /members */
async function listMembers(
  ctx: ApiContext<ValidQuery<PeopleQuery>>,
  { accounts }: Deps,
): Promise<void> {
  const { limit, cursor: after } = ctx.state.query;
  const { members, more } = await accounts.members.list(
    identityOf(ctx).organizationId,
    defined({ limit, after }),
  );
  ctx.body = { members, nextCursor: more ? addressCursor.at(members.at(-1)?.email ?? '') : null };
}

/** PATCH /members/{memberId} */
async function changeMember(ctx: ApiContext<ValidBody<RoleBody>>, deps: Deps): Promise<void> {
  const { role, endKeys } = ctx.state.body;
  const { members } = deps.accounts;
  const changed = await members.changeRole(callerOf(ctx), pathParameter(ctx, 'memberId'), role, {
    endKeys,
  });
  const { member, endedKeys } = changed;
  await recordChange(ctx, deps, 'member.update', `${member.email}: ${member.role}`);
  await noteKeys(ctx, deps, endedKeys);
  ctx.body = member;
}

/** DELETE /members/{memberId} */
async function removeMember(ctx: ApiContext<ValidQuery<RemovalQuery>>, deps: Deps): Promise<void> {
  const { members } = deps.accounts;
  const removed = await members.remove(
    callerOf(ctx),
    pathParameter(ctx, 'memberId'),
    ctx.state.query,
  );
  await recordChange(ctx, deps, 'member.remove', removed.member.email);
  await noteKeys(ctx, deps, removed.endedKeys);
  ctx.status = 204;
}

/** GET /invitations */
async function listInvitations(
  ctx: ApiContext<ValidQuery<PeopleQuery>>,
  { accounts }: Deps,
): Promise<void> {
  const { limit, cursor: after } = ctx.state.query;
  const { invitations, more } = await accounts.invitations.list(
    callerOf(ctx),
    defined({ limit, after }),
  );
  ctx.body = {
    invitations,
    nextCursor: more ? addressCursor.at(invitations.at(-1)?.email ?? '') : null,
  };
}

/** POST /invitations */
async function invite(
  ctx: ApiContext<ValidBody<{ email: string; role: Role }>>,
  deps: Deps,
): Promise<void> {
  const { accounts, signInLimits } = deps;
  const { organizationId } = identityOf(ctx);
  const mayMail = (email: string, userId?: string) =>
    signInLimits.mayMail(email, { organizationId, userId });
  const invitation = await accounts.invitations.create(callerOf(ctx), ctx.state.body, mayMail);
  await recordChange(ctx, deps, 'invitation.create', `${invitation.email}: ${invitation.role}`);
  ctx.body = invitation;
  ctx.status = 201;
}

/** DELETE /invitations/{invitationId} */
async function withdraw(ctx: ApiContext, deps: Deps): Promise<void> {
  const { email } = await deps.accounts.invitations.remove(
    callerOf(ctx),
    pathParameter(ctx, 'invitationId'),
  );
  await recordChange(ctx, deps, 'invitation.delete', email);
  ctx.status = 204;
}
