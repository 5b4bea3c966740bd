import { writeFileSync } from 'node:fs';
import { PGlite } from '@electric-sql/pglite';
import { Kysely } from 'kysely';
import { PGliteDialect } from 'kysely-pglite-dialect';
import { migrate } from '../../src/storage/migrate.ts';
import type { Schema } from '../../src/storage/schema.ts';

/**
 * Makes a database in the folder that the first argument names. It keeps it empty in the file that
 * the second one names, and migrated in that of the third. A process of its own: the runner would
 * stay large.
 */
const [dataDir, empty, migrated] = process.argv.slice(2) as [string, string, string];
const db = await PGlite.create({ dataDir });
const keep = async (file: string) => {
  const dump = await db.dumpDataDir('none');
  writeFileSync(file, Buffer.from(await dump.arrayBuffer()));
};
await keep(empty);
await migrate(new Kysely<Schema>({ dialect: new PGliteDialect(db) }));
await keep(migrated);
await db.close();
