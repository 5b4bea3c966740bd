import { randomUUID } from 'node:crypto';
import type { Reply } from './service.ts';
import { until } from './until.ts';

/**
 * Sends a creation with a key of its own, and again with it as long as Temporal is too busy to
 * answer within the service's 4 s: on a loaded machine that is no defect.
 */
export function createPatiently(
  send: (headers: { 'idempotency-key': string }) => Promise<Reply>,
): Promise<Reply> {
  const headers = { 'idempotency-key': randomUUID() };
  return until('an answer without a server error', async () => {
    const reply = await send(headers);
    return reply.status < 500 && reply;
  });
}
