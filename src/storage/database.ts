import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { DomainError } from '../errors.ts';
import { openEmbedded } from './embedded.ts';
import { migrate } from './migrate.ts';
import type { Schema } from './schema.ts';

export interface Database {
  db: Kysely<Schema>;
  /** The connections to PostgreSQL; not there for the embedded database. */
  pool?: pg.Pool;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** Folder of the embedded database; made where it is missing. */
  dataDir: string;
  /** PostgreSQL to use instead. */
  databaseUrl?: string | undefined;
  /** Told of connections that break while nobody uses them. */
  log?: Log | undefined;
}

interface Log {
  warn(fields: object, message: string): void;
}

/** Milliseconds. */
const CONNECT_TIMEOUT = 10_000;

/**
 * Opens the database and brings it to this version's schema (design.md, Database).
 * @throws DomainError CONFLICT where another process holds the embedded one, CONFIGURATION where it can't be reached or written
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const database = options.databaseUrl
    ? await openServer(options.databaseUrl, options.log)
    : await openFolder(options.dataDir);
  try {
    await migrate(database.db);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function openFolder(dataDir: string): Promise<Database> {
  const { dialect, release } = await openEmbedded(dataDir);
  const db = new Kysely<Schema>({ dialect });
  const close = async () => {
    await db.destroy();
    release();
  };
  return { db, close };
}

async function openServer(connectionString: string, log?: Log): Promise<Database> {
  const pool = new pg.Pool({ connectionString, connectionTimeoutMillis: CONNECT_TIMEOUT });
  // Without a listener, the end of an idle connection would end the process.
  pool.on('error', (error) => log?.warn({ error: error.message }, 'A database connection was lost'));
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  const database: Database = { db, pool, close: () => db.destroy() };
  try {
    await pool.query('select 1');
    return database;
  } catch (error) {
    await database.close();
    throw unreachable(connectionString, error);
  }
}

/** Names the server, never the user or the password. */
function unreachable(connectionString: string, error: unknown): DomainError {
  const { host, pathname } = new URL(connectionString);
  const { code, message } = error as { code?: string; message?: string };
  const reason = message || code || 'unknown reason';
  return new DomainError(
    'CONFIGURATION',
    `The database at ${host}${pathname} (DATABASE_URL) can't be used: ${reason}`,
    {
      retryable: true,
      cause: error,
    },
  );
}
