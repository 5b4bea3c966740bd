import { randomUUID } from 'node:crypto';
import type { TestDelivery } from '../contract/callback.ts';
import { DomainError } from '../errors.ts';
import type { CallbackSender } from './send.ts';

interface Options {
  send: CallbackSender['send'];
  organizations: { callbackSecrets(organizationId: string): Promise<string[]> };
}

/**
 * Sends one signed test callback, without retries. `checkCallbackUrl` must have accepted the URL.
 */
export type SendTest = (
  organizationId: string,
  url: string,
  signal: AbortSignal,
) => Promise<TestDelivery>;

export const createSendTest =
  ({ send, organizations }: Options): SendTest =>
  async (organizationId, url, signal) => {
    const secrets = await organizations.callbackSecrets(organizationId);
    const timestamp = new Date();
    const body = JSON.stringify({ type: 'test', timestamp: timestamp.toISOString() });
    const began = performance.now();
    const ended = (status: number | null, error: string | null): TestDelivery => ({
      delivered: error === null,
      status,
      error,
      ms: Math.round(performance.now() - began),
    });
    try {
      return ended(
        await send({ url, body, webhookId: `test-${randomUUID()}`, timestamp, secrets }, signal),
        null,
      );
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'CALLBACK_FAILED') throw error;
      return ended((error.details?.['status'] as number | undefined) ?? null, error.message);
    }
  };
