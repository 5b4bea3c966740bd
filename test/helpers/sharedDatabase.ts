import { startPglite } from './pglite.ts';
import { findProgram } from './programs.ts';
import { createPostgresDatabase } from './postgres.ts';

/** Connections that all processes of a test may have. */
const CONNECTIONS = 100;

export interface SharedDatabase {
  url: string;
  /**
   * PGlite's connections share one session and its statement names: rate limits fall back to each
   * process's memory.
   */
  hasSessions: boolean;
  stop(): Promise<void>;
}

/**
 * The test's own database for several processes: PostgreSQL, or PGlite behind a socket if
 * PostgreSQL is not installed.
 * @throws in continuous integration without PostgreSQL
 */
export async function startSharedDatabase(): Promise<SharedDatabase> {
  if (findProgram('PostgreSQL')) return { ...(await createPostgresDatabase()), hasSessions: true };
  if (process.env['CI'])
    throw new Error('PostgreSQL is not installed: with CI set, no test may be skipped');
  return { ...(await startPglite({ connections: CONNECTIONS })), hasSessions: false };
}
