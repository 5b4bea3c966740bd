import { batchCallbackBody, callbackBody, webhookIdOf } from '../src/callbacks/body.ts';
import type { BatchEnd } from '../src/contract/batch.ts';
import { type CallbackAttempt, ended, type KeptAttempts } from '../src/contract/callback.ts';
import { defined } from '../src/contract/defined.ts';
import type { FinishedView } from '../src/contract/task.ts';
import { DomainError } from '../src/errors.ts';
import { waitFor } from '../src/waiting.ts';
import type { Attempt } from './attempt.ts';
import type { ActivityDeps, TaskRef } from './deps.ts';
import { readPatiently } from './readPatiently.ts';

/** Most characters of an error. The workflow's memo stores the errors of all attempts. */
const LONGEST_ERROR = 300;

interface SendCallback {
  task: TaskRef;
  callbackUrl: string;
  finished: FinishedView | BatchEnd;
}

interface Sent extends KeptAttempts {
  /** The receiver's HTTP status at the last attempt. */
  status: number;
}

type Deps = Pick<ActivityDeps, 'organizations' | 'callbacks' | 'log'>;

/**
 * Makes one delivery attempt. Its heartbeats carry all attempts so far, for the next attempt, the
 * API and the workflow. Repeatable: it sends the same bytes with the same webhook-id, so that
 * receivers recognize a repetition. Throws CALLBACK_FAILED.
 */
export function createSendCallback({ organizations, callbacks, log }: Deps) {
  return async (
    { task, callbackUrl, finished }: SendCallback,
    signal: AbortSignal,
    attempt: Attempt,
  ): Promise<Sent> => {
    const { taskId, organizationId } = task;
    const record = createRecord(attempt);
    const onWait = (err: unknown) =>
      log.warn({ taskId, organizationId, err }, 'callback waits for the database');
    try {
      const reading = readPatiently(() => organizations.callbackSecrets(organizationId), {
        signal,
        onWait,
      });
      const secrets = await waitFor('the database', reading);
      const message = {
        ...('batchId' in finished
          ? { body: batchCallbackBody(finished), webhookId: webhookIdOf(finished) }
          : { body: callbackBody(taskId, finished), webhookId: taskId }),
        timestamp: record.begin(),
        secrets,
      };
      const status = await callbacks.send({ url: callbackUrl, ...message }, signal);
      return { status, attempts: record.end({ status }) };
    } catch (error) {
      if (!signal.aborted) record.end(endOf(error));
      throw error;
    }
  };
}

type End = Omit<CallbackAttempt, 'at'>;

/** Records the attempts. This attempt starts at `begin`, which excludes waiting for the secret. */
function createRecord(attempt: Attempt) {
  const before = ended((attempt.earlier as KeptAttempts | undefined)?.attempts ?? []);
  attempt.setDetails({ attempts: before });
  let at: string | undefined;
  const keep = (end: End): CallbackAttempt[] => {
    at ??= new Date().toISOString();
    const attempts = [...before, { at, ...end }];
    attempt.setDetails({ attempts });
    attempt.beat();
    return attempts;
  };
  return { begin: () => new Date(keep({}).at(-1)!.at), end: keep };
}

function endOf(error: unknown): End {
  if (!(error instanceof DomainError)) return { error: 'Unexpected error in sendCallback' };
  const status = error.details?.['status'] as number | undefined;
  return defined({ status, error: error.message.slice(0, LONGEST_ERROR) });
}
