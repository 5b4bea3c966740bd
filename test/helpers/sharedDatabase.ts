import { PGlite } from '@electric-sql/pglite';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
import { startPostgres } from './postgres.ts';
import { findProgram } from './programs.ts';

/** Connections that all processes of a test may have. */
const CONNECTIONS = 100;

export interface SharedDatabase {
  url: string;
  /** PGlite's connections share one session, and so the names of prepared statements: rate limits fall back on each process's memory there. */
  hasSessions: boolean;
  stop(): Promise<void>;
}

/**
 * A database of the test's own for several processes: PostgreSQL, or PGlite behind a socket where PostgreSQL is not installed.
 * @throws in continuous integration without PostgreSQL
 */
export async function startSharedDatabase(): Promise<SharedDatabase> {
  if (findProgram('PostgreSQL')) return { ...(await startPostgres()), hasSessions: true };
  if (process.env['CI']) throw new Error('PostgreSQL is not installed: with CI set, no test may be skipped');
  return await startSocket();
}

async function startSocket(): Promise<SharedDatabase> {
  const db = await PGlite.create();
  const server = new PGLiteSocketServer({ db, port: 0, maxConnections: CONNECTIONS });
  const listening = new Promise<number>((resolve) => {
    server.addEventListener('listening', (event) => resolve((event as CustomEvent<{ port: number }>).detail.port));
  });
  await server.start();
  return {
    url: `postgres://postgres@127.0.0.1:${await listening}/postgres`,
    hasSessions: false,
    async stop() {
      await server.stop();
      await db.close();
    },
  };
}
