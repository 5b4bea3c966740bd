import { parseDictionary } from 'structured-headers';
import type { ApiContext } from './context.ts';

/** The most seconds that an answer waits: proxies cut silent answers after a minute. */
const LONGEST_S = 50;

/**
 * How long the client prefers to wait for an answer (RFC 7240, section 4.3).
 * @returns seconds, 50 at most; 0 if it says nothing, or nothing that can be read
 */
export function preferredWait(ctx: ApiContext): number {
  try {
    const [wait] = parseDictionary(ctx.get('Prefer')).get('wait') ?? [];
    return typeof wait === 'number' ? Math.min(Math.max(Math.trunc(wait), 0), LONGEST_S) : 0;
  } catch {
    return 0;
  }
}
