import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readConfig } from '../../src/config.ts';
import { createLogger } from '../../src/log.ts';
import { DomainError } from '../../src/errors.ts';
import { createDataConverter } from '../../src/temporal/payloadCodec.ts';
import { workflowBundle } from '../../src/temporal/worker/workerBuild.ts';
import { installRuntime } from '../../src/temporal/worker/worker.ts';
import { type Divergence, replayAll } from './divergence.ts';
import { historiesOf } from './sources.ts';

/*
 * `npm run replay -- <file | workflow id | query> [--last N]`: whether the code on disk goes on
 * with tasks as they are. Without an argument it takes the recorded histories. It prints a line for
 * each history, and ends with 1 where one differs, with 2 where it could not look.
 *   --last N  of a query, the N workflows that began last
 * Encrypted payloads are read with SECRETS_KEYS.
 */

const options = { last: { type: 'string' } } as const;

async function main(words: string[]): Promise<number> {
  installRuntime(createLogger('silent'));
  const { values, positionals } = parsed(words);
  const config = readConfig(process.env);
  const dataConverter = createDataConverter(config);
  const histories = historiesOf(positionals[0], config, {
    last: lastOf(values.last),
    dataConverter,
  });
  const bundle = await workflowBundle(fileURLToPath(new URL('../../.cache', import.meta.url)));
  let [count, differing] = [0, 0];
  for await (const { workflowId, divergence } of replayAll(bundle, histories, dataConverter)) {
    count++;
    if (divergence) differing++;
    console.log(
      divergence ? `differs  ${workflowId}: ${textOf(divergence)}` : `agrees   ${workflowId}`,
    );
  }
  console.log(`${count} histories, ${differing} of them differ`);
  return differing > 0 ? 1 : 0;
}

function parsed(words: string[]) {
  try {
    return parseArgs({ args: words, options, allowPositionals: true });
  } catch (error) {
    throw new DomainError('INVALID_INPUT', (error as Error).message);
  }
}

const textOf = ({ eventId, step, reason, writtenBy }: Divergence) =>
  `at event ${eventId}, ${step}: ${reason} (written by ${writtenBy ?? 'a worker without versions'})`;

function lastOf(given: string | undefined): number {
  if (given === undefined) return Infinity;
  if (/^[1-9]\d{0,6}$/.test(given)) return Number(given);
  throw new DomainError(
    'INVALID_INPUT',
    `--last ${given}: expected a number of workflows, such as 200`,
  );
}

const code = await main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof DomainError ? error.message : error);
  return 2;
});
process.exit(code); // the SDK's threads would go on
