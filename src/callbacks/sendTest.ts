import type { TestDelivery } from '../contract/callback.ts';
import type { Page } from '../contract/task.ts';
import { DomainError } from '../errors.ts';
import { testCallbackBody } from './callbackBody.ts';
import type { CallbackSender } from './callbackSender.ts';

/** A task that does not exist, and the page that it would have created. */
export interface ExampleTask {
  taskId: string;
  page: Page;
}

interface SendTestOptions {
  send: CallbackSender['send'];
  /**
   * Makes another task each time, because receivers ignore a `webhook-id` that they have seen
   * before.
   */
  createExample: () => ExampleTask;
  organizations: { callbackSecrets(organizationId: string): Promise<string[]> };
}

/**
 * Sends a test callback: what a finished task sends, signed and with `"test": true`, once and
 * without retries. `checkCallbackUrl` must have accepted the URL.
 * @returns whether the receiver acknowledged it, with the status or the error
 */
export type SendTest = (
  organizationId: string,
  url: string,
  signal: AbortSignal,
) => Promise<TestDelivery>;

export const createSendTest =
  ({ send, createExample, organizations }: SendTestOptions): SendTest =>
  async (organizationId, url, signal) => {
    const secrets = await organizations.callbackSecrets(organizationId);
    const timestamp = new Date();
    const { taskId, page } = createExample();
    const body = testCallbackBody(taskId, {
      status: 'completed',
      output: { pagesCreated: [page], pagesModified: [], pagesDeleted: [] },
      finishedAt: timestamp.toISOString(),
    });
    const startedAt = performance.now();
    const testResult = (status: number | null, error: string | null): TestDelivery => ({
      delivered: error === null,
      status,
      error,
      ms: Math.round(performance.now() - startedAt),
    });
    try {
      return testResult(
        await send({ url, body, webhookId: taskId, timestamp, secrets }, signal),
        null,
      );
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'CALLBACK_FAILED') throw error;
      return testResult((error.details?.['status'] as number | undefined) ?? null, error.message);
    }
  };
