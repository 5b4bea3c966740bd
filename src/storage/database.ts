import { type Dialect, Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { withoutUndefined } from '../contract/withoutUndefined.ts';
import { DomainError } from '../errors.ts';
import { type RowChanges, type RowChangeRelay, createRowChanges } from './rowChanges.ts';
import { closeFolder, makeFolder } from './dataFolder.ts';
import { hasEmbedded, openEmbedded } from './embeddedDatabase.ts';
import { listenToChanges } from './listenToChanges.ts';
import { lockDataDir, refuseIfLocked } from './dataFolderLock.ts';
import { isEmpty, migrate } from './migrate.ts';
import type { Schema } from './schema.ts';

/*
 * The database: PostgreSQL, on a server (`DATABASE_URL`) or embedded in this process, in
 * `<DATA_DIR>/database`. Both have the same schema, and Kysely writes the same SQL for both.
 *
 *   const database = await openDatabase({ dataDir: '/var/lib/agent-tasks' });
 *   const leases = createTaskLeases(database.db, 25);
 *   await database.close();
 *
 * - `schema.ts` describes the tables, and `migrations/` creates them
 * - `dataFolder.ts`, `dataFolderLock.ts`, `diskSpace.ts`: the folder of this process's data
 * - `rowChanges.ts`, `listenToChanges.ts`, `rowCache.ts`: rows that change rarely are cached until
 *   the database reports a change by any process
 * - `deployments.ts`, `liveDeployments.ts`, `publications.ts`, `retention.ts`: which commits
 *   previews and live sites show, and how long they are kept
 * - `taskLeases.ts` (permits), `noteStates.ts`, `publishWindows.ts`, `builds.ts`, `batches/`,
 *   `secrets.ts`: one kind of data each
 */

/** An open database. */
export interface Database {
  db: Kysely<Schema>;
  /** The pool of connections to PostgreSQL. Absent for the embedded database. */
  pool?: pg.Pool;
  /** Reports changes of rows by any process. It reports none before `listen`. */
  changes: RowChanges;
  /** Starts to listen for changes. With PostgreSQL, this takes one more connection. */
  listen: () => Promise<void>;
  /** Whether this process found the database empty. */
  isNew: boolean;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** The folder of all data that this process stores, including the embedded database. */
  dataDir: string;
  /** URL of a PostgreSQL database to use instead of the embedded one. */
  databaseUrl?: string | undefined;
  /**
   * Whether to create missing data, and to deny other users access to the folder. Default: true.
   */
  mayMake?: boolean | undefined;
  /** Gets a warning when an idle connection breaks. */
  log?: DatabaseLog | undefined;
}

interface DatabaseLog {
  warn(fields: object, message: string): void;
}

/** Milliseconds. */
const CONNECT_TIMEOUT = 10_000;

/**
 * Locks the data folder for this process, opens the database and migrates it to this version's
 * schema.
 * @throws DomainError CONFLICT if another process holds the folder; CONFIGURATION if folder or
 *   database can't be used, or if there is no data and none may be made
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { dataDir, databaseUrl, mayMake = true, log } = options;
  const resources = new AsyncDisposableStack();
  try {
    if (!mayMake && databaseUrl === undefined) requireEmbedded(dataDir);
    makeFolder(dataDir);
    if (mayMake) closeFolder(dataDir);
    resources.adopt(lockDataDir(dataDir), (folderLock) => folderLock.release());
    const changes = createRowChanges();
    const { dialect, pool, listen } =
      databaseUrl === undefined
        ? await openEmbeddedConnection(dataDir, changes)
        : await openPostgres(databaseUrl, { log, changes, resources });
    const db = resources.adopt(new Kysely<Schema>({ dialect }), (openedDatabase) =>
      openedDatabase.destroy(),
    );
    const isNew = await isEmpty(db);
    if (isNew && !mayMake) throw noDataError(options);
    await migrate(db);
    return {
      db,
      ...withoutUndefined({ pool }),
      changes,
      listen,
      isNew,
      close: () => resources.disposeAsync(),
    };
  } catch (error) {
    await resources.disposeAsync();
    throw error;
  }
}

interface DatabaseConnection {
  dialect: Dialect;
  pool?: pg.Pool;
  listen: () => Promise<void>;
}

async function openEmbeddedConnection(
  dataDir: string,
  changes: RowChangeRelay,
): Promise<DatabaseConnection> {
  const { dialect, listen } = await openEmbedded(dataDir);
  return {
    dialect,
    async listen() {
      await listen(changes.tell);
      changes.heardFor(Infinity);
    },
  };
}

interface PostgresOptions {
  log: DatabaseLog | undefined;
  changes: RowChangeRelay;
  resources: AsyncDisposableStack;
}

async function openPostgres(
  connectionString: string,
  { log, changes, resources }: PostgresOptions,
): Promise<DatabaseConnection & { pool: pg.Pool }> {
  const pool = resources.adopt(await openPool(connectionString, log), endPool);
  return {
    dialect: new PostgresDialect({ pool }),
    pool,
    listen() {
      const listening = listenToChanges({ connectionString, pool, changes });
      resources.adopt(listening, (begunListening) => begunListening.close());
      return Promise.resolve();
    },
  };
}

/** Names the data for operators, with the setting but without the user and the password. */
export function dataName({
  dataDir,
  databaseUrl,
}: Pick<DatabaseOptions, 'dataDir' | 'databaseUrl'>): string {
  return databaseUrl === undefined
    ? `${dataDir} (DATA_DIR)`
    : `the database at ${databaseAddress(databaseUrl)} (DATABASE_URL)`;
}

/** Requires an embedded database. While another process creates it, the folder counts as locked. */
function requireEmbedded(dataDir: string): void {
  if (hasEmbedded(dataDir)) return;
  refuseIfLocked(dataDir);
  throw noDataError({ dataDir });
}

export function noDataError(options: DatabaseOptions): DomainError {
  const advice =
    options.databaseUrl === undefined
      ? 'set DATA_DIR to the folder of the service'
      : 'set DATABASE_URL to the database of the service';
  return new DomainError(
    'CONFIGURATION',
    `There is no data of the service in ${dataName(options)}: ${advice}, or start the service to create it`,
  );
}

async function openPool(connectionString: string, log?: DatabaseLog): Promise<pg.Pool> {
  const pool = new pg.Pool({ connectionString, connectionTimeoutMillis: CONNECT_TIMEOUT });
  // without a listener, a broken idle connection would end this process
  pool.on('error', (error) => log?.warn({ error: error.message }, 'database connection lost'));
  // a connection that breaks during a query needs no report, since the query fails
  pool.on('connect', (client) => client.on('error', () => undefined));
  try {
    await pool.query('select 1');
    return pool;
  } catch (error) {
    await pool.end();
    throw unreachableError(connectionString, error);
  }
}

/** Ends the pool if it was never used. Kysely ends a pool that it used. */
async function endPool(pool: pg.Pool): Promise<void> {
  if (!pool.ended) await pool.end();
}

/** The error for a server that can't be reached. It names the server without user and password. */
function unreachableError(connectionString: string, error: unknown): DomainError {
  const { code, message } = error as { code?: string; message?: string };
  const reason = message || code || 'unknown reason';
  return new DomainError(
    'CONFIGURATION',
    `The database at ${databaseAddress(connectionString)} (DATABASE_URL) can't be used: ${reason}`,
    {
      retryable: true,
      cause: error,
    },
  );
}

function databaseAddress(connectionString: string): string {
  const { host, pathname } = new URL(connectionString);
  return `${host}${pathname}`;
}
