import { randomUUID } from 'node:crypto';
import { type Kysely, type Selectable, sql } from 'kysely';
import { eventWorkflowId, TEST_EVENT } from '../contract/events.ts';
import type { EventDelivery } from '../contract/responses.ts';
import { DomainError } from '../errors.ts';
import type { Schema } from '../storage/schema.ts';
import type { AuditPosition } from './audit.ts';
import { insertDelivery } from './deliveryLog.ts';
import { isUuid } from './uuid.ts';
import { findRow } from './webhookEndpoints.ts';

/** A pending delivery without an attempt for this long has lost its workflow. */
const LOST_MS = 11 * 3_600_000;
/** How often people can ask for a delivery again. */
const MOST_REDELIVERIES = 20;

/** The deliveries of an endpoint, as the API shows them and starts them. */
export interface EventDeliveries {
  /** A page of an endpoint's deliveries, the newest first. @throws DomainError NOT_FOUND */
  list(
    organizationId: string,
    endpointId: string,
    part: { after?: AuditPosition | undefined; limit: number },
  ): Promise<{ deliveries: EventDelivery[]; more: boolean }>;
  /** Stores a test event for one endpoint. @throws DomainError NOT_FOUND, CONFLICT if disabled */
  recordTest(organizationId: string, endpointId: string): Promise<StoredDelivery>;
  /**
   * Makes a delivery pending again.
   * @throws DomainError NOT_FOUND; CONFLICT if it is pending, was redelivered 20 times, or its
   *   endpoint is disabled
   */
  reopen(organizationId: string, endpointId: string, deliveryId: string): Promise<StoredDelivery>;
  /** Records that a delivery could not be started. It does not count as an attempt. */
  storeUnsent(deliveryId: string, error: string): Promise<void>;
}

/** A pending delivery, and the id of the workflow that is to send it. */
export interface StoredDelivery {
  delivery: EventDelivery;
  workflowId: string;
}

type DeliveryRow = Selectable<Schema['event_deliveries']>;

export function createEventDeliveries(db: Kysely<Schema>): EventDeliveries {
  const requireEnabled = async (organizationId: string, endpointId: string) => {
    const endpoint = await findRow(db, organizationId, endpointId);
    if (!endpoint.enabled)
      throw new DomainError('CONFLICT', 'The endpoint is disabled. Enable it first.');
    return endpoint;
  };

  return {
    async list(organizationId, endpointId, { after, limit }) {
      await findRow(db, organizationId, endpointId);
      const isAfterPosition = sql<boolean>`(created_at, id) < (${after?.at}::timestamptz, ${after?.id}::uuid)`;
      const rows = await db
        .selectFrom('event_deliveries')
        .selectAll()
        .where('endpoint_id', '=', endpointId)
        .$if(after !== undefined, (query) => query.where(isAfterPosition))
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit + 1)
        .execute();
      return { deliveries: rows.slice(0, limit).map(presentDelivery), more: rows.length > limit };
    },

    async recordTest(organizationId, endpointId) {
      await requireEnabled(organizationId, endpointId);
      const eventId = `test-${randomUUID()}`;
      const timestamp = new Date().toISOString();
      const body = JSON.stringify({ type: TEST_EVENT, timestamp, data: { endpointId } });
      const event = { endpoint_id: endpointId, event_id: eventId, event_type: TEST_EVENT, body };
      await insertDelivery(db, event, Date.now());
      const stored = db.selectFrom('event_deliveries').selectAll().where('event_id', '=', eventId);
      return storedDelivery(await stored.executeTakeFirstOrThrow());
    },

    async reopen(organizationId, endpointId, deliveryId) {
      await requireEnabled(organizationId, endpointId);
      const delivery = isUuid(deliveryId)
        ? await db
            .selectFrom('event_deliveries')
            .selectAll()
            .where('id', '=', deliveryId)
            .where('endpoint_id', '=', endpointId)
            .executeTakeFirst()
        : undefined;
      if (!delivery) throw new DomainError('NOT_FOUND', 'Delivery not found');
      const reopened = await db
        .updateTable('event_deliveries')
        .set((column) => ({
          state: 'pending',
          redeliveries: sql<number>`${column.ref('redeliveries')} + 1`,
        }))
        .where('id', '=', deliveryId)
        .where((where) =>
          where.or([
            where('state', '!=', 'pending'),
            where(
              sql<Date>`coalesce(attempted_at, created_at)`,
              '<',
              new Date(Date.now() - LOST_MS),
            ),
          ]),
        )
        .where('redeliveries', '<', MOST_REDELIVERIES)
        .returningAll()
        .executeTakeFirst();
      if (reopened) return storedDelivery(reopened);
      const problem =
        delivery.redeliveries >= MOST_REDELIVERIES
          ? `The event was already redelivered ${MOST_REDELIVERIES} times, which is the limit`
          : 'The event is being delivered';
      throw new DomainError('CONFLICT', problem);
    },

    async storeUnsent(deliveryId, error) {
      const delivery = db.updateTable('event_deliveries').where('id', '=', deliveryId);
      await delivery.set({ state: 'failed', error }).execute();
    },
  };
}

const storedDelivery = (row: DeliveryRow): StoredDelivery => ({
  delivery: presentDelivery(row),
  workflowId: eventWorkflowId(`${row.id}-${row.redeliveries}`),
});

const presentDelivery = (row: DeliveryRow): EventDelivery => ({
  deliveryId: row.id,
  eventId: row.event_id,
  eventType: row.event_type,
  state: row.state,
  attempts: row.attempts,
  responseStatus: row.response_status,
  error: row.error,
  createdAt: row.created_at.toISOString(),
  attemptedAt: row.attempted_at?.toISOString() ?? null,
});
