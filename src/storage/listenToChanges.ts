import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { CHANNEL, type RowChangeRelay } from './rowChanges.ts';

/** Milliseconds. `heardWithin` also limits each query. */
const times = { connect: 3_000, echoEvery: 1_000, heardWithin: 3_000, pause: 500, end: 1_000 };

interface Options {
  connectionString: string;
  /** Other connections to the same database. */
  pool: pg.Pool;
  changes: RowChangeRelay;
}

/**
 * Listens to changes of rows on a connection of its own, and reconnects whenever that breaks. Every
 * second, another connection sends an echo. Changes count as heard only while the echoes arrive. So
 * a silently dead connection, or a proxy that shares connections and does not pass on `LISTEN`,
 * only costs speed. PostgreSQL delivers in the order of commits: an echo arrives after every change
 * that was committed before it.
 */
export function listenToChanges(options: Options): { close(): Promise<void> } {
  const closing = new AbortController();
  const ended = keepListening(options, closing.signal);
  return {
    async close() {
      closing.abort();
      await ended;
    },
  };
}

async function keepListening(
  { connectionString, pool, changes }: Options,
  closing: AbortSignal,
): Promise<void> {
  while (!closing.aborted) {
    const limits = { connectionTimeoutMillis: times.connect, query_timeout: times.heardWithin };
    const client = new pg.Client({ connectionString, ...limits });
    const broken = new AbortController();
    client.on('error', () => broken.abort()).on('end', () => broken.abort());
    try {
      await listen(client, { pool, changes }, AbortSignal.any([closing, broken.signal]));
    } catch {
      changes.lost();
      await Promise.race([
        client.end().catch(() => undefined),
        delay(times.end, undefined, { ref: false }),
      ]);
      await delay(times.pause, undefined, { ref: false, signal: closing }).catch(() => undefined);
    }
  }
}

/** Its timeout also removes a connection that hangs from the pool. */
const notification = (text: string) => ({
  text: 'select pg_notify($1, $2)',
  values: [CHANNEL, text],
  query_timeout: times.heardWithin,
});

/** Listens until it throws: when the connection ends, or an echo is late. */
async function listen(
  client: pg.Client,
  { pool, changes }: Pick<Options, 'pool' | 'changes'>,
  signal: AbortSignal,
): Promise<never> {
  const echo = `echo ${randomUUID()}`;
  client.on('notification', ({ payload = '' }) => {
    if (payload === echo) client.emit('echo');
    else changes.tell(payload);
  });
  await client.connect();
  await client.query(`listen ${CHANNEL}`);
  for (;;) {
    const sent = performance.now();
    const late = AbortSignal.any([signal, AbortSignal.timeout(times.heardWithin)]);
    const heard = once(client, 'echo', { signal: late });
    await Promise.all([heard, pool.query(notification(echo))]);
    changes.heardFor(times.heardWithin - (performance.now() - sent));
    await delay(times.echoEvery, undefined, { ref: false, signal });
  }
}
