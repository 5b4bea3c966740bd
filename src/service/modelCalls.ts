import { type Calls, createCalls, windowOf } from '../agents/calls.ts';
import { createLimiter } from '../api/middleware/limiter.ts';
import { storeOf } from '../api/middleware/rateLimit.ts';
import type { Config } from '../config.ts';
import type { Stores } from '../stores.ts';

/**
 * Limits calls of language models. The limit per minute covers all processes that share a database.
 */
export function createModelCalls(
  { atOnce, perMinute }: Config['agent']['calls'],
  { pool }: Stores['database'],
  stopping: AbortSignal,
): Calls {
  const { points, seconds: duration } = windowOf(perMinute);
  const limiter = createLimiter(storeOf({ keyPrefix: 'model_calls', points, duration }, pool));
  return createCalls({
    atOnce,
    stopping,
    next: async () => {
      const { counted, msLeft } = await limiter.count('all');
      return counted <= points ? 0 : Math.max(1, msLeft);
    },
  });
}
