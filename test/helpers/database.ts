import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { Kysely } from 'kysely';
import { PGliteDialect } from 'kysely-pglite-dialect';
import { migrate } from '../../src/storage/migrate.ts';
import type { Schema } from '../../src/storage/schema.ts';

let shared: Promise<Kysely<Schema>> | undefined;

/** A migrated database in memory, one for the whole test run: every test makes its own organizations in it. */
export function testDatabase(): Promise<Kysely<Schema>> {
  return (shared ??= openInMemory());
}

async function openInMemory(): Promise<Kysely<Schema>> {
  const db = new Kysely<Schema>({ dialect: new PGliteDialect(await PGlite.create()) });
  await migrate(db);
  return db;
}

/** A temporary folder of the test's own, and how to remove it. */
export function temporaryFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'agent-tasks-test-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
