import { once } from 'node:events';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import type { Dialect } from 'kysely';
import { PGliteDialect } from 'kysely-pglite-dialect';
import { DomainError } from '../errors.ts';
import { CHANNEL } from './rowChanges.ts';

export interface EmbeddedDatabase {
  dialect: Dialect;
  /** Listens for changes of rows, and calls `tell` with the payload of each notification. */
  listen: (tell: (payload: string) => void) => Promise<void>;
}

/**
 * PostgreSQL allocates all its buffers at the start, 128 MB by default. The tables here are small.
 */
const smallBuffers = ['-c', 'shared_buffers=4MB'];

const databaseFolderIn = (dataDir: string) => join(dataDir, 'database');

/** Whether a data folder holds an embedded database. */
export const hasEmbedded = (dataDir: string) => existsSync(databaseFolderIn(dataDir));

/**
 * Opens the embedded PostgreSQL in `<dataDir>/database`. Creates it if it is missing.
 * @param dataDir must be locked: two processes would corrupt the database
 * @throws DomainError CONFIGURATION with the reason
 */
export async function openEmbedded(dataDir: string): Promise<EmbeddedDatabase> {
  try {
    const directory = databaseFolderIn(dataDir);
    if (!existsSync(directory)) await createDatabase(directory);
    const startParams = [...PGlite.defaultStartParams, ...smallBuffers];
    const openedDatabase = await PGlite.create({ dataDir: directory, startParams });
    return {
      dialect: new PGliteDialect(openedDatabase),
      listen: async (onPayload) => void (await openedDatabase.listen(CHANNEL, onPayload)),
    };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : 'unknown reason';
    throw new DomainError(
      'CONFIGURATION',
      `The embedded database in ${dataDir} can't be opened: ${reason}`,
      { cause },
    );
  }
}

/**
 * Creates a database in a temporary folder and renames this folder, so that a kill never leaves
 * half a database. Runs in a thread, since the process would otherwise keep the 180 MB that this
 * takes.
 */
async function createDatabase(directory: string): Promise<void> {
  const temporaryFolder = `${directory}.new`;
  rmSync(temporaryFolder, { recursive: true, force: true });
  const creatorThread = new Worker(new URL('makeEmbeddedDatabase.ts', import.meta.url), {
    workerData: temporaryFolder,
  });
  let isCreated = false;
  creatorThread.once('message', () => (isCreated = true));
  await once(creatorThread, 'exit');
  if (!isCreated) throw new Error('its initialization was interrupted');
  renameSync(temporaryFolder, directory);
}
