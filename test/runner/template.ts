import { copyFileSync, globSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { lockDataDir } from '../../src/storage/dataFolderLock.ts';
import { workflowBundle } from '../../src/temporal/worker/workerBuild.ts';
import { startService } from '../helpers/service.ts';

/**
 * Of one run of the service: its Temporal server's ports, which the next run on the same folder
 * would take again.
 */
const ownFiles = ['temporal.pid.json', 'temporal.log'];
/**
 * Where bundles of the workflows are kept from run to run: each state of their code has its own.
 */
const cache = join(import.meta.dirname, '../../.cache');

/**
 * Makes a data folder to copy, as after a first start: a migrated database, the demo site, the
 * workflows' bundle.
 * @param folder may have an empty database
 * @returns the folder
 */
export async function makeTemplate(folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true });
  lockDataDir(folder).release(); // a service refuses a folder with files that none has held
  await workflowBundle(cache);
  for (const name of globSync('workflows-*.js', { cwd: cache }))
    copyFileSync(join(cache, name), join(folder, name));
  const service = await startService({ dataDir: folder });
  const { code } = await service.stop();
  if (code !== 0) throw new Error(`The service ended with ${code}:\n${service.launched.log()}`);
  await service.end();
  for (const name of ownFiles) rmSync(join(folder, name), { force: true });
  return folder;
}
