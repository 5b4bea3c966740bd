import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { migrate } from '../../src/storage/migrate.ts';
import type { Schema } from '../../src/storage/schema.ts';
import { startPglite } from './pglite.ts';
import { createRunDatabase } from './runDatabase.ts';

let shared: Promise<{ pool: pg.Pool; db: Kysely<Schema> }> | undefined;
const sharedDatabase = () => (shared ??= open());

/**
 * A migrated database, one for each process of the tests: every test makes its own organizations
 * in it. It is on the run's PostgreSQL server, which answers with half of the CPU time that PGlite
 * needs, and in memory outside of a run.
 */
export const testDatabase = async (): Promise<Kysely<Schema>> => (await sharedDatabase()).db;

/** The connection of `testDatabase`, for what counts in a database without Kysely. */
export const testPool = async (): Promise<pg.Pool> => (await sharedDatabase()).pool;

async function open() {
  const url =
    (await createRunDatabase('migrated')) ?? (await startPglite({ isMigrated: true })).url;
  const options = { connectionString: url, max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true };
  const pool = new pg.Pool(options);
  return { pool, db: await migrated(pool) };
}

/** The database of a pool, brought to this version's schema. */
export async function migrated(pool: pg.Pool): Promise<Kysely<Schema>> {
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  await migrate(db);
  return db;
}

/** A temporary folder of the test's own, and how to remove it. */
export function temporaryFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'agent-tasks-test-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
