import { execute } from './cli/execute.ts';
import { main } from './cli/main.ts';
import { readConfig } from './config.ts';
import { createLogger } from './log.ts';
import { openStores } from './stores.ts';

/** A key is a secret, and so a command's answer is nowhere but on standard output. */
process.exitCode = await main(process.argv.slice(2), async (command, options) => {
  const config = readConfig(process.env);
  const publicUrl = () => new URL(config.publicUrl ?? `http://localhost:${config.port}`);
  const open = async () => {
    const { runCommand, close } = await openStores(config, { logger: createLogger('silent'), publicUrl });
    return { run: runCommand, close };
  };
  return execute({ dataDir: config.dataDir, embedded: config.databaseUrl === undefined, open }, command, options);
});
