import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { CallMeter } from '../agents/agentPorts.ts';
import type { MeteredCall, TokenUsage } from '../contract/task.ts';
import { DomainError } from '../errors.ts';
import type { ServiceLogger } from '../log.ts';
import { type ModelUsage, clampUsage } from '../organizations/modelUsage.ts';
import type { TokenLimits } from '../organizations/tokenLimits.ts';

/** Milliseconds between attempts to write a record. */
const PAUSES = [250, 500, 1_000, 2_000, 4_000];

interface CallMeterOptions {
  usage: Pick<ModelUsage, 'begin' | 'answer'>;
  limits: Pick<TokenLimits, 'refusal'>;
  log: Pick<ServiceLogger, 'warn'>;
  /** Called after the usage of a call was recorded. */
  onCounted?: (call: MeteredCall, usedTokens: TokenUsage) => void;
  pauses?: number[];
}

/**
 * Creates the meter that records the tokens of language model calls for their organizations, and
 * refuses a call at the organization's limit. A failed write of a record is repeated, but never the
 * call itself. If the usage of an answer can't be recorded, the estimate from the start of the call
 * stays.
 */
export function createCallMeter({
  usage,
  limits,
  log,
  onCounted = () => undefined,
  pauses = PAUSES,
}: CallMeterOptions): CallMeter {
  async function writeRecord<T>(write: () => Promise<T>): Promise<T> {
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
      const refusal = await writeRecord(() =>
        usage.begin({ ...call, callId }, (trx) => limits.refusal(call.organizationId, trx)),
      ).catch(throwUncounted);
      if (refusal !== undefined) throw new DomainError('LIMIT_EXCEEDED', refusal);
      return (usedTokens) =>
        writeRecord(() => usage.answer(callId, usedTokens)).then(
          () => onCounted(call, clampUsage(usedTokens)),
          (err: unknown) =>
            log.warn(
              { err, taskId: call.taskId },
              'usage of a language model call was not recorded and is estimated',
            ),
        );
    },
  };
}

function throwUncounted(cause: unknown): never {
  const message = "The usage of a language model call can't be recorded at the moment";
  throw new DomainError('UNAVAILABLE', message, { retryable: true, cause });
}
