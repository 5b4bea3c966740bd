import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { CHANNEL, type RowChangeRelay } from './rowChanges.ts';

/** Milliseconds. `heardWithin` is also the timeout of each query. */
const times = { connect: 3_000, echoEvery: 1_000, heardWithin: 3_000, pause: 500, end: 1_000 };

interface Options {
  connectionString: string;
  /** Supplies the connections that send echoes to the same database. */
  pool: pg.Pool;
  changes: RowChangeRelay;
}

/**
 * Listens for changes of rows on a dedicated connection, and reconnects whenever it breaks.
 *
 * Every second, another connection sends an echo. Caches may trust the changes only while echoes
 * arrive. So a connection that died silently, or a pooling proxy that does not support `LISTEN`,
 * only costs speed. PostgreSQL delivers notifications in the order of commits: an echo arrives
 * after every change that was committed before it.
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

/** The query of an echo. Its timeout also removes a hanging connection from the pool. */
const notification = (text: string) => ({
  text: 'select pg_notify($1, $2)',
  values: [CHANNEL, text],
  query_timeout: times.heardWithin,
});

/** Listens until the connection ends or an echo is late. Then it throws. */
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
