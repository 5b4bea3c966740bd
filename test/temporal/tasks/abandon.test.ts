import { WorkflowNotFoundError } from '@temporalio/client';
import { expect } from 'chai';
import { abandonTask } from '../../../src/temporal/tasks/abandonTask.ts';

const attemptTimes = { forMs: 200, pauseMs: 5, longestPauseMs: 20 };
const notThere = () => new WorkflowNotFoundError('not found', 'bg-1', undefined);

describe('abandonTask(taskId, { calls, closing })', () => {
  /**
   * A server that answers each question for the task in turn, and then always with the last answer.
   */
  async function abandonAt(
    answers: (Error | undefined)[],
    options: { closing?: AbortSignal; forMs?: number } = {},
  ) {
    const { closing = new AbortController().signal, ...changes } = options;
    const asked: { taskId: string; reason: string | undefined; at: number }[] = [];
    const began = performance.now();
    const getHandle = (taskId: string) => ({
      terminate(reason?: string) {
        const answer = answers[Math.min(asked.length, answers.length - 1)];
        asked.push({ taskId, reason, at: performance.now() - began });
        return answer ? Promise.reject(answer) : Promise.resolve({});
      },
    });
    const client = { workflow: { getHandle } } as unknown as Parameters<
      typeof abandonTask
    >[1]['calls']['client'];
    const calls = { client, within: <T>(_ms: number, call: () => Promise<T>) => call() };
    await abandonTask('bg-1', { calls, closing, attemptTimes: { ...attemptTimes, ...changes } });
    return { asked, ms: performance.now() - began };
  }

  it('ends a task that the server starts after it was not found, and then stops asking', async () => {
    const answers = [
      notThere(),
      notThere(),
      new Error('No answer in time'),
      notThere(),
      undefined,
      new Error('again'),
    ];
    const { asked } = await abandonAt(answers, { forMs: 60_000 });
    expect(asked).to.have.length(5);
    expect(asked[0]).to.include({ taskId: 'bg-1' });
    expect(asked[0]!.reason).to.match(/\berror\b/);
  });

  it('looks for the task until its time is over, and once at the end', async () => {
    const { asked, ms } = await abandonAt([notThere()]);
    expect(asked.length).to.be.greaterThan(3);
    expect(asked.at(-1)!.at).to.be.at.least(attemptTimes.forMs - 5);
    expect(ms).to.be.at.least(attemptTimes.forMs - 5);
  });

  it('ends with the service', async () => {
    const closing = AbortSignal.timeout(30);
    const { asked } = await abandonAt([notThere()], { closing, forMs: 3_600_000 });
    expect(asked.length).to.be.greaterThan(0);
    expect((await abandonAt([notThere()], { closing: AbortSignal.abort() })).asked).to.deep.equal(
      [],
    );
  });
});
