import { ApplicationFailure } from '@temporalio/activity';
import type { TaskActivities } from '../../activities/index.ts';
import { FakeBatch } from '../helpers/fakeBatch.ts';
import { fakeActivities, untilCancelled } from '../helpers/temporal.ts';

/** What somebody tells the run of a batch that works. */
interface BatchSignals {
  pause: () => Promise<unknown>;
  cancel: () => Promise<unknown>;
  resume: () => Promise<unknown>;
  /** As an operator does in Temporal. */
  cancelWorkflow: () => Promise<unknown>;
}

export interface BatchScenario {
  hasCallback?: true;
  /** The language model that writes the pages. */
  model?: string;
  longestHistory?: number;
  activities: (told: BatchSignals) => TaskActivities;
}

const of = (batch: FakeBatch, own: Partial<TaskActivities> = {}): TaskActivities => ({
  ...fakeActivities(),
  ...batch.activities(),
  ...own,
});

/** A batch that is told something while its first row is written. */
function toldAtFirstRow(batch: FakeBatch, tell: () => Promise<unknown>): TaskActivities {
  const { generateRow } = batch.activities();
  let telling: Promise<unknown> | undefined;
  return of(batch, {
    generateRow: async (argument) => {
      await (telling ??= tell());
      return generateRow(argument);
    },
  });
}

/** Runs of batches by the name of their history: how one can go, and how it can end. */
export const batchScenarios: Record<string, BatchScenario> = {
  'batch-published': { hasCallback: true, activities: () => of(new FakeBatch(4)) },

  // the model's second answer mends row 2; it gives none for row 3
  'batch-failed-row': {
    model: 'openai/gpt-test',
    activities: () => {
      const batch = new FakeBatch(3);
      const { generateRow } = batch.activities();
      const usage = { inputTokens: 9, cachedInputTokens: 4, outputTokens: 2 };
      return of(batch, {
        generateRow: async (argument) => {
          if (argument.number === 3) throw ApplicationFailure.nonRetryable('Too bad', 'UNEXPECTED');
          return argument.number === 2 && !argument.rejected
            ? { rejected: { answer: {}, problems: ['s1: empty'], usage }, usage }
            : generateRow(argument);
        },
      });
    },
  },

  'batch-failed': {
    hasCallback: true,
    activities: () =>
      of(new FakeBatch(2), {
        commitRows: () =>
          Promise.reject(ApplicationFailure.nonRetryable('No remote', 'GIT_FAILED')),
      }),
  },

  'batch-paused-and-resumed': {
    activities: ({ pause, resume }) =>
      toldAtFirstRow(new FakeBatch(4), async () => {
        await pause();
        await resume();
      }),
  },

  'batch-cancelled': {
    hasCallback: true,
    activities: ({ cancel }) => {
      const batch = new FakeBatch(2);
      return of(batch, {
        generateRow: async () => {
          batch.status = 'cancelled';
          await cancel();
          return untilCancelled();
        },
      });
    },
  },

  'batch-cancelled-by-operator': {
    hasCallback: true,
    activities: ({ cancelWorkflow }) =>
      of(new FakeBatch(2), {
        generateRow: async () => {
          await cancelWorkflow();
          return untilCancelled();
        },
      }),
  },

  'batch-with-a-long-history': {
    longestHistory: 30,
    activities: () => {
      const batch = new FakeBatch(6);
      const { readNextRows } = batch.activities();
      return of(batch, { readNextRows: (asked) => readNextRows({ ...asked, limit: 2 }) });
    },
  },

  'batch-not-to-be-run': {
    activities: () => of(Object.assign(new FakeBatch(2), { status: 'completed' })),
  },

  // cancelled while no run worked on it
  'batch-ended-without-a-run': {
    hasCallback: true,
    activities: () =>
      of(Object.assign(new FakeBatch(2), { status: 'cancelled', isUnreported: true })),
  },
};
