import { ApplicationFailure } from '@temporalio/activity';
import { expect } from 'chai';
import type { TaskActivities } from '../../activities/index.ts';
import type { ModelTurn } from '../../src/agents/shared/agentTypes.ts';
import { type TaskOutcome, type TaskInput } from '../../src/contract/task.ts';
import { createRecordedTasks } from '../../src/temporal/tasks/recordedTasks.ts';
import {
  fakeActivities,
  generateTask,
  promptTask,
  startTask,
  startTimeSkipping,
  type TimeSkipping,
} from '../helpers/temporal.ts';

const model = 'openai/gpt-test';
const budget = { turns: 30, tokens: 10_000, minutes: 20, pagesChanged: 50, pagesDeleted: 5 };
const usage = { inputTokens: 100, cachedInputTokens: 60, outputTokens: 11 };
const TURNS = 60;
const never = new AbortController().signal;

describe('a task of a language model', function () {
  this.timeout(240_000);
  let server: TimeSkipping;
  before(async () => (server = await startTimeSkipping()));
  after(() => server?.close());

  async function run(task: TaskInput, activities: Partial<TaskActivities>) {
    return server.during({ ...fakeActivities(), ...activities }, async () => {
      const handle = await startTask(server, task);
      await handle.result().catch(() => undefined);
      const { memo } = await handle.describe();
      const { events } = await handle.fetchHistory();
      return { finished: memo?.['finished'] as TaskOutcome, events: events ?? [] };
    });
  }
  const turnOf = (text: string): ModelTurn => ({
    text,
    toolCalls: [{ id: 'c', name: 'search', arguments: {} }],
    usage,
  });
  /** A model that takes so many turns. */
  const turns = (
    count: number,
    { workedMs = 0, text = '' } = {},
  ): TaskActivities['runAgentTurn'] => {
    return async ({ turns: before }) => ({
      turn: turnOf(text),
      done: before.count === count - 1,
      digest: `d${before.count}`,
      workedMs,
      ...(before.count === count - 1 && { summary: 'Made it short' }),
    });
  };
  const errorOf = (finished: TaskOutcome) =>
    finished.status === 'failed' ? finished.errorMessage : finished.status;

  it('returns what was done, and its usage', async () => {
    const task = promptTask({ model, budget });
    const { finished } = await run(task, { runAgentTurn: turns(3) });
    expect(finished.status === 'completed' && finished.output).to.deep.include({
      summary: 'Made it short',
      usage: { inputTokens: 300, cachedInputTokens: 180, outputTokens: 33, turns: 3, model },
    });
  });

  describe('that fails', () => {
    const usageOf = async (input: TaskInput, own: Partial<TaskActivities>) => {
      const { finished } = await run(input, own);
      return finished.status === 'failed' ? (finished.usage ?? null) : finished.status;
    };
    const used = (calls: number) => ({
      inputTokens: 100 * calls,
      cachedInputTokens: 60 * calls,
      outputTokens: 11 * calls,
      turns: calls,
      model,
    });
    const failing = (details?: object): never => {
      throw ApplicationFailure.create({
        message: 'No',
        type: 'INVALID_INPUT',
        nonRetryable: true,
        ...(details && { details: [details] }),
      });
    };
    /** Two turns, and a step that fails. */
    const thenFails =
      (details?: object): TaskActivities['runAgentTurn'] =>
      async (argument) =>
        argument.turns.count < 2 ? turns(9)(argument) : failing(details);

    it('reports the usage, including the call whose answer ended it', async () => {
      expect(await usageOf(promptTask({ model }), { runAgentTurn: thenFails() })).to.deep.equal(
        used(2),
      );
      expect(
        await usageOf(promptTask({ model }), { runAgentTurn: thenFails({ usage, workedMs: 7 }) }),
      ).to.deep.equal(used(3));
      const commitChanges = async () => failing();
      expect(
        await usageOf(promptTask({ model }), { runAgentTurn: turns(2), commitChanges }),
      ).to.deep.equal(used(2));
    });

    it('reports the usage before its budget was used up', async () => {
      const limited = { ...budget, tokens: 300 };
      expect(
        await usageOf(promptTask({ model, budget: limited }), { runAgentTurn: turns(9) }),
      ).to.deep.equal(used(3));
    });
  });

  it('passes the model to every activity and to the commit, with the same budget', async () => {
    const given: unknown[] = [];
    const fakes = fakeActivities();
    await run(promptTask({ model, budget }), {
      runAgentTurn: (argument) => (
        given.push([argument.model, argument.budget]),
        turns(2)(argument)
      ),
      commitChanges: (argument) => (given.push([argument.edit]), fakes.commitChanges(argument)),
    });
    const edit = { type: 'prompt', turns: { count: 2, digest: 'd1' }, model };
    expect(given).to.deep.equal([[model, budget], [model, budget], [edit]]);
  });

  it('lets pages that are written side by side work as long as one of them may', async () => {
    const work = async (minutes: number) => {
      const workedMs = minutes * 60_000;
      const generatePage = async () => ({ texts: {}, usage, workedMs });
      return errorOf(
        (await run(generateTask({ model, budget: { ...budget, minutes: 3 } }), { generatePage }))
          .finished,
      );
    };
    expect(await work(3)).to.equal('completed');
    expect(await work(4)).to.match(/\b4 minutes\b.*\b3\b.*\bbudget\.minutes\b/);
  });

  const ends: [string, TaskInput['budget'] & object, TaskActivities['runAgentTurn'], RegExp][] = [
    ['turns', { ...budget, turns: 3 }, turns(9), /\b3 turns\b.*\bbudget\.turns\b/],
    ['tokens', { ...budget, tokens: 300 }, turns(9), /\b333 tokens\b.*\b300\b.*\bbudget\.tokens\b/],
    [
      'tokens to the last one',
      { ...budget, tokens: 222 },
      turns(9),
      /\b222 tokens\b.*\b222\b.*\bbudget\.tokens\b/,
    ],
    [
      'tokens in the last turn',
      { ...budget, tokens: 300 },
      turns(3),
      /\b333 tokens\b.*\b300\b.*\bbudget\.tokens\b/,
    ],
    [
      'minutes',
      { ...budget, minutes: 1 },
      turns(9, { workedMs: 25_000 }),
      /\b1\.3 minutes\b.*\b1\b.*\bbudget\.minutes\b/,
    ],
  ];
  for (const [title, limited, runAgentTurn, message] of ends)
    it(`ends when it uses up its ${title}`, async () => {
      let steps = 0;
      const { finished } = await run(promptTask({ model, budget: limited }), {
        runAgentTurn: (argument) => (steps++, runAgentTurn(argument)),
      });
      expect(errorOf(finished)).to.match(message);
      expect(steps).to.be.at.most(3);
    });

  it('waits some minutes for a provider that is down, or as long as the provider says', async () => {
    const times: number[] = [];
    const { finished } = await run(promptTask({ model, budget }), {
      runAgentTurn: async () => {
        times.push(await server.env.currentTimeMs());
        const nextRetryDelay = times.length === 1 ? '90 seconds' : undefined;
        throw ApplicationFailure.create({
          message: 'Overloaded',
          type: 'MODEL_FAILED',
          ...(nextRetryDelay && { nextRetryDelay }),
        });
      },
    });
    expect(errorOf(finished)).to.equal('Overloaded');
    expect(times[1]! - times[0]!).to.be.at.least(90_000);
    expect(times.at(-1)! - times[0]!).to.be.within(6 * 60_000, 15 * 60_000);
  });

  it('fails if its pages use up the tokens, gives the other calls up, and reports only that', async () => {
    const calls: string[] = [];
    const { finished } = await run(generateTask({ model, budget: { ...budget, tokens: 200 } }), {
      generatePage: async ({ item, rejected }) => {
        calls.push(`${item.targetPageSlug}${rejected ? ' mend' : ''}`);
        return { rejected: { answer: {}, problems: ['s1: empty'], usage } };
      },
    });
    expect(errorOf(finished)).to.match(/\b\d+ tokens\b.*\b200\b.*\bbudget\.tokens\b/);
    expect(calls.length).to.be.at.most(4);
  });

  it(`keeps ${TURNS} turns of 4 KB in a history of less than 1 MB, and returns them`, async () => {
    const text = 'x'.repeat(4_000);
    const { nativeConnection } = server.env;
    const told: ModelTurn[][] = [];
    const asked = createRecordedTasks(nativeConnection, 'default');
    const task = promptTask({ model, budget: { ...budget, turns: TURNS, tokens: 1_000_000 } });
    const { finished, events } = await run(task, {
      runAgentTurn: async (argument) => {
        const count = argument.turns.count;
        if (count % 20 === 10) told.push(await asked.turns(task.taskId, count, never));
        return turns(TURNS, { text })(argument);
      },
    });
    expect(finished.status).to.equal('completed');
    expect(told.map(({ length }) => length)).to.deep.equal([10, 30, 50]);
    expect(told[0]![0]).to.deep.equal(turnOf(text));
    const bytes = Buffer.byteLength(JSON.stringify(events));
    console.log(`      ${bytes} bytes as JSON`);
    expect(bytes).to.be.lessThan(1_000_000);
  });
});
