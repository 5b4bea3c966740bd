import type { Client } from '@temporalio/client';
import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Schema } from '../../../src/storage/schema.ts';
import { createTaskLeases } from '../../../src/storage/taskLeases.ts';
import { startLeaseCheck } from '../../../src/temporal/tasks/leaseCheck.ts';
import { randomTaskId } from '../../../src/temporal/tasks/taskId.ts';
import { testDatabase } from '../../helpers/database.ts';
import { startOwnTemporal } from '../../helpers/ownTemporal.ts';
import { until } from '../../helpers/until.ts';

describe('startLeaseCheck(client, { leases })', function () {
  this.timeout(60_000);
  const resources = new AsyncDisposableStack();
  let client: Client;
  let db: Kysely<Schema>;
  before(async () => {
    db = await testDatabase();
    ({ client } = await startOwnTemporal(resources));
  });
  after(() => resources.disposeAsync());

  /** A workflow that no worker runs. */
  const start = (memo = {}) =>
    client.workflow
      .start('task', { taskQueue: 'nobody', workflowId: randomTaskId(), memo })
      .then((handle) => handle);

  it('releases permits that no running task needs, or that a task waiting for people has, and keeps the others', async () => {
    const leases = createTaskLeases(db, 10);
    const owner = { organizationId: randomUUID(), siteId: randomUUID() };
    const running = await start();
    const ended = await start();
    await ended.terminate();
    const decided = await start({
      finished: { status: 'failed', errorMessage: 'No', finishedAt: '2026-01-02' },
    });
    const waiting = await start({ releasedPermit: true });
    const never = randomTaskId();
    const those = [running, ended, decided, waiting].map(({ workflowId }) => workflowId);
    for (const taskId of [...those, never]) await leases.acquire({ ...owner, taskId });
    const failures: unknown[] = [];
    const gone: string[] = [];
    const options = {
      leases,
      every: 20,
      olderThan: 0,
      onGone: (taskId: string) => Promise.resolve(void gone.push(taskId)),
      onFailure: (error: unknown) => failures.push(error),
    };
    const check = startLeaseCheck(client, options);
    const left = async () =>
      (
        await db
          .selectFrom('task_leases')
          .select('task_id')
          .where('site_id', '=', owner.siteId)
          .execute()
      ).map(({ task_id }) => task_id);
    try {
      await until('one lease', async () => (await left()).length === 1);
      expect(await left()).to.deep.equal([running.workflowId]);
    } finally {
      await check.close();
    }
    expect(failures).to.deep.equal([]);
    expect(gone).to.include(ended.workflowId).and.not.include(waiting.workflowId);
    await Promise.all([running.terminate(), waiting.terminate()]);
  });
});
