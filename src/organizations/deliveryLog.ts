import { randomUUID } from 'node:crypto';
import { type Insertable, type Kysely, sql } from 'kysely';
import { type DeliveryAttempt, type DeliveryLog, TEST_EVENT } from '../contract/events.ts';
import { createRowCache } from '../storage/rowCache.ts';
import type { RowChanges } from '../storage/rowChanges.ts';
import type { Schema } from '../storage/schema.ts';
import type { SecretBox } from './secretBox.ts';
import { openEndpoint } from './webhookEndpoints.ts';

const DAY = 86_400_000;
/** How long deliveries are kept. */
const KEPT_MS = 30 * DAY;
/** How many deliveries of an endpoint the clean-up keeps. */
const KEPT_DELIVERIES = 1_000;
/** How long an endpoint may fail before it is disabled. */
const FAILING_MS = 5 * DAY;
const LONGEST_ERROR = 300;

interface DeliveryLogOptions {
  changes?: RowChanges;
  /** The time in milliseconds. Default: the clock's. */
  now?: () => number;
}

/** The log of deliveries, as the worker and the starts of tasks use it. */
export interface CachedDeliveryLog extends DeliveryLog {
  /** Forgets whether the organization has endpoints, after this process changed them. */
  forget: (organizationId: string) => void;
}

export function createDeliveryLog(
  db: Kysely<Schema>,
  secretBox: SecretBox,
  { changes, now = Date.now }: DeliveryLogOptions = {},
): CachedDeliveryLog {
  const enabledCache = createRowCache<boolean | null>('webhook_endpoints', changes);

  return {
    async record(organizationId, { eventId, type }, body) {
      const wantingEndpoints = await db
        .selectFrom('webhook_endpoints')
        .select('id')
        .where('organization_id', '=', organizationId)
        .where('enabled', '=', true)
        .where(sql<boolean>`event_types @> ${JSON.stringify([type])}::jsonb`)
        .execute();
      const event = { event_id: eventId, event_type: type, body };
      for (const { id } of wantingEndpoints)
        await insertDelivery(db, { endpoint_id: id, ...event }, now());
      const stored = await db
        .selectFrom('event_deliveries')
        .innerJoin('webhook_endpoints', 'webhook_endpoints.id', 'endpoint_id')
        .select('event_deliveries.id')
        .where('organization_id', '=', organizationId)
        .where('event_id', '=', eventId)
        .where('state', '=', 'pending')
        .execute();
      return stored.map(({ id }) => id);
    },

    hasEndpoints: async (organizationId) =>
      (await enabledCache.get(organizationId, async () => {
        const enabledEndpoint = await db
          .selectFrom('webhook_endpoints')
          .select('id')
          .where('organization_id', '=', organizationId)
          .where('enabled', '=', true)
          .limit(1)
          .executeTakeFirst();
        return enabledEndpoint ? true : null;
      })) ?? false,

    forget: (organizationId) => enabledCache.forget(organizationId),

    async open(deliveryId) {
      const row = await db
        .selectFrom('event_deliveries')
        .innerJoin('webhook_endpoints', 'webhook_endpoints.id', 'endpoint_id')
        .selectAll('webhook_endpoints')
        .select(['event_id', 'body'])
        .where('event_deliveries.id', '=', deliveryId)
        .where('state', '=', 'pending')
        .executeTakeFirst();
      if (!row) return null;
      const { event_id: eventId, body, kind, enabled: isEnabled } = row;
      return { eventId, body, kind, isEnabled, ...openEndpoint(secretBox, row) };
    },

    storeAttempt: (deliveryId, attempt) => storeAttempt(db, deliveryId, attempt, now()),

    async unreportedFailure(deliveryId) {
      const row = await db
        .selectFrom('event_deliveries')
        .innerJoin('webhook_endpoints', 'webhook_endpoints.id', 'endpoint_id')
        .selectAll('webhook_endpoints')
        .where('event_deliveries.id', '=', deliveryId)
        .where('notice_due', '=', true)
        .executeTakeFirst();
      if (!row) return null;
      const { id: endpointId, organization_id: organizationId, description } = row;
      return { endpointId, organizationId, description, shownUrl: new URL(row.shown_url).origin };
    },

    async failureReported(endpointId) {
      const endpoint = db.updateTable('webhook_endpoints').set({ notice_due: false });
      await endpoint.where('id', '=', endpointId).execute();
    },

    prune: () => pruneDeliveries(db, now()),
  };
}

type NewDelivery = Pick<
  Insertable<Schema['event_deliveries']>,
  'endpoint_id' | 'event_id' | 'event_type' | 'body'
>;

/** Stores a pending delivery, unless the endpoint has the event already. */
export async function insertDelivery(
  db: Kysely<Schema>,
  delivery: NewDelivery,
  currentTime: number,
): Promise<void> {
  await db
    .insertInto('event_deliveries')
    .values({
      ...delivery,
      id: randomUUID(),
      state: 'pending',
      created_at: new Date(currentTime),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/**
 * Stores an attempt. A failure begins the time in which the endpoint fails, and a success ends it.
 * Only a delivery that is given up, after 28 hours, can disable the endpoint: one bad moment after
 * weeks without events can't. Test events never do.
 */
async function storeAttempt(
  db: Kysely<Schema>,
  deliveryId: string,
  { attemptId, status, error, isLast }: DeliveryAttempt,
  currentTime: number,
): Promise<void> {
  const attemptedAt = new Date(currentTime);
  const isDelivered = error === undefined;
  await db.transaction().execute(async (trx) => {
    const stored = await trx
      .updateTable('event_deliveries')
      .set((column) => ({
        state: isDelivered ? 'delivered' : isLast ? 'failed' : 'pending',
        attempts: sql<number>`${column.ref('attempts')} + 1`,
        attempt_id: attemptId,
        response_status: status ?? null,
        error: error?.slice(0, LONGEST_ERROR) ?? null,
        attempted_at: attemptedAt,
      }))
      .where('id', '=', deliveryId)
      // a write that was repeated because its answer was lost counts once
      .where(sql<boolean>`attempt_id is distinct from ${attemptId}::uuid`)
      .returning(['endpoint_id', 'event_type'])
      .executeTakeFirst();
    if (!stored || (stored.event_type === TEST_EVENT && !isDelivered)) return;
    const endpoint = trx.updateTable('webhook_endpoints').where('id', '=', stored.endpoint_id);
    await endpoint
      .set((column) => ({
        failing_since: isDelivered
          ? null
          : sql<Date>`coalesce(${column.ref('failing_since')}, ${attemptedAt}::timestamptz)`,
      }))
      .where('failing_since', isDelivered ? 'is not' : 'is', null)
      .execute();
    if (isDelivered || !isLast) return;
    await endpoint
      .set({ enabled: false, disabled_because: 'failures', notice_due: true })
      .where('enabled', '=', true)
      .where('failing_since', '<=', new Date(currentTime - FAILING_MS))
      .execute();
  });
}

/** Removes deliveries that are too old, and those that exceed the number of an endpoint. */
async function pruneDeliveries(db: Kysely<Schema>, currentTime: number): Promise<void> {
  const ranked = db
    .selectFrom('event_deliveries')
    .select([
      'id',
      sql<string>`row_number() over (partition by endpoint_id order by created_at desc, id)`.as(
        'rank',
      ),
    ])
    .as('ranked');
  const surplus = db
    .selectFrom(ranked)
    .select('ranked.id')
    .where(sql<boolean>`rank > ${KEPT_DELIVERIES}`);
  await db
    .deleteFrom('event_deliveries')
    .where((where) =>
      where.or([
        where('created_at', '<', new Date(currentTime - KEPT_MS)),
        where.and([where('id', 'in', surplus), where('state', '!=', 'pending')]),
      ]),
    )
    .execute();
}
