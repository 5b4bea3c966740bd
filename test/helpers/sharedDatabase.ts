import { startPglite } from './pglite.ts';
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
  return { ...(await startPglite({ connections: CONNECTIONS })), hasSessions: false };
}
