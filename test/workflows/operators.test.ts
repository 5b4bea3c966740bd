import { ApplicationFailure } from '@temporalio/activity';
import { defaultPayloadConverter } from '@temporalio/common';
import { expect } from 'chai';
import type { TaskActivities } from '../../activities/index.ts';
import type { TaskInput } from '../../src/contract/task.ts';
import {
  fakeActivities,
  generateTask,
  promptTask,
  startTask,
  startTimeSkipping,
  type TimeSkipping,
  untilCancelled,
} from '../helpers/temporal.ts';

const callbackUrl = 'https://receiver.example/done';
const fails = (code: string, message = 'It failed') =>
  ApplicationFailure.nonRetryable(message, code);
const budget = { turns: 1, tokens: 100, minutes: 20, pagesChanged: 50, pagesDeleted: 5 };

describe('what operators see of a task', function () {
  this.timeout(240_000);
  let server: TimeSkipping;
  before(async () => (server = await startTimeSkipping()));
  after(() => server?.close());

  const handleOf = ({ taskId }: TaskInput) => server.env.client.workflow.getHandle(taskId);

  /** Runs a task to its end. @returns its search attributes, and the summaries of what it did */
  async function run(task: TaskInput, activities: Partial<TaskActivities> = {}) {
    return server.during({ ...fakeActivities(), ...activities }, async () => {
      const handle = await startTask(server, task);
      await handle.result().catch(() => undefined);
      const { searchAttributes, staticSummary } = await handle.describe();
      const { events } = await handle.fetchHistory();
      const summaries = events!.flatMap(({ userMetadata }) =>
        userMetadata?.summary
          ? [defaultPayloadConverter.fromPayload<string>(userMetadata.summary)]
          : [],
      );
      return { attributes: searchAttributes, title: await staticSummary(), summaries };
    });
  }

  describe('that failed', () => {
    const failing = (name: keyof TaskActivities, ...codes: string[]): Partial<TaskActivities> => ({
      [name]: async () => {
        throw fails(codes.length > 1 ? codes.shift()! : codes[0]!);
      },
    });
    const cases: [
      kind: string,
      name: string,
      activities: Partial<TaskActivities>,
      task?: TaskInput,
    ][] = [
      ['input', 'for a template that is not there', failing('readSite', 'TEMPLATE_NOT_FOUND')],
      [
        'input',
        'for a site read without a template',
        { readSite: async () => ({ base: 'b', targets: [] }) },
      ],
      [
        'input',
        'for a prompt that is not understood',
        failing('runAgentTurn', 'NOT_UNDERSTOOD'),
        promptTask(),
      ],
      [
        'input',
        'at the end of its budget',
        {
          runAgentTurn: async () => ({
            turn: {
              text: '',
              toolCalls: [],
              usage: { inputTokens: 200, cachedInputTokens: 0, outputTokens: 0 },
            },
            done: false,
            digest: 'd',
          }),
        },
        promptTask({ model: 'openai/x', budget }),
      ],
      ['site', 'for a push that is refused', failing('commitChanges', 'PUSH_REFUSED')],
      [
        'site',
        'for a conflict with the production branch',
        failing('publish', 'CONFLICT'),
        generateTask({ publish: true }),
      ],
      ['site', 'where no page is anybody else’s fault', failing('generatePage', 'PAGE_UNREADABLE')],
      ['agent', 'for a model that does not answer', failing('generatePage', 'MODEL_FAILED')],
      [
        'agent',
        'for an answer that can not be mended',
        { generatePage: async () => ({ rejected: { answer: {}, problems: ['s1: empty'] } }) },
      ],
      [
        'service',
        'where one page of several is not the customer’s fault',
        failing('generatePage', 'PAGE_UNREADABLE', 'UNEXPECTED'),
      ],
      ['service', 'for an error that nobody foresaw', failing('deployPreview', 'UNEXPECTED')],
      [
        'service',
        'for a deploy that changed what it used',
        failing('commitChanges', 'CHANGED_BY_DEPLOY'),
      ],
    ];
    for (const [kind, name, activities, task = generateTask()] of cases)
      it(`${name} has the kind ${kind}`, async () => {
        const { attributes } = await run({ ...task }, activities);
        expect([attributes['TaskStatus'], attributes['FailureKind']]).to.deep.equal([
          ['failed'],
          [kind],
        ]);
      });

    it('because it took longer than is allowed has the kind service', async () => {
      const { attributes } = await run(generateTask(), {
        readSite: () => {
          throw ApplicationFailure.create({
            message: 'Busy',
            type: 'GIT_FAILED',
            nextRetryDelay: '3 hours',
          });
        },
      });
      expect(attributes['FailureKind']).to.deep.equal(['service']);
    });

    for (const how of ['an operator', 'the client'])
      it(`because ${how} cancelled it has the kind cancelled`, async () => {
        const task = generateTask();
        const { attributes } = await run(task, {
          readSite: async () => {
            await (how === 'the client'
              ? handleOf(task).executeUpdate('cancel')
              : handleOf(task).cancel());
            return untilCancelled();
          },
        });
        expect(attributes['FailureKind']).to.deep.equal(['cancelled']);
      });
  });

  const detailsOf = async (task: TaskInput) =>
    (await handleOf(task).query<{ currentDetails: string }>('__temporal_workflow_metadata'))
      .currentDetails;

  describe('with a callback', () => {
    const statusOf = async (taskId: string) =>
      (await server.env.client.workflow.getHandle(taskId).describe()).searchAttributes[
        'CallbackStatus'
      ];

    it('is pending until the callback was accepted, and shows each repeated delivery', async () => {
      const task = generateTask({ callbackUrl });
      const shown: unknown[] = [];
      const { attributes } = await run(task, {
        sendCallback: async () => {
          shown.push(
            await statusOf(task.taskId),
            /\| callback \| ([^|]*) \|/.exec(await detailsOf(task))?.[1],
          );
          if (shown.length < 6)
            throw ApplicationFailure.retryable('The receiver answered 503', 'CALLBACK_FAILED');
          return { status: 200, attempts: [] };
        },
      });
      const states = shown.filter((_, i) => i % 2 === 0);
      expect(states).to.deep.equal([['pending'], ['pending'], ['pending']]);
      for (const row of shown.filter((_, i) => i % 2 === 1))
        expect(row).to.match(/\b4 attempts\b.*\b5, 10 and 20 s\b/);
      expect(attributes['CallbackStatus']).to.deep.equal(['delivered']);
    });
  });

  describe('in its summaries', () => {
    it('include its site and the purpose of each activity and of the timer', async () => {
      const { title, summaries } = await run(
        generateTask({ siteName: 'Acme website', publish: true, callbackUrl }),
      );
      expect(title).to.match(/^Acme website: 3 .* \/locations\/austin$/);
      const ids = summaries.map((line) => line.replace(/\b([bc])\1{9}\b/, '#'));
      const lines = ids.filter((line) => line !== title);
      const named = [
        /\b24 h\b/,
        /\/locations\/austin\b.*\b5 minutes\b/,
        ...['a', 'b', 'c'].map((name) => new RegExp(`/${name}\\b.*\\b5 minutes\\b`)),
        /\b3 page.*\b5 minutes\b/,
        /\bpreview\b.* # .*\b5 minutes\b/,
        /\bproduction branch\b.*\b5 minutes\b/,
        / # .*\bproduction\b.*\b5 minutes\b/,
        /\bcallback\b/,
      ];
      expect(lines).to.have.length(named.length);
      for (const [i, line] of lines.entries())
        expect(line).to.include('Acme website').and.match(named[i]!);
    });
  });
});
