import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { CHANNEL, type RowChangeRelay } from './rowChanges.ts';

/** Milliseconds. `heardWithin` is also the timeout of each query. */
const listenTimeouts = {
  connect: 3_000,
  echoEvery: 1_000,
  heardWithin: 3_000,
  pause: 500,
  end: 1_000,
};

interface ListenOptions {
  connectionString: string;
  /** Supplies the connections that send echoes to the same database. */
  pool: pg.Pool;
  changes: RowChangeRelay;
}

/**
 * Listens for changes of rows on a dedicated connection, and reconnects whenever it breaks.
 *
 * Every second, another connection sends an echo: a notification without a change, which this
 * connection must receive. Caches may be used only while echoes arrive. So a connection that died
 * silently, or a pooling proxy that does not support `LISTEN`, only costs speed. PostgreSQL
 * delivers notifications in the order of commits, so an echo arrives after every change that was
 * committed before it.
 */
export function listenToChanges(options: ListenOptions): { close(): Promise<void> } {
  const closing = new AbortController();
  const listeningEnded = keepListening(options, closing.signal);
  return {
    async close() {
      closing.abort();
      await listeningEnded;
    },
  };
}

async function keepListening(
  { connectionString, pool, changes }: ListenOptions,
  closing: AbortSignal,
): Promise<void> {
  while (!closing.aborted) {
    const clientTimeouts = {
      connectionTimeoutMillis: listenTimeouts.connect,
      query_timeout: listenTimeouts.heardWithin,
    };
    const client = new pg.Client({ connectionString, ...clientTimeouts });
    const connectionBroken = new AbortController();
    client.on('error', () => connectionBroken.abort()).on('end', () => connectionBroken.abort());
    try {
      await listenUntilBroken(
        client,
        { pool, changes },
        AbortSignal.any([closing, connectionBroken.signal]),
      );
    } catch {
      changes.lost();
      await Promise.race([
        client.end().catch(() => undefined),
        delay(listenTimeouts.end, undefined, { ref: false }),
      ]);
      await delay(listenTimeouts.pause, undefined, { ref: false, signal: closing }).catch(
        () => undefined,
      );
    }
  }
}

/** The query of an echo. Its timeout also removes a hanging connection from the pool. */
const echoQuery = (payload: string) => ({
  text: 'select pg_notify($1, $2)',
  values: [CHANNEL, payload],
  query_timeout: listenTimeouts.heardWithin,
});

/** Listens until the connection ends or an echo is late. Then throws the reason. */
async function listenUntilBroken(
  client: pg.Client,
  { pool, changes }: Pick<ListenOptions, 'pool' | 'changes'>,
  signal: AbortSignal,
): Promise<never> {
  const echoPayload = `echo ${randomUUID()}`;
  client.on('notification', ({ payload = '' }) => {
    if (payload === echoPayload) client.emit('echo');
    else changes.tell(payload);
  });
  await client.connect();
  await client.query(`listen ${CHANNEL}`);
  for (;;) {
    const sentAt = performance.now();
    const timeoutSignal = AbortSignal.any([
      signal,
      AbortSignal.timeout(listenTimeouts.heardWithin),
    ]);
    const echoHeard = once(client, 'echo', { signal: timeoutSignal });
    await Promise.all([echoHeard, pool.query(echoQuery(echoPayload))]);
    changes.heardFor(listenTimeouts.heardWithin - (performance.now() - sentAt));
    await delay(listenTimeouts.echoEvery, undefined, { ref: false, signal });
  }
}
