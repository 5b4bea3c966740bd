import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { CallMeter } from '../agents/port.ts';
import type { MeteredCall, Usage } from '../contract/task.ts';
import { DomainError } from '../errors.ts';
import type { Logger } from '../log.ts';
import { type ModelUsage, plausible } from '../organizations/modelUsage.ts';
import type { TokenLimits } from '../organizations/tokenLimits.ts';

/** Milliseconds between attempts to write a record. */
const PAUSES = [250, 500, 1_000, 2_000, 4_000];

interface Options {
  usage: Pick<ModelUsage, 'begin' | 'answer'>;
  limits: Pick<TokenLimits, 'refusal'>;
  log: Pick<Logger, 'warn'>;
  /** Called after the usage of a call was recorded. */
  onCounted?: (call: MeteredCall, used: Usage) => void;
  pauses?: number[];
}

/**
 * Counts the calls of language models for their organizations. Only the record of a call is
 * repeated, never the call. An answer that can't be recorded keeps the estimate.
 */
export function createCallMeter({
  usage,
  limits,
  log,
  onCounted = () => undefined,
  pauses = PAUSES,
}: Options): CallMeter {
  async function record<T>(write: () => Promise<T>): Promise<T> {
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
      const refusal = await record(() =>
        usage.begin({ ...call, callId }, (trx) => limits.refusal(call.organizationId, trx)),
      ).catch(uncounted);
      if (refusal !== undefined) throw new DomainError('LIMIT_EXCEEDED', refusal);
      return (used) =>
        record(() => usage.answer(callId, used)).then(
          () => onCounted(call, plausible(used)),
          (err: unknown) =>
            log.warn({ err, taskId: call.taskId }, 'usage of a call not recorded: estimated'),
        );
    },
  };
}

function uncounted(cause: unknown): never {
  const says = "A call of a language model can't be counted now";
  throw new DomainError('UNAVAILABLE', says, { retryable: true, cause });
}
