import { writeFileSync } from 'node:fs';
import { PGlite } from '@electric-sql/pglite';
import { Kysely, PostgresDialect } from 'kysely';
import { PGliteDialect } from 'kysely-pglite-dialect';
import pg from 'pg';
import { migrate } from '../../src/storage/migrate.ts';
import type { Schema } from '../../src/storage/schema.ts';

/**
 * Makes a database in the folder that the first argument names. It keeps it empty in the file that
 * the second one names, and migrated in that of the third. On the PostgreSQL server of the fourth,
 * if there is one, it makes the database `migrated`. A process of its own: the runner would stay
 * large.
 */
const [dataDir, empty, migrated, postgres] = process.argv.slice(2) as [
  string,
  string,
  string,
  string?,
];
const db = await PGlite.create({ dataDir });
const keep = async (file: string) => {
  const dump = await db.dumpDataDir('none');
  writeFileSync(file, Buffer.from(await dump.arrayBuffer()));
};
await keep(empty);
await migrate(new Kysely<Schema>({ dialect: new PGliteDialect(db) }));
await keep(migrated);
await db.close();

if (postgres) {
  const client = new pg.Client({ connectionString: postgres });
  await client.connect();
  await client.query('CREATE DATABASE migrated');
  await client.end();
  const { href } = Object.assign(new URL(postgres), { pathname: 'migrated' });
  const dialect = new PostgresDialect({ pool: new pg.Pool({ connectionString: href }) });
  const server = new Kysely<Schema>({ dialect });
  await migrate(server);
  await server.destroy();
}
