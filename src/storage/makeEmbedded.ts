import { workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';

/** In a thread of its own: makes an embedded database in the folder that it is given. */
const database = await PGlite.create({ dataDir: workerData as string });
await database.close();
