import { accessSync, constants, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import type { Dialect } from 'kysely';
import { PGliteDialect } from 'kysely-pglite-dialect';
import { DomainError } from '../errors.ts';
import { lockDataDir } from './lock.ts';

/**
 * Opens the embedded PostgreSQL in `<dataDir>/database`, which two processes would corrupt: the folder is locked first.
 * @throws DomainError CONFLICT where another process holds the folder, CONFIGURATION where it can't be written
 */
export async function openEmbedded(dataDir: string): Promise<{ dialect: Dialect; release: () => void }> {
  makeFolder(dataDir);
  const lock = lockDataDir(dataDir);
  try {
    return { dialect: new PGliteDialect(await openDirectory(dataDir)), release: () => lock.release() };
  } catch (error) {
    lock.release();
    throw new DomainError('CONFIGURATION', `The embedded database in ${dataDir} can't be opened: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

function makeFolder(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new DomainError(
      'CONFIGURATION',
      `DATA_DIR ${dataDir} must be a folder that can be written: ${messageOf(error)}`,
      {
        cause: error,
      },
    );
  }
}

/** A new database is made beside its place and moved there whole, so that a kill in the middle leaves nothing half made. */
async function openDirectory(dataDir: string): Promise<PGlite> {
  const directory = join(dataDir, 'database');
  if (!existsSync(directory)) {
    const made = join(dataDir, 'database.new');
    rmSync(made, { recursive: true, force: true });
    await (await PGlite.create({ dataDir: made })).close();
    renameSync(made, directory);
  }
  return PGlite.create({ dataDir: directory });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'unknown reason';
}
