import pg from 'pg';
import { startPostgres } from './postgres.ts';

/** A database on a PostgreSQL server. */
export interface PostgresDatabase {
  url: string;
  /** The server's. */
  port: number;
  stop(): Promise<void>;
}

/**
 * A database of the test's own: on the server that all tests of a run share, or on a server that
 * starts for it. Ask `needProgram` first.
 */
export async function createPostgresDatabase(): Promise<PostgresDatabase> {
  const url = await createRunDatabase('template1');
  if (url === null) return startPostgres();
  return { url, port: Number(new URL(url).port), stop: () => Promise.resolve() };
}

/**
 * Creates a database on the run's server, which removes it at its end.
 * @returns its URL, null outside of a run and where PostgreSQL is missing
 */
export async function createRunDatabase(
  template: 'template1' | 'migrated',
): Promise<string | null> {
  const server = process.env['TEST_POSTGRES'];
  if (!server) return null;
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  const name = `test_${crypto.randomUUID().replaceAll('-', '')}`;
  await client.query(`CREATE DATABASE ${name} TEMPLATE ${template}`);
  await client.end();
  return Object.assign(new URL(server), { pathname: name }).href;
}
