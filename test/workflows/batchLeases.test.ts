import { expect } from 'chai';
import type { Kysely } from 'kysely';
import type { TaskActivities } from '../../activities/index.ts';
import { BATCH_WORKFLOW, RESUME_SIGNAL } from '../../src/contract/batches/batch.ts';
import { TASK_QUEUE } from '../../src/contract/task.ts';
import { createOrganizations } from '../../src/organizations/organizations.ts';
import { createSites } from '../../src/organizations/sites.ts';
import { createBatches } from '../../src/storage/batches/batches.ts';
import type { Schema } from '../../src/storage/schema.ts';
import { createTaskLeases, type TaskLeases } from '../../src/storage/taskLeases.ts';
import { randomTaskId } from '../../src/temporal/tasks/taskId.ts';
import { testDatabase } from '../helpers/database.ts';
import { FakeBatch } from '../helpers/fakeBatch.ts';
import {
  fakeActivities,
  startTimeSkipping,
  type TimeSkipping,
  withWorker,
} from '../helpers/temporal.ts';

describe('the lease of a batch', function () {
  this.timeout(240_000);
  let server: TimeSkipping;
  let db: Kysely<Schema>;
  before(async () => {
    [server, db] = await Promise.all([startTimeSkipping(), testDatabase()]);
  });
  after(() => server?.close());

  it('stays with a batch that a command runs again as its run ends', async () => {
    const { organizationId } = await createOrganizations(db).create({ name: 'Leases' });
    const { siteId } = await createSites(db).create({
      organizationId,
      name: 'site',
      repository: null,
    });
    const store = createBatches(db);
    const leases = createTaskLeases(db, 10);
    const taskId = randomTaskId();
    await store.create({
      batchId: taskId,
      organizationId,
      siteId,
      createdAt: new Date().toISOString(),
      createdBy: { keyId: 'k' },
      bodyHash: 'hash',
      title: 'Title',
      publish: true,
      onWarnings: 'publish',
      rows: [{ number: 1, templatePageSlug: '/t', targetPageSlug: '/p', context: 'x' }],
    });
    const batch = new FakeBatch(2);
    const fakes = batch.activities();
    const held: boolean[] = [];
    const activities: TaskActivities = {
      ...fakeActivities(),
      ...fakes,
      async generateRow(argument) {
        held.push((await leases.ofSites([siteId])).includes(taskId));
        return fakes.generateRow(argument);
      },
      async completeBatch(argument) {
        const end = await fakes.completeBatch(argument);
        if (end) await store.end(taskId, () => ({ status: end.status as 'completed' }));
        return end;
      },
    };
    const run = () =>
      server.env.client.workflow.signalWithStart(BATCH_WORKFLOW, {
        workflowId: taskId,
        taskQueue: TASK_QUEUE,
        signal: RESUME_SIGNAL,
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
        args: [{ taskId, organizationId, siteId, createdAt: '2026-01-01T00:00:00.000Z' }],
        searchAttributes: { OrganizationId: [organizationId], SiteId: [siteId] },
      });
    const take = () => leases.acquire({ taskId, organizationId, siteId });
    /** The command: rows of the batch are retried. */
    const retry = async (): Promise<Awaited<ReturnType<TaskLeases['acquire']>>> => {
      const taken = await take();
      batch.status = 'running';
      batch.rows.set(1, 'waiting');
      await store.change(taskId, { status: 'running' });
      await take();
      await run();
      return taken;
    };
    let ends = 0;
    // the run has reported its end, and Temporal hears of the command before it hears of that
    const ended = async () => {
      if (ends++ === 0) expect(await retry()).to.equal('had');
      await leases.releaseEnded(taskId);
    };
    const sinks = { tasks: { phaseEnded: { fn: () => undefined }, ended: { fn: ended } } };
    await withWorker(
      server,
      activities,
      async () => {
        await take();
        await run();
        while (ends < 2) await server.env.client.workflow.getHandle(taskId).result();
      },
      { sinks },
    );
    expect(held).to.deep.equal([true, true, true]);
    expect(await leases.ofSites([siteId])).to.deep.equal([]);
  });
});
