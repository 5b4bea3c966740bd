import { type Kysely, Migrator } from 'kysely';
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

function migratorOf(db: Kysely<Schema>): Migrator {
  return new Migrator({ db, provider: { getMigrations: () => Promise.resolve(migrations) } });
}
