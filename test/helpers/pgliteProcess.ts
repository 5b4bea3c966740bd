import { existsSync, readFileSync } from 'node:fs';
import { PGlite } from '@electric-sql/pglite';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
import type { PgliteOptions } from './pglite.ts';

const { folder, port, connections, isMigrated } = JSON.parse(
  process.argv[2]!,
) as Required<PgliteOptions>;
/** A new database takes four times as long to make as to copy. */
const template = process.env[isMigrated ? 'TEST_MIGRATED_TEMPLATE' : 'TEST_DATABASE_TEMPLATE'];
const isNew = folder === '' || !existsSync(folder);
const db = await PGlite.create({
  ...(folder !== '' && { dataDir: folder }),
  ...(template && isNew && { loadDataDir: new Blob([readFileSync(template)]) }),
});
const server = new PGLiteSocketServer({ db, port, maxConnections: connections });
server.addEventListener('listening', (event) =>
  console.log((event as CustomEvent<{ port: number }>).detail.port),
);
await server.start();

process.stdin.resume().on('end', () => {
  void server
    .stop()
    .then(() => db.close())
    .finally(() => process.exit(0));
});
