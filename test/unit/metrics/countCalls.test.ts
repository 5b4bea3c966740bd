import { expect } from 'chai';
import type { BatchStore } from '../../../src/contract/batches/batchStore.ts';
import { DomainError } from '../../../src/errors.ts';
import {
  countBatchRows,
  countGitCommands,
  countDeliveries,
} from '../../../src/metrics/countCalls.ts';
import { createMetrics } from '../../../src/metrics/registry.ts';
import { gitConfiguration } from '../../../src/sites/git/command/gitEnvironment.ts';

describe('the counters of the metrics', () => {
  const metrics = createMetrics();
  after(() => metrics.close());
  const lines = async (name: string) =>
    (await metrics.text()).split('\n').filter((line) => line.startsWith(`agent_tasks_${name}`));

  it('count each git command by its name, whatever is before and after the name', async () => {
    const run = countGitCommands(
      (command: { args: string[] }, last: string) => command.args.length + last,
      metrics.gitStarted,
    );
    expect(
      run({ args: [...gitConfiguration, 'fetch', '--depth=1', 'https://me@git.example/x'] }, '!'),
    ).to.match(/!$/);
    run({ args: ['-c', 'x=y', '--no-pager', 'push', 'fetch'] }, '');
    run({ args: ['push'] }, '');
    run({ args: [] }, '');
    expect(await lines('git_commands_total')).to.have.members([
      'agent_tasks_git_commands_total{command="fetch"} 1',
      'agent_tasks_git_commands_total{command="push"} 2',
      'agent_tasks_git_commands_total{command="none"} 1',
    ]);
  });

  it('count each row of a batch by the states that it reaches', async () => {
    const page = { texts: {} };
    const store = {
      written: () => Promise.resolve(),
      fail: () => Promise.resolve(),
      commitRows: (_: string, { numbers }) => Promise.resolve(numbers.length === 2),
      move: () => Promise.resolve(2),
    } as Partial<BatchStore> as BatchStore;
    const counting = countBatchRows(store, metrics.rowsReached);
    await counting.written('b', 1, { page, isHeld: false });
    await counting.written('b', 2, { page, isHeld: true });
    await counting.fail('b', [{ number: 3, error: 'Bad' }]);
    expect(await counting.commitRows('b', { commit: 'c', numbers: [1] })).to.equal(false);
    expect(await counting.commitRows('b', { commit: 'c', numbers: [1, 2] })).to.equal(true);
    expect(await counting.move('b', { from: ['committed'], to: 'published' })).to.equal(2);
    expect(await lines('batch_rows_total')).to.have.members([
      'agent_tasks_batch_rows_total{state="written"} 1',
      'agent_tasks_batch_rows_total{state="held"} 1',
      'agent_tasks_batch_rows_total{state="failed"} 1',
      'agent_tasks_batch_rows_total{state="committed"} 2',
      'agent_tasks_batch_rows_total{state="published"} 2',
    ]);
  });

  it('count each language model call, and its tokens by kind', async () => {
    metrics.modelCalled('a/b', { inputTokens: 100, cachedInputTokens: 60, outputTokens: 7 });
    metrics.modelCalled('a/b', { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 });
    expect(await lines('model_calls_total')).to.deep.equal([
      'agent_tasks_model_calls_total{model="a/b"} 2',
    ]);
    expect(await lines('model_tokens_total')).to.deep.equal([
      'agent_tasks_model_tokens_total{model="a/b",kind="input"} 40',
      'agent_tasks_model_tokens_total{model="a/b",kind="cached_input"} 60',
      'agent_tasks_model_tokens_total{model="a/b",kind="output"} 7',
    ]);
  });

  it('count each attempt to deliver a callback by its end, unless it was interrupted', async () => {
    const answers: (number | Error)[] = [
      200,
      204,
      new DomainError('CALLBACK_FAILED', 'answered', { details: { status: 500 } }),
      new DomainError('CALLBACK_FAILED', 'did not answer in time'),
      new Error('interrupted'),
    ];
    const send = countDeliveries(async (answer: number | Error) => {
      if (answer instanceof Error) throw answer;
      return answer;
    }, metrics.callbackAttempted);
    const results = await Promise.allSettled(answers.map((answer) => send(answer)));
    expect(
      results.map((result) =>
        result.status === 'fulfilled' ? result.value : (result.reason as Error),
      ),
    ).to.deep.equal(answers);
    expect(await lines('callback_attempts_total')).to.have.members([
      'agent_tasks_callback_attempts_total{outcome="accepted"} 2',
      'agent_tasks_callback_attempts_total{outcome="refused"} 1',
      'agent_tasks_callback_attempts_total{outcome="failed"} 1',
    ]);
  });
});
