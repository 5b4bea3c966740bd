import { once } from 'node:events';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import type { Dialect } from 'kysely';
import { PGliteDialect } from 'kysely-pglite-dialect';
import { DomainError } from '../errors.ts';
import { CHANNEL } from './rowChanges.ts';

export interface Embedded {
  dialect: Dialect;
  /** Calls back with the payload of each notification of a change. */
  listen: (tell: (payload: string) => void) => Promise<void>;
}

/** PostgreSQL touches all of its buffers at the start, by default 128 MB; the tables have a few. */
const smallBuffers = ['-c', 'shared_buffers=4MB'];

const directoryIn = (dataDir: string) => join(dataDir, 'database');

/** Whether a data folder holds an embedded database. */
export const hasEmbedded = (dataDir: string) => existsSync(directoryIn(dataDir));

/**
 * Opens the embedded PostgreSQL in `<dataDir>/database`, and makes it if it is missing.
 * @param dataDir must be locked: two processes corrupt a database
 * @throws DomainError CONFIGURATION with the reason
 */
export async function openEmbedded(dataDir: string): Promise<Embedded> {
  try {
    const directory = directoryIn(dataDir);
    if (!existsSync(directory)) await makeWhole(directory);
    const startParams = [...PGlite.defaultStartParams, ...smallBuffers];
    const opened = await PGlite.create({ dataDir: directory, startParams });
    return {
      dialect: new PGliteDialect(opened),
      listen: async (tell) => void (await opened.listen(CHANNEL, tell)),
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
 * Makes a database in a temporary folder and renames that, so that a kill never leaves half a
 * database. A thread makes it: otherwise the process would keep the 180 MB that this takes.
 */
async function makeWhole(directory: string): Promise<void> {
  const made = `${directory}.new`;
  rmSync(made, { recursive: true, force: true });
  const thread = new Worker(new URL('makeEmbeddedDatabase.ts', import.meta.url), {
    workerData: made,
  });
  let isMade = false;
  thread.once('message', () => (isMade = true));
  await once(thread, 'exit');
  if (!isMade) throw new Error('making it ended early');
  renameSync(made, directory);
}
