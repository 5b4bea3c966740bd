import { expect } from 'chai';
import type { NativeConnection } from '@temporalio/worker';
import type { TaskActivities } from '../../../activities/index.ts';
import { workerQueue, activityQueues, TASK_QUEUE } from '../../../src/contract/task.ts';
import { createWorkerOptions } from '../../../src/temporal/worker/worker.ts';
import { chooseTimeouts } from '../../../src/temporal/timeouts.ts';
import { heartbeatTimeoutMs } from '../../../workflows/policies.ts';

describe('chooseTimeouts', () => {
  const embedded = chooseTimeouts({ embeddedAddress: '127.0.0.1:7233' });
  const cluster = chooseTimeouts({ embeddedAddress: undefined });

  it('waits only shortly for a restarted process on the embedded server', () => {
    expect(embedded.workflowTask).to.be.at.most(2_000);
    expect(embedded.sticky).to.be.at.most(1_000);
    expect(embedded.heartbeats.models).to.be.below(1_000);
  });

  it('asks less often on a server behind a network', () => {
    for (const name of ['workflowTask', 'sticky'] as const)
      expect(cluster[name], name).to.be.above(embedded[name]);
    expect(cluster.heartbeats).to.deep.equal({ steps: 15_000, models: 5_000 });
  });

  it('counts a worker as dead after three heartbeats, and gives a busy machine ten seconds', () => {
    expect(Object.values(cluster.heartbeats).map(heartbeatTimeoutMs)).to.deep.equal([
      45_000, 15_000,
    ]);
    expect(Object.values(embedded.heartbeats).map(heartbeatTimeoutMs)).to.deep.equal([
      10_000, 10_000,
    ]);
  });

  it('never lets a workflow wait for one worker longer than a whole workflow task may take', () => {
    for (const { sticky, workflowTask } of [embedded, cluster])
      expect(sticky).to.be.below(workflowTask);
  });

  for (const [server, times] of Object.entries({ embedded, cluster }))
    it(`are the same for all workers on the ${server} server`, () => {
      const options = createWorkerOptions({
        connection: {} as NativeConnection,
        namespace: 'n',
        activities: {} as TaskActivities,
        shutdownGrace: 1,
        build: { id: 'b', workflowBundle: { code: '' } },
        times,
        home: 'h',
      });
      const byQueue = Object.fromEntries(options.map((own) => [own.taskQueue, own]));
      expect(byQueue[TASK_QUEUE]).to.include({ stickyQueueScheduleToStartTimeout: times.sticky });
      const throttles = options.map((own) => Number(own.maxHeartbeatThrottleInterval));
      const expected = options.map(
        ({ taskQueue }) =>
          times.heartbeats[taskQueue === activityQueues.languageModels ? 'models' : 'steps'],
      );
      expect(throttles).to.deep.equal(expected);
      expect(Object.keys(byQueue)).to.have.members([
        TASK_QUEUE,
        ...Object.values(activityQueues),
        workerQueue('h', 'b'),
      ]);
    });
});
