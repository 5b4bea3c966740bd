import { writeFileSync } from 'node:fs';
import { PGlite } from '@electric-sql/pglite';

/** Keeps an empty database in the file that the argument names. A process of its own: the runner would stay large. */
const db = await PGlite.create();
const dump = await db.dumpDataDir('none');
writeFileSync(process.argv[2]!, Buffer.from(await dump.arrayBuffer()));
await db.close();
