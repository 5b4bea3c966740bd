import { expect } from 'chai';
import type { NativeConnection } from '@temporalio/worker';
import type { Activities } from '../../../activities/index.ts';
import { homeQueue, stepQueues, TASK_QUEUE } from '../../../src/contract/task.ts';
import { optionsOfWorkers } from '../../../src/temporal/worker/worker.ts';
import { type Times, timesOf } from '../../../src/temporal/times.ts';

describe('timesOf', () => {
  const embedded = timesOf({ embeddedAddress: '127.0.0.1:7233' });
  const cluster = timesOf({ embeddedAddress: undefined });
  /** The heartbeat timeout of every step (workflows/policies.ts). */
  const DEAD_MS = 10_000;

  it('lets nothing wait long for a process that was restarted on the embedded server', () => {
    expect(embedded.workflowTask).to.be.at.most(2_000);
    expect(embedded.sticky).to.be.at.most(1_000);
    expect(embedded.modelHeartbeat).to.be.below(1_000);
  });

  it('asks less of a server behind a network', () => {
    for (const name of Object.keys(embedded) as (keyof Times)[])
      expect(cluster[name], name).to.be.above(embedded[name]);
  });

  it('sends two heartbeats at least before an activity counts as dead', () => {
    for (const { heartbeat, modelHeartbeat } of [embedded, cluster])
      expect(Math.max(heartbeat, modelHeartbeat) * 2).to.be.below(DEAD_MS);
  });

  it('never lets a workflow wait for one worker longer than a whole workflow task may take', () => {
    for (const { sticky, workflowTask } of [embedded, cluster]) expect(sticky).to.be.below(workflowTask);
  });

  for (const [server, times] of Object.entries({ embedded, cluster }))
    it(`are those of all workers on the ${server} server`, () => {
      const options = optionsOfWorkers({
        ...{ connection: {} as NativeConnection, namespace: 'n', activities: {} as Activities, shutdownGrace: 1 },
        build: { id: 'b', workflowBundle: { code: '' } },
        ...{ times, home: 'h' },
      });
      const byQueue = Object.fromEntries(options.map((own) => [own.taskQueue, own]));
      expect(byQueue[TASK_QUEUE]).to.include({ stickyQueueScheduleToStartTimeout: times.sticky });
      const heartbeats = options.map((own) => Number(own.maxHeartbeatThrottleInterval));
      const expected = options.map(({ taskQueue }) =>
        taskQueue === stepQueues.languageModels ? times.modelHeartbeat : times.heartbeat,
      );
      expect(heartbeats).to.deep.equal(expected);
      expect(Object.keys(byQueue)).to.have.members([TASK_QUEUE, ...Object.values(stepQueues), homeQueue('h', 'b')]);
    });
});
