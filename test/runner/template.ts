import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { startService } from '../helpers/service.ts';

/** Of one run of the service: its Temporal server's ports, which the next run on the same folder would take again. */
const ownFiles = ['temporal.pid.json', 'temporal.log'];

/**
 * Makes a data folder to copy, as after a first start: a migrated database, the demo site, the workflows' bundle.
 * @returns the folder
 */
export async function makeTemplate(folder: string): Promise<string> {
  const service = await startService({ dataDir: folder });
  const { code } = await service.stop();
  if (code !== 0) throw new Error(`The service ended with ${code}:\n${service.launched.log()}`);
  await service.end();
  for (const name of ownFiles) rmSync(join(folder, name), { force: true });
  return folder;
}
