import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';

/**
 * Runs in a thread of its own: creates an embedded database in the folder that `workerData` names.
 */
const database = await PGlite.create({ dataDir: workerData as string });
await database.close();
parentPort?.postMessage('made');
