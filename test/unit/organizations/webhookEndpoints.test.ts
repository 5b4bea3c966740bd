import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Kysely } from 'kysely';
import type { NewEvent } from '../../../src/contract/events.ts';
import { createOrganizations } from '../../../src/organizations/organizations.ts';
import { createSecretBox } from '../../../src/organizations/secretBox.ts';
import { createWebhookEndpoints } from '../../../src/organizations/webhookEndpoints.ts';
import type { Schema } from '../../../src/storage/schema.ts';
import { testDatabase } from '../../helpers/database.ts';
import { eventStores } from '../../helpers/events.ts';

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: { code: string }) => error.code,
  );
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const url = 'https://receiver.example/hook?token=t0ken';
const eventTypes: ['task.failed'] = ['task.failed'];
const endpoint = { kind: 'webhook' as const, url, description: 'CRM', eventTypes };
const eventOf = (eventId: string): Pick<NewEvent, 'eventId' | 'type'> => ({
  eventId,
  type: 'task.failed',
});

describe('webhook endpoints', function () {
  this.timeout(60_000);
  let db: Kysely<Schema>;
  let time = Date.now();
  let stores: ReturnType<typeof eventStores>;
  let organizationId: string;
  const by = () => ({ organizationId, address: '127.0.0.1' });
  before(async () => {
    db = await testDatabase();
    stores = eventStores(db, () => time);
  });
  beforeEach(async () => {
    ({ organizationId } = await createOrganizations(db).create({ name: 'Endpoints' }));
  });

  const create = (changes: Partial<typeof endpoint> | { kind: 'slack' } = {}) =>
    stores.webhookEndpoints.create(by(), { ...endpoint, ...changes });
  const record = async (eventId: string) => {
    const [deliveryId] = await stores.eventLog.record(organizationId, eventOf(eventId), '{}');
    return deliveryId!;
  };
  const fail = (deliveryId: string, isLast = true) =>
    stores.eventLog.storeAttempt(deliveryId, { attemptId: randomUUID(), error: 'no', isLast });
  const rowOf = (endpointId: string) =>
    db
      .selectFrom('webhook_endpoints')
      .selectAll()
      .where('id', '=', endpointId)
      .executeTakeFirstOrThrow();

  it('show their secret once, and the database has neither it nor the URL of a channel', async () => {
    const { secret, ...created } = await create();
    expect(secret).to.match(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(await stores.webhookEndpoints.list(organizationId)).to.deep.equal([created]);
    const slack = await create({ kind: 'slack' });
    expect([slack.secret, slack.url]).to.deep.equal([null, 'https://receiver.example']);
    const rows = JSON.stringify(
      await Promise.all([created, slack].map((e) => rowOf(e.endpointId))),
    );
    expect(rows).not.to.include(secret!);
    expect(Buffer.from((await rowOf(slack.endpointId)).sealed).includes('t0ken')).to.equal(false);
    const audit = await db
      .selectFrom('audit_entries')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .execute();
    expect(audit.map(({ action }) => action)).to.deep.equal(
      Array(2).fill('webhook-endpoint.create'),
    );
    expect(JSON.stringify(audit)).not.to.include('t0ken');
  });

  it('sign with the old and the new secret for a day after a rotation', async () => {
    const { endpointId, secret } = await create();
    const rotated = await stores.webhookEndpoints.rotateSecret(by(), endpointId);
    const deliveryId = await record('e1');
    const opened = await stores.eventLog.open(deliveryId);
    expect(opened!.secrets).to.deep.equal([rotated.secret, secret]);
    expect(opened!.url).to.equal(url);
    const past = { previous_until: new Date(Date.now() - 1) };
    await db.updateTable('webhook_endpoints').set(past).where('id', '=', endpointId).execute();
    expect((await stores.eventLog.open(deliveryId))!.secrets).to.deep.equal([rotated.secret]);
    const { endpointId: slackId } = await create({ kind: 'slack' });
    expect(await codeOf(stores.webhookEndpoints.rotateSecret(by(), slackId))).to.equal('CONFLICT');
  });

  it('are at most 20, and belong to their organization', async () => {
    const { endpointId } = await create();
    for (let count = 1; count < 20; count++) await create();
    expect(await codeOf(create())).to.equal('CONFLICT');
    const other = await createOrganizations(db).create({ name: 'Other' });
    const stranger = { ...by(), organizationId: other.organizationId };
    const { webhookEndpoints } = stores;
    for (const work of [
      webhookEndpoints.find(other.organizationId, endpointId),
      webhookEndpoints.change(stranger, endpointId, { enabled: false }),
      webhookEndpoints.remove(stranger, endpointId),
      webhookEndpoints.rotateSecret(stranger, endpointId),
      stores.eventDeliveries.list(other.organizationId, endpointId, { limit: 1 }),
    ])
      expect(await codeOf(work)).to.equal('NOT_FOUND');
  });

  it('are encrypted again with the first key', async () => {
    const { endpointId, secret } = await create();
    const old = { id: 'test', key: Buffer.alloc(32, 7) };
    const fresh = { id: 'fresh', key: Buffer.alloc(32, 8) };
    const resealing = createWebhookEndpoints(db, createSecretBox([fresh, old]));
    expect(await resealing.reseal()).to.be.greaterThan(0);
    expect((await rowOf(endpointId)).key_id).to.equal('fresh');
    const back = createWebhookEndpoints(db, createSecretBox([old, fresh]));
    await back.reseal();
    const deliveryId = await record('e1');
    expect((await stores.eventLog.open(deliveryId))!.secrets).to.deep.equal([secret]);
  });

  describe('get events', () => {
    it('that they have selected, each once, while they are enabled', async () => {
      const { endpointId } = await create();
      expect(await stores.eventLog.hasEndpoints(organizationId)).to.equal(true);
      const first = await record('e1');
      expect(await record('e1')).to.equal(first);
      const other = { eventId: 'e2', type: 'task.completed' as const };
      expect(await stores.eventLog.record(organizationId, other, '{}')).to.deep.equal([]);
      await stores.webhookEndpoints.change(by(), endpointId, { enabled: false });
      expect(await stores.eventLog.hasEndpoints(organizationId)).to.equal(false);
      expect(await record('e3')).to.equal(undefined);
      expect((await stores.eventLog.open(first))!.isEnabled).to.equal(false);
      await stores.webhookEndpoints.remove(by(), endpointId);
      expect(await stores.eventLog.open(first)).to.equal(null);
    });

    it('and are disabled once deliveries are given up after five days of failures only', async () => {
      const { endpointId } = await create();
      const enabled = async () => (await rowOf(endpointId)).enabled;
      await fail(await record('e1'), false);
      time += 4 * DAY;
      await fail(await record('e2'));
      expect(await enabled()).to.equal(true);
      const success = await record('e3');
      await stores.eventLog.storeAttempt(success, {
        attemptId: randomUUID(),
        status: 204,
        isLast: false,
      });
      expect((await rowOf(endpointId)).failing_since).to.equal(null);
      time += 2 * DAY;
      await fail(await record('e4'));
      expect(await enabled()).to.equal(true);
      time += 5 * DAY;
      // an attempt that others follow disables nothing
      const last = await record('e5');
      await fail(last, false);
      expect(await enabled()).to.equal(true);
      await fail(last);
      expect(await enabled()).to.equal(false);
      const shown = await stores.webhookEndpoints.find(organizationId, endpointId);
      expect(shown.disabledBecause).to.equal('failures');
      expect((await stores.eventLog.unreportedFailure(last))!.endpointId).to.equal(endpointId);
      await stores.eventLog.failureReported(endpointId);
      expect(await stores.eventLog.unreportedFailure(last)).to.equal(null);
      const again = await stores.webhookEndpoints.change(by(), endpointId, { enabled: true });
      expect([again.disabledBecause, again.failingSince]).to.deep.equal([undefined, null]);
    });

    it('and test events disable nothing', async () => {
      const { endpointId } = await create();
      const test = await stores.eventDeliveries.recordTest(organizationId, endpointId);
      await fail(test.delivery.deliveryId);
      expect((await rowOf(endpointId)).failing_since).to.equal(null);
    });
  });

  describe('log deliveries', () => {
    it('in pages, the newest first, with the last response', async () => {
      const { endpointId } = await create();
      for (const id of ['e1', 'e2', 'e3']) {
        time += 1_000;
        await record(id);
      }
      const { eventDeliveries, eventLog } = stores;
      const page = await eventDeliveries.list(organizationId, endpointId, { limit: 2 });
      expect(page.deliveries.map(({ eventId }) => eventId)).to.deep.equal(['e3', 'e2']);
      const { createdAt: at, deliveryId: id } = page.deliveries[1]!;
      const busy = { attemptId: randomUUID(), status: 503, error: 'busy', isLast: false };
      await eventLog.storeAttempt(id, busy);
      // the answer of the database was lost, so the activity writes it again
      await eventLog.storeAttempt(id, busy);
      const after = { at, id };
      const rest = await eventDeliveries.list(organizationId, endpointId, { limit: 2, after });
      expect([page.more, rest.more, rest.deliveries[0]!.eventId]).to.deep.equal([
        true,
        false,
        'e1',
      ]);
      const [, second] = (await eventDeliveries.list(organizationId, endpointId, { limit: 2 }))
        .deliveries;
      expect(second).to.deep.include({
        state: 'pending',
        attempts: 1,
        responseStatus: 503,
        error: 'busy',
      });
    });

    it('and send one again with the same event, unless it is under way', async () => {
      const { endpointId } = await create();
      time = Date.now();
      const deliveryId = await record('e1');
      const reopen = () => stores.eventDeliveries.reopen(organizationId, endpointId, deliveryId);
      expect(await codeOf(reopen())).to.equal('CONFLICT');
      await fail(deliveryId);
      const again = await reopen();
      expect(again.delivery).to.deep.include({ deliveryId, eventId: 'e1', state: 'pending' });
      expect(await codeOf(reopen())).to.equal('CONFLICT');
      // a delivery that lost its workflow can be sent again
      const old = { attempted_at: new Date(Date.now() - 12 * HOUR) };
      await db.updateTable('event_deliveries').set(old).where('id', '=', deliveryId).execute();
      expect((await reopen()).workflowId).not.to.equal(again.workflowId);
    });

    it('for 30 days, and 1,000 of an endpoint', async () => {
      const { endpointId } = await create();
      const values = Array.from({ length: 1_005 }, (_, n) => ({
        id: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
        endpoint_id: endpointId,
        event_id: `e${n}`,
        event_type: 'task.failed',
        body: '{}',
        state: 'failed' as const,
        created_at: new Date(Date.now() - n),
      }));
      await db.insertInto('event_deliveries').values(values).execute();
      const countRows = async () =>
        (
          await db
            .selectFrom('event_deliveries')
            .select('id')
            .where('endpoint_id', '=', endpointId)
            .execute()
        ).length;
      time = Date.now();
      await stores.eventLog.prune();
      expect(await countRows()).to.equal(1_000);
      time += 31 * DAY;
      await stores.eventLog.prune();
      expect(await countRows()).to.equal(0);
      time = Date.now();
    });
  });
});
