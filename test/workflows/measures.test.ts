import { ApplicationFailure } from '@temporalio/activity';
import { expect } from 'chai';
import { setTimeout as delay } from 'node:timers/promises';
import type { TaskActivities } from '../../activities/index.ts';
import type { TaskInput } from '../../src/contract/task.ts';
import {
  fakeActivities,
  generateTask,
  promptTask,
  startTask,
  startTimeSkipping,
  type TimeSkipping,
  withWorker,
} from '../helpers/temporal.ts';

const callbackUrl = 'https://receiver.example/done';

describe('the metrics of a task', function () {
  this.timeout(240_000);
  let server: TimeSkipping;
  before(async () => (server = await startTimeSkipping()));
  after(() => server?.close());

  /** Runs a task with a worker that keeps nothing, so that it replays all before each step. */
  async function run(task: TaskInput, activities: Partial<TaskActivities> = {}) {
    const phases: [phase: string, seconds: number][] = [];
    const ended: object[] = [];
    const sinks = {
      tasks: {
        phaseEnded: {
          fn: (_: unknown, { phase, seconds }: { phase: string; seconds: number }) =>
            void phases.push([phase, seconds]),
        },
        ended: { fn: (_: unknown, end: object) => void ended.push(end) },
      },
    };
    const work = async () => {
      const handle = await startTask(server, task);
      await handle.result().catch(() => undefined);
    };
    await withWorker(server, { ...fakeActivities(), ...activities }, work, {
      sinks,
      maxCachedWorkflows: 0,
    });
    return { phases: phases.map(([phase]) => phase), seconds: Object.fromEntries(phases), ended };
  }

  it('count each phase and its end once, however often it is replayed and its activities are tried', async () => {
    const fakes = fakeActivities();
    let tries = 0;
    const { phases, ended, seconds } = await run(generateTask({ publish: true, callbackUrl }), {
      commitChanges: async (argument) => {
        if (++tries < 3) throw ApplicationFailure.retryable('Busy', 'GIT_FAILED');
        await delay(300);
        return fakes.commitChanges(argument);
      },
    });
    expect(phases).to.deep.equal(['reading', 'working', 'committing', 'deploying', 'publishing']);
    expect(ended).to.deep.equal([{ type: 'generate_pages', outcome: 'completed' }]);
    expect(seconds['committing']).to.be.at.least(3); // with the delays of 1 and 2 s between its tries
  });

  it('count the kind of its failure', async () => {
    const { phases, ended } = await run(promptTask({ callbackUrl }), {
      runAgentTurn: async () => {
        throw ApplicationFailure.nonRetryable('What?', 'NOT_UNDERSTOOD');
      },
    });
    expect(phases).to.deep.equal(['reading', 'working']);
    expect(ended).to.deep.equal([{ type: 'prompt', outcome: 'input' }]);
  });
});
