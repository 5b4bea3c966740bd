import { type Dialect, Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { defined } from '../contract/defined.ts';
import { DomainError } from '../errors.ts';
import { type RowChanges, type RowChangeRelay, createRowChanges } from './rowChanges.ts';
import { closeFolder, makeFolder } from './dataFolder.ts';
import { hasEmbedded, openEmbedded } from './embeddedDatabase.ts';
import { listenToChanges } from './listenToChanges.ts';
import { lockDataDir, refuseHeld } from './dataFolderLock.ts';
import { isEmpty, migrate } from './migrate.ts';
import type { Schema } from './schema.ts';

export interface Database {
  db: Kysely<Schema>;
  /** The connections to PostgreSQL; absent for the embedded database. */
  pool?: pg.Pool;
  /** Changes of rows, from this process and others; none is heard before `listen`. */
  changes: RowChanges;
  /** Begins to listen to changes, with one connection more where the database is PostgreSQL. */
  listen: () => Promise<void>;
  /** Whether the database was empty before. */
  isNew: boolean;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** Folder of all data that this process keeps, the embedded database included. */
  dataDir: string;
  /** PostgreSQL to use instead of the embedded database. */
  databaseUrl?: string | undefined;
  /** Whether missing data is made, and the folder closed to other users. Default: true. */
  mayMake?: boolean | undefined;
  /** Called when an idle connection breaks. */
  log?: Log | undefined;
}

interface Log {
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
    resources.adopt(lockDataDir(dataDir), (lock) => lock.release());
    const changes = createRowChanges();
    const { dialect, pool, listen } =
      databaseUrl === undefined
        ? await openOwn(dataDir, changes)
        : await openPostgres(databaseUrl, { log, changes, resources });
    const db = resources.adopt(new Kysely<Schema>({ dialect }), (opened) => opened.destroy());
    const isNew = await isEmpty(db);
    if (isNew && !mayMake) throw noData(options);
    await migrate(db);
    return {
      db,
      ...defined({ pool }),
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

interface Opened {
  dialect: Dialect;
  pool?: pg.Pool;
  listen: () => Promise<void>;
}

async function openOwn(dataDir: string, changes: RowChangeRelay): Promise<Opened> {
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
  log: Log | undefined;
  changes: RowChangeRelay;
  resources: AsyncDisposableStack;
}

async function openPostgres(
  connectionString: string,
  { log, changes, resources }: PostgresOptions,
): Promise<Opened & { pool: pg.Pool }> {
  const pool = resources.adopt(await openPool(connectionString, log), endPool);
  return {
    dialect: new PostgresDialect({ pool }),
    pool,
    listen() {
      const listening = listenToChanges({ connectionString, pool, changes });
      resources.adopt(listening, (begun) => begun.close());
      return Promise.resolve();
    },
  };
}

/** Names the data and its setting for operators, without user and password. */
export function nameOf({
  dataDir,
  databaseUrl,
}: Pick<DatabaseOptions, 'dataDir' | 'databaseUrl'>): string {
  return databaseUrl === undefined
    ? `${dataDir} (DATA_DIR)`
    : `the database at ${addressOf(databaseUrl)} (DATABASE_URL)`;
}

/** If another process is just making the database, the folder counts as held. */
function requireEmbedded(dataDir: string): void {
  if (hasEmbedded(dataDir)) return;
  refuseHeld(dataDir);
  throw noData({ dataDir });
}

function noData(options: DatabaseOptions): DomainError {
  const wanted =
    options.databaseUrl === undefined
      ? "set DATA_DIR to the service's folder"
      : "set DATABASE_URL to the service's";
  return new DomainError(
    'CONFIGURATION',
    `No data in ${nameOf(options)}: ${wanted}, or start the service, which makes its data`,
  );
}

async function openPool(connectionString: string, log?: Log): Promise<pg.Pool> {
  const pool = new pg.Pool({ connectionString, connectionTimeoutMillis: CONNECT_TIMEOUT });
  // Without a listener, the end of an idle connection would end the process.
  pool.on('error', (error) =>
    log?.warn({ error: error.message }, 'A database connection was lost'),
  );
  // Nor does a connection that breaks in a query need a report: the query fails.
  pool.on('connect', (client) => client.on('error', () => undefined));
  try {
    await pool.query('select 1');
    return pool;
  } catch (error) {
    await pool.end();
    throw unreachable(connectionString, error);
  }
}

/** Kysely has already ended a pool that it used. */
async function endPool(pool: pg.Pool): Promise<void> {
  if (!pool.ended) await pool.end();
}

/** Names the server, without user and password. */
function unreachable(connectionString: string, error: unknown): DomainError {
  const { code, message } = error as { code?: string; message?: string };
  const reason = message || code || 'unknown reason';
  return new DomainError(
    'CONFIGURATION',
    `The database at ${addressOf(connectionString)} (DATABASE_URL) can't be used: ${reason}`,
    {
      retryable: true,
      cause: error,
    },
  );
}

function addressOf(connectionString: string): string {
  const { host, pathname } = new URL(connectionString);
  return `${host}${pathname}`;
}
