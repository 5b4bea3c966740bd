import { type Kysely, Migrator, sql } from 'kysely';
import { DomainError } from '../errors.ts';
import { migrations } from './migrations/index.ts';
import type { Schema } from './schema.ts';

/** Whether no migration of this service ever ran in the database. */
export async function isEmpty(db: Kysely<Schema>): Promise<boolean> {
  const knownMigrations = await migratorOf(db).getMigrations();
  return knownMigrations.every(({ executedAt }) => executedAt === undefined);
}

/**
 * Migrates the database to this version's schema. A lock in the database lets only one process
 * migrate at a time.
 * @throws DomainError CONFIGURATION if a migration fails, or a later version created the database
 */
export async function migrate(db: Kysely<Schema>): Promise<void> {
  const { error, results = [] } = await migratorOf(db).migrateToLatest();
  if (error === undefined) return;
  const laterMigrations = await listLaterMigrations(db);
  if (laterMigrations.length > 0)
    throw new DomainError(
      'CONFIGURATION',
      `A later version of the service has migrated the database (${laterMigrations.join(', ')}). ` +
        'Start that version, or restore a backup from before the upgrade',
      { cause: error },
    );
  const failedMigration = results.find((result) => result.status === 'Error');
  const migrationWords = failedMigration ? ` at migration ${failedMigration.migrationName}` : '';
  const reason = error instanceof Error ? error.message : 'unknown reason';
  throw new DomainError(
    'CONFIGURATION',
    `The database can't be migrated to the schema of this version${migrationWords}: ${reason}`,
    {
      cause: error,
    },
  );
}

/** The migrations that ran in the database, and that this version does not have. */
async function listLaterMigrations(db: Kysely<Schema>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`
    .execute(db)
    .catch(() => ({ rows: [] }));
  return rows.flatMap(({ name }) => (name in migrations ? [] : [name]));
}

function migratorOf(db: Kysely<Schema>): Migrator {
  return new Migrator({ db, provider: { getMigrations: () => Promise.resolve(migrations) } });
}
