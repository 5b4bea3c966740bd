import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { migrate } from '../../src/storage/migrate.ts';
import type { Schema } from '../../src/storage/schema.ts';
import { startPglite } from './pglite.ts';

let shared: Promise<Kysely<Schema>> | undefined;

/**
 * A migrated database in memory, one for each process of the tests: every test makes its own
 * organizations in it.
 */
export function testDatabase(): Promise<Kysely<Schema>> {
  return (shared ??= open());
}

async function open(): Promise<Kysely<Schema>> {
  const { url } = await startPglite({ isMigrated: true });
  return migrated(
    new pg.Pool({ connectionString: url, max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true }),
  );
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
