import { expect } from 'chai';
import { createCompleteBatch } from '../../activities/batches/completeBatch.ts';
import { WORKFLOW_GONE } from '../../src/contract/batches/batch.ts';
import type { BatchStore } from '../../src/contract/batches/batchStore.ts';
import { createOrganizations } from '../../src/organizations/organizations.ts';
import { createSites } from '../../src/organizations/sites.ts';
import { createBatches } from '../../src/storage/batches/batches.ts';
import { randomTaskId } from '../../src/temporal/tasks/taskId.ts';
import { atTime } from '../helpers/atTime.ts';
import type { DeliveryLog } from '../../src/contract/events.ts';
import { eventStores } from '../helpers/events.ts';
import { testDatabase } from '../helpers/database.ts';

describe('completeBatch', function () {
  this.timeout(60_000);
  let batches: BatchStore;
  let eventLog: DeliveryLog;
  let owner: { organizationId: string; siteId: string };
  before(async () => {
    const db = await testDatabase();
    ({ eventLog } = eventStores(db));
    const { organizationId } = await createOrganizations(db).create({ name: 'Ends' });
    const site = { organizationId, name: 'site', repository: null };
    owner = { organizationId, siteId: (await createSites(db).create(site)).siteId };
    batches = atTime(() => Date.now() + 61_000, createBatches(db));
  });

  async function create(): Promise<string> {
    const batchId = randomTaskId();
    await batches.create({
      ...owner,
      batchId,
      createdAt: new Date().toISOString(),
      createdBy: { keyId: 'k' },
      bodyHash: 'hash',
      title: 'Title',
      publish: true,
      onWarnings: 'publish',
      callbackUrl: 'https://receiver.example/',
      rows: [{ number: 1, templatePageSlug: '/t', targetPageSlug: '/p', context: 'x' }],
    });
    return batchId;
  }
  const end = (taskId: string) =>
    createCompleteBatch({ batches, batchAddress: (id) => `http://b/${id}`, eventLog })({
      task: { ...owner, taskId, createdAt: '2026-01-01T00:00:00.000Z' },
      status: 'paused',
    });

  it('returns the end, the error and the time that the database has, and can be repeated', async () => {
    const batchId = await create();
    const lost = await batches.lost(batchId);
    const told = await end(batchId);
    expect(told).to.deep.include({
      batchId,
      status: 'failed',
      errorMessage: WORKFLOW_GONE,
      finishedAt: lost!.finishedAt,
    });
    expect(await end(batchId)).to.deep.equal(told);
    expect(await batches.lost(batchId), 'told').to.equal(undefined);
  });
});
