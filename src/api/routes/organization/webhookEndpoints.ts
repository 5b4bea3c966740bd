import type { WebhookEndpointList } from '../../../contract/responses.ts';
import type { DomainError } from '../../../errors.ts';
import type { EndpointChanges, NewEndpoint } from '../../../organizations/webhookEndpoints.ts';
import type { StoredDelivery } from '../../../organizations/eventDeliveries.ts';
import {
  type ApiContext,
  type ApiRouter,
  auditActorOf,
  callerIdentity,
  pathParameter,
  type ValidBody,
  type ValidQuery,
} from '../../context.ts';
import type { RouteDeps } from '../../apiDeps.ts';
import { createRouter } from '../../router.ts';
import { validBody } from '../../middleware/validBody.ts';
import { enter } from '../../middleware/enter.ts';
import { validateQuery } from '../../middleware/validate.ts';
import { recordChange } from '../../recordChange.ts';
import { timeCursor } from '../../timeCursors.ts';
import { nothing } from '../sites/siteSettings.schema.ts';
import { timeListQuery, type TimeListQuery } from './keys.schema.ts';
import { endpointChangesBody, newEndpointBody } from './webhookEndpoints.schema.ts';

type EndpointRouteDeps = RouteDeps<
  'audit' | 'checkCallbackUrl' | 'webhookEndpoints' | 'eventDeliveries' | 'eventLog' | 'startEvent'
>;

const endpointsPath = '/webhook-endpoints';
const endpointPath = `${endpointsPath}/:endpointId`;

/** Endpoints that receive the events of an organization, for admins, and the log of deliveries. */
export function webhookEndpointRoutes(deps: EndpointRouteDeps): ApiRouter {
  const { webhookEndpoints } = deps;
  const router = createRouter();
  const readChecks = enter(deps, 'read', 'admin');
  const writeChecks = enter(deps, 'create', 'admin');
  const commandChecks = [...writeChecks, ...validBody(nothing, { optional: true })];

  router.get(endpointsPath, ...readChecks, async (ctx) => {
    const endpoints = await webhookEndpoints.list(callerIdentity(ctx).organizationId);
    ctx.body = { endpoints } satisfies WebhookEndpointList;
  });
  router.post(endpointsPath, ...writeChecks, ...validBody(newEndpointBody), (ctx) =>
    createEndpoint(ctx, deps),
  );
  router.get(endpointPath, ...readChecks, async (ctx) => {
    ctx.body = await webhookEndpoints.find(...endpointKey(ctx));
  });
  router.patch(endpointPath, ...writeChecks, ...validBody(endpointChangesBody), (ctx) =>
    changeEndpoint(ctx, deps),
  );
  router.delete(endpointPath, ...writeChecks, async (ctx) => {
    await webhookEndpoints.remove(auditActorOf(ctx), pathParameter(ctx, 'endpointId'));
    ctx.status = 204;
  });
  router.post(`${endpointPath}/rotate`, ...commandChecks, async (ctx) => {
    const endpointId = pathParameter(ctx, 'endpointId');
    ctx.body = await webhookEndpoints.rotateSecret(auditActorOf(ctx), endpointId);
  });
  const validList = validateQuery(timeListQuery('deliveries'));
  router.get(`${endpointPath}/deliveries`, ...readChecks, validList, (ctx) =>
    listDeliveries(ctx, deps),
  );
  router.post(`${endpointPath}/test`, ...commandChecks, async (ctx) => {
    const stored = await deps.eventDeliveries.recordTest(...endpointKey(ctx));
    await startDelivery(ctx, deps, stored, { once: true });
  });
  router.post(`${endpointPath}/deliveries/:deliveryId/redeliver`, ...commandChecks, async (ctx) => {
    const deliveryId = pathParameter(ctx, 'deliveryId');
    const stored = await deps.eventDeliveries.reopen(...endpointKey(ctx), deliveryId);
    await recordChange(ctx, deps, 'webhook-endpoint.redeliver', stored.delivery.eventId);
    await startDelivery(ctx, deps, stored);
  });
  return router;
}

const endpointKey = (ctx: ApiContext): [organizationId: string, endpointId: string] => [
  callerIdentity(ctx).organizationId,
  pathParameter(ctx, 'endpointId'),
];

async function createEndpoint(
  ctx: ApiContext<ValidBody<NewEndpoint>>,
  { webhookEndpoints, checkCallbackUrl }: EndpointRouteDeps,
): Promise<void> {
  await checkCallbackUrl(ctx.state.body.url);
  ctx.body = await webhookEndpoints.create(auditActorOf(ctx), ctx.state.body);
  ctx.status = 201;
}

async function changeEndpoint(
  ctx: ApiContext<ValidBody<EndpointChanges>>,
  { webhookEndpoints, checkCallbackUrl }: EndpointRouteDeps,
): Promise<void> {
  const { body } = ctx.state;
  if (body.url !== undefined) await checkCallbackUrl(body.url);
  const endpointId = pathParameter(ctx, 'endpointId');
  ctx.body = await webhookEndpoints.change(auditActorOf(ctx), endpointId, body);
}

async function listDeliveries(
  ctx: ApiContext<ValidQuery<TimeListQuery>>,
  { eventDeliveries }: EndpointRouteDeps,
): Promise<void> {
  const { limit, cursor: after } = ctx.state.query;
  const { deliveries, more } = await eventDeliveries.list(...endpointKey(ctx), { limit, after });
  const last = deliveries.at(-1);
  ctx.body = {
    deliveries,
    nextCursor: more && last ? timeCursor.at({ at: last.createdAt, id: last.deliveryId }) : null,
  };
}

/** Starts the workflow of a stored delivery. The caller follows it in the log. */
async function startDelivery(
  ctx: ApiContext,
  { startEvent, eventDeliveries }: EndpointRouteDeps,
  { delivery, workflowId }: StoredDelivery,
  options: { once?: true } = {},
): Promise<void> {
  const { organizationId } = callerIdentity(ctx);
  const { deliveryId } = delivery;
  const input = { organizationId, deliveries: [deliveryId], ...options };
  await startEvent(workflowId, input).catch(async (error: DomainError) => {
    await eventDeliveries.storeUnsent(deliveryId, error.message);
    throw error;
  });
  ctx.status = 202;
  ctx.body = delivery;
}
