import { batchCallbackBody, callbackBody, batchWebhookId } from '../src/callbacks/callbackBody.ts';
import type { BatchOutcome } from '../src/contract/batches/batch.ts';
import {
  type CallbackAttempt,
  closeInterruptedAttempts,
  type RecordedAttempts,
} from '../src/contract/callback.ts';
import { withoutUndefined } from '../src/contract/withoutUndefined.ts';
import type { TaskOutcome } from '../src/contract/task.ts';
import { DomainError } from '../src/errors.ts';
import { waitFor } from '../src/waitCounters.ts';
import type { ActivityAttempt } from './activityAttempt.ts';
import type { ActivityDependencies, TaskRef } from './deps.ts';
import { readWithRetry } from './readWithRetry.ts';

/** Most characters of an error. The workflow's memo stores the errors of all attempts. */
const LONGEST_ERROR = 300;

interface SendCallbackInput {
  task: TaskRef;
  callbackUrl: string;
  finished: TaskOutcome | BatchOutcome;
}

interface SentCallback extends RecordedAttempts {
  /** The receiver's HTTP status at the last attempt. */
  status: number;
}

type SendCallbackDependencies = Pick<ActivityDependencies, 'organizations' | 'callbacks' | 'log'>;

export const DATABASE_WAIT_MESSAGE = 'callback is waiting for the database';

/**
 * Makes one delivery attempt. Its heartbeats carry all attempts so far, for the next attempt, the
 * API and the workflow. Repeatable: it sends the same bytes with the same webhook-id, so that
 * receivers recognize a repetition. Throws CALLBACK_FAILED.
 */
export function createSendCallback({ organizations, callbacks, log }: SendCallbackDependencies) {
  return async (
    { task, callbackUrl, finished }: SendCallbackInput,
    signal: AbortSignal,
    attempt: ActivityAttempt,
  ): Promise<SentCallback> => {
    const { taskId, organizationId } = task;
    const attemptRecord = createAttemptRecord(attempt);
    const onWait = (err: unknown) =>
      log.warn({ taskId, organizationId, err }, DATABASE_WAIT_MESSAGE);
    try {
      const secretsRead = readWithRetry(() => organizations.callbackSecrets(organizationId), {
        signal,
        onWait,
      });
      const secrets = await waitFor('the database', secretsRead);
      const message = {
        ...('batchId' in finished
          ? { body: batchCallbackBody(finished), webhookId: batchWebhookId(finished) }
          : { body: callbackBody(taskId, finished), webhookId: taskId }),
        timestamp: attemptRecord.begin(),
        secrets,
      };
      const status = await callbacks.send({ url: callbackUrl, ...message }, signal);
      return { status, attempts: attemptRecord.end({ status }) };
    } catch (error) {
      if (!signal.aborted) attemptRecord.end(attemptOutcome(error));
      throw error;
    }
  };
}

type AttemptOutcome = Omit<CallbackAttempt, 'at'>;

/** Records the attempts. This attempt starts at `begin`, which excludes waiting for the secret. */
function createAttemptRecord(attempt: ActivityAttempt) {
  const earlierAttempts = closeInterruptedAttempts(
    (attempt.earlier as RecordedAttempts | undefined)?.attempts ?? [],
  );
  attempt.setDetails({ attempts: earlierAttempts });
  let startedAt: string | undefined;
  const recordAttempt = (outcome: AttemptOutcome): CallbackAttempt[] => {
    startedAt ??= new Date().toISOString();
    const attempts = [...earlierAttempts, { at: startedAt, ...outcome }];
    attempt.setDetails({ attempts });
    attempt.beat();
    return attempts;
  };
  return { begin: () => new Date(recordAttempt({}).at(-1)!.at), end: recordAttempt };
}

function attemptOutcome(error: unknown): AttemptOutcome {
  if (!(error instanceof DomainError)) return { error: 'Unexpected error in sendCallback' };
  const status = error.details?.['status'] as number | undefined;
  return withoutUndefined({ status, error: error.message.slice(0, LONGEST_ERROR) });
}
