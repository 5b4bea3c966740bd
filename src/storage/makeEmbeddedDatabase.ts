import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';

/** Runs in its own thread: makes an embedded database in the given folder. */
const database = await PGlite.create({ dataDir: workerData as string });
await database.close();
parentPort?.postMessage('made');
