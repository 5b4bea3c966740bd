import { ApplicationFailure } from '@temporalio/activity';
import type { WorkflowHandle } from '@temporalio/client';
import type { TaskActivities } from '../../activities/index.ts';
import { packNotes } from '../../src/contract/notes/packNotes.ts';
import {
  ANSWER_UPDATE,
  currentQuestion,
  type TaskInput,
  type TaskView,
} from '../../src/contract/task.ts';
import { until } from '../helpers/until.ts';
import { fakeActivities, generateTask, promptTask, untilCancelled } from '../helpers/temporal.ts';

export interface Scenario {
  task: TaskInput;
  /** The run is one that delivers the task's callback again. */
  isRedelivery?: true;
  /** What people do while it runs. */
  people?: (handle: WorkflowHandle) => Promise<unknown>;
  /**
   * @param cancel ends the task as an operator does in Temporal
   * @param ask asks for its end as a client does
   */
  activities: (cancel: () => Promise<unknown>, ask: () => Promise<unknown>) => TaskActivities;
}

const callbackUrl = 'https://receiver.example/done';
const result = {
  taskId: `bg-${'0'.repeat(22)}`,
  base: '1'.repeat(40),
  commit: '2'.repeat(40),
  root: '1'.repeat(40),
};
const attempts = Array(4).fill({
  at: '2026-01-02T03:04:06.789Z',
  status: 500,
  error: 'The receiver answered 500',
});
const unanswered: TaskActivities['sendCallback'] = () =>
  Promise.reject(
    ApplicationFailure.retryable('The receiver answered 500', 'CALLBACK_FAILED', {
      status: 500,
      attempts,
    }),
  );

const published = {
  type: 'publish' as const,
  name: 'Ten cities',
  result,
  externalIds: {},
  ownPages: ['/x'],
  notes: [],
};
const model = 'openai/gpt-test';
const budget = { turns: 30, tokens: 1_000, minutes: 20, pagesChanged: 50, pagesDeleted: 5 };
const usage = { inputTokens: 9, cachedInputTokens: 4, outputTokens: 2 };

const note = { page: '/a', kind: 'price' as const, text: '/a: keeps the price of the template' };
const created = ['/a', '/b', '/c'].map((slug) => ({ slug, path: `${slug.slice(1)}.html` }));
const changed = { commit: 'c'.repeat(40), created, modified: [], deleted: [], notes: [] };

const asking = (questions: number): TaskActivities => ({
  ...fakeActivities(),
  runAgentTurn: async ({ turns: { count } }) => ({
    turn: { text: '', toolCalls: [{ id: `c${count}`, name: 'ask', arguments: {} }], usage },
    done: count === questions,
    digest: `d${count}`,
    ...(count < questions && { asked: { question: 'Which office?', options: ['Austin'] } }),
  }),
});
/** Pages that ask these questions, one after the other, before they are written. */
const askingPages = (questions: Record<string, string[]>): TaskActivities => ({
  ...fakeActivities(),
  generatePage: async ({ item: { targetPageSlug: slug }, questions: before = [] }) => {
    const question = questions[slug]?.[before.length];
    return question === undefined
      ? { texts: { s1: slug }, usage }
      : { asked: { question, options: [] }, usage };
  },
});
const asked = (handle: WorkflowHandle, questionId: string) =>
  until(`question ${questionId}`, async () => {
    const view = await handle.query<TaskView>('status');
    return currentQuestion(view)?.questionId === questionId;
  });

/**
 * Runs by the name of their history. Together they cover every phase of the workflow and every way
 * it can end.
 */
export const scenarios: Record<string, Scenario> = {
  // the first one: the server skips no time any more after an activity that it gave up
  'generate-took-too-long': {
    task: generateTask({ callbackUrl }),
    activities: () => ({
      ...fakeActivities(),
      readSite: () =>
        Promise.reject(
          ApplicationFailure.create({
            message: 'Busy',
            type: 'UNAVAILABLE',
            nextRetryDelay: '3 hours',
          }),
        ),
    }),
  },

  'generate-published': {
    task: generateTask({ publish: true, callbackUrl }),
    activities: () => fakeActivities(),
  },

  'generate-failed-callback-retried': {
    task: generateTask({ callbackUrl }),
    activities: () => ({
      ...fakeActivities(),
      generatePage: ({ item }) =>
        item.targetPageSlug === '/b'
          ? Promise.reject(ApplicationFailure.nonRetryable('No data', 'MODEL_FAILED'))
          : Promise.resolve({ texts: {} }),
      sendCallback: unanswered,
    }),
  },

  'generate-cancelled': {
    task: generateTask({ publish: true, callbackUrl }),
    activities: (cancel) => ({
      ...fakeActivities(),
      deployPreview: async () => {
        await cancel();
        return untilCancelled();
      },
    }),
  },

  // it also adds links to a page, and its last step fails
  'generate-retried': {
    task: generateTask({
      publish: true,
      work: {
        type: 'generate_pages',
        templatePageSlug: '/locations/austin',
        items: ['/a', '/b'].map((targetPageSlug) => ({
          targetPageSlug,
          context: 'x',
          externalId: targetPageSlug,
        })),
        linkFrom: '/locations',
        written: { digest: 'd', pages: { '/a': { texts: {} } } },
      },
    }),
    activities: () => ({
      ...fakeActivities(),
      commitChanges: () =>
        Promise.resolve({ ...changed, modified: [{ slug: '/locations', path: 'locations.html' }] }),
      deployProduction: () =>
        Promise.reject(ApplicationFailure.nonRetryable('The host is full', 'DEPLOYMENT_FAILED')),
    }),
  },

  'publish-result': {
    task: generateTask({ publish: true, callbackUrl, work: published }),
    activities: () => fakeActivities(),
  },

  // the editor has made its commit: it only shows it
  'edit-saved': {
    task: generateTask({
      work: {
        type: 'edit',
        page: { slug: '/pricing', path: 'pricing.html' },
        base: 'b'.repeat(40),
        commit: 'e'.repeat(40),
      },
    }),
    activities: () => fakeActivities(),
  },

  // its home is gone: other workers do its steps
  'restore-published': {
    task: generateTask({
      preferredWorker: 'gone',
      publish: true,
      callbackUrl,
      work: { type: 'restore', commit: 'e'.repeat(40), at: '2026-01-01T04:08:00.000Z' },
    }),
    activities: () => fakeActivities(),
  },

  // the last question gets no answer
  'prompt-asks': {
    task: promptTask({ model, budget, ask: 'allowed', callbackUrl }),
    activities: () => asking(3),
    people: async (handle) => {
      await asked(handle, 'q1');
      await handle.executeUpdate(ANSWER_UPDATE, { args: [{ answer: 'Austin', key: 'k' }] });
      await asked(handle, 'q2');
      await handle.executeUpdate(ANSWER_UPDATE, { args: [{ answer: 'Austin', key: 'k' }] });
      await handle.executeUpdate(ANSWER_UPDATE, { args: [{ answer: 'Porto' }] });
    },
  },

  'generate-asks': {
    task: generateTask({ model, ask: 'allowed', callbackUrl }),
    activities: () => askingPages({ '/a': ['Price?', 'Hours?'], '/b': ['Price?'] }),
    people: async (handle) => {
      for (const questionId of ['q1', 'q2']) {
        await asked(handle, questionId);
        await until(
          'all wait',
          async () => (await handle.describe()).memo?.['releasedPermit'] === true,
        );
        await handle.executeUpdate(ANSWER_UPDATE, { args: [{ answer: 'Yes', questionId }] });
      }
    },
  },
  'generate-asks-in-vain': {
    task: generateTask({ model, ask: 'allowed' }),
    activities: () => askingPages({ '/a': ['Price?'], '/b': ['Hours?'] }),
  },
  'generate-asks-and-is-cancelled': {
    task: generateTask({ model, ask: 'allowed', callbackUrl }),
    activities: () => askingPages({ '/a': ['Price?'] }),
    people: async (handle) => {
      await asked(handle, 'q1');
      await until(
        'all wait',
        async () => (await handle.describe()).memo?.['releasedPermit'] === true,
      );
      await handle.executeUpdate('cancel');
    },
  },

  'prompt-nothing-changed': {
    task: promptTask({ publish: true }),
    activities: () => ({
      ...fakeActivities(),
      commitChanges: () =>
        Promise.resolve({ commit: null, created: [], modified: [], deleted: [], notes: [] }),
    }),
  },

  // its notes are larger than what the memo holds
  'generate-held': {
    task: generateTask({ publish: true, onWarnings: 'hold', callbackUrl }),
    activities: () => ({
      ...fakeActivities(),
      generatePage: () => Promise.resolve({ texts: {}, notes: packNotes([note]) }),
      commitChanges: () =>
        Promise.resolve({ ...changed, notes: Array(200).fill({ ...note, text: 'n'.repeat(60) }) }),
    }),
  },

  // the model's second answer mends /b, but not /c
  'generate-by-model-rejected': {
    task: generateTask({ model, budget }),
    activities: () => ({
      ...fakeActivities(),
      generatePage: async ({ item: { targetPageSlug: slug }, rejected }) =>
        slug === '/a' || (slug === '/b' && rejected)
          ? { texts: { s1: slug }, usage, workedMs: 900 }
          : { rejected: { answer: {}, problems: ['s1: empty'], usage }, workedMs: 900 },
    }),
  },

  'generate-by-model-over-budget': {
    task: generateTask({ model, budget: { ...budget, tokens: 20 } }),
    activities: () => ({
      ...fakeActivities(),
      generatePage: ({ item }) =>
        item.targetPageSlug === '/c'
          ? untilCancelled()
          : Promise.resolve({ texts: {}, usage, workedMs: 9 }),
    }),
  },

  'generate-cancelled-too-late': {
    task: generateTask({ publish: true, callbackUrl }),
    activities: (cancel) => ({
      ...fakeActivities(),
      publish: async ({ commit }) => {
        await cancel();
        return { commit };
      },
    }),
  },
  redelivered: {
    task: promptTask({ callbackUrl }),
    isRedelivery: true,
    activities: () => fakeActivities(),
  },
  'redelivered-refused': {
    task: promptTask({ callbackUrl }),
    isRedelivery: true,
    activities: () => ({ ...fakeActivities(), sendCallback: unanswered }),
  },
};
