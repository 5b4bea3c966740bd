import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { CallMeter } from '../agents/port.ts';
import { DomainError } from '../errors.ts';
import type { Logger } from '../log.ts';
import type { ModelUsage } from '../organizations/modelUsage.ts';

/** Milliseconds between attempts to write a record. */
const PAUSES = [250, 500, 1_000, 2_000, 4_000];

interface Options {
  usage: Pick<ModelUsage, 'begin' | 'answer'>;
  log: Pick<Logger, 'warn'>;
  pauses?: number[];
}

/**
 * Counts the calls of language models for their organizations. Only the record of a call is
 * repeated, never the call. An answer that can't be recorded keeps the estimate.
 */
export function createCallMeter({ usage, log, pauses = PAUSES }: Options): CallMeter {
  async function record(write: () => Promise<void>): Promise<void> {
    for (const pause of pauses) {
      try {
        return await write();
      } catch {
        await delay(pause);
      }
    }
    return write();
  }

  return {
    async begin(call) {
      const callId = randomUUID();
      await record(() => usage.begin({ ...call, callId })).catch((cause: unknown) => {
        const says = "A call of a language model can't be counted now";
        throw new DomainError('UNAVAILABLE', says, { retryable: true, cause });
      });
      return (used) =>
        record(() => usage.answer(callId, used)).catch((err: unknown) =>
          log.warn({ err, taskId: call.taskId }, 'usage of a call not recorded: estimated'),
        );
    },
  };
}
