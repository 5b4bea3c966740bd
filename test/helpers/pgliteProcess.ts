import { PGlite } from '@electric-sql/pglite';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
import type { PgliteOptions } from './pglite.ts';

const { folder, port, connections } = JSON.parse(process.argv[2]!) as Required<PgliteOptions>;
const db = await PGlite.create(folder === '' ? {} : { dataDir: folder });
const server = new PGLiteSocketServer({ db, port, maxConnections: connections });
server.addEventListener('listening', (event) => console.log((event as CustomEvent<{ port: number }>).detail.port));
await server.start();

process.stdin.resume().on('end', () => {
  void server
    .stop()
    .then(() => db.close())
    .finally(() => process.exit(0));
});
