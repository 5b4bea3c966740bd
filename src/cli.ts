import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execute } from './cli/execute.ts';
import { main } from './cli/main.ts';
import { type Config, readConfig } from './config.ts';
import { createLogger } from './log.ts';
import { openStores } from './stores.ts';

/** A key is a secret, and so a command's answer is nowhere but on standard output. */
process.exitCode = await main(process.argv.slice(2), async (command, options) => {
  const config = readConfig(process.env);
  const embedded = config.databaseUrl === undefined;
  const open = () => (embedded ? openCommands(config) : openBesideServices(config));
  return execute({ dataDir: config.dataDir, embedded, open }, command, options);
});

async function openCommands(config: Config) {
  const publicUrl = () => new URL(config.publicUrl ?? `http://localhost:${config.port}`);
  const { runCommand, close } = await openStores(config, { logger: createLogger('silent'), publicUrl });
  return { run: runCommand, close };
}

/** Services that share a PostgreSQL keep their data folders to themselves: a command reads repositories in a folder of its own. */
async function openBesideServices(config: Config) {
  const dataDir = mkdtempSync(join(tmpdir(), 'agent-tasks-cli-'));
  const remove = () => rmSync(dataDir, { recursive: true, force: true });
  process.once('exit', remove);
  return openCommands({ ...config, dataDir });
}
