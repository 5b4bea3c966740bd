import { fileURLToPath } from 'node:url';
import { readConfig } from '../../src/config.ts';
import { createLogger } from '../../src/log.ts';
import { DomainError } from '../../src/errors.ts';
import { workflowBundle } from '../../src/temporal/worker/bundle.ts';
import { installRuntime } from '../../src/temporal/worker/worker.ts';
import { replayAll } from './divergence.ts';
import { historiesOf } from './sources.ts';

/*
 * `npm run replay -- <file | workflow id | query>`: whether the code on disk goes on with tasks as they are. Without an
 * argument it takes the recorded histories. It prints a line for each history, and ends with 1 where one differs.
 */

async function main(argument?: string): Promise<number> {
  installRuntime(createLogger('silent'));
  const config = readConfig(process.env);
  const bundle = await workflowBundle(fileURLToPath(new URL('../../.cache', import.meta.url)));
  let [count, differing] = [0, 0];
  for await (const { workflowId, divergence } of replayAll(bundle, historiesOf(argument, config))) {
    count++;
    if (divergence) differing++;
    const { eventId, step, reason } = divergence ?? {};
    console.log(
      divergence ? `differs  ${workflowId}: at event ${eventId}, ${step}: ${reason}` : `agrees   ${workflowId}`,
    );
  }
  console.log(`${count} histories, ${differing} of them differ`);
  return differing > 0 ? 1 : 0;
}

const code = await main(process.argv[2]).catch((error: unknown) => {
  console.error(error instanceof DomainError ? error.message : error);
  return 2;
});
process.exit(code); // the SDK's threads would go on
