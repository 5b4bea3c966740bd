import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dataCommands, runnerOf } from './cli/commands.ts';
import { execute } from './cli/execute.ts';
import { main } from './cli/main.ts';
import { type TemporalDeps, temporalCommands } from './cli/temporalCommands.ts';
import { type Config, forgetSecrets, readConfig } from './config.ts';
import { createLogger } from './log.ts';
import { nameOf } from './storage/database.ts';

/** A command's answer may contain a key, which is secret, so it goes to standard output only. */
process.exitCode = await main(process.argv.slice(2), async (name, options) => {
  const config = readConfig(process.env);
  forgetSecrets(process.env);
  const command = dataCommands.find((candidate) => candidate.name === name);
  return command ? workOnData(config, command, options) : workOnTemporal(config, name, options);
});

function workOnData(
  config: Config,
  { name, makesData = false }: (typeof dataCommands)[number],
  options: object,
) {
  const { dataDir, databaseUrl } = config;
  const embedded = databaseUrl === undefined;
  const open = () => openCommands(embedded ? config : besideServices(config), makesData);
  const onData = (isNew: boolean) => {
    const setting = embedded ? 'DATA_DIR' : 'DATABASE_URL';
    const note = isNew ? `, made by this command: start the service with the same ${setting}` : '';
    console.error(`Data: ${nameOf(config)}${note}`);
  };
  return execute({ dataDir, embedded, open, onData }, name, options);
}

async function openCommands(config: Config, mayMake: boolean) {
  // imported late: most commands call the service and don't need the stores
  const { openStores } = await import('./stores.ts');
  const publicUrl = () => new URL(config.publicUrl ?? `http://localhost:${config.port}`);
  const stores = await openStores(config, { logger: createLogger('silent'), publicUrl, mayMake });
  return { run: stores.runCommand, close: stores.close, isNew: stores.database.isNew };
}

/**
 * Services that share a PostgreSQL have their own data folders, so a command uses a temporary one
 * for repositories.
 */
function besideServices(config: Config): Config {
  const dataDir = mkdtempSync(join(tmpdir(), 'agent-tasks-cli-'));
  process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }));
  return { ...config, dataDir };
}

function workOnTemporal({ temporal }: Config, name: string, options: object) {
  const { address, namespace } = temporal;
  if (address !== undefined)
    console.error(`Data: namespace ${namespace} at ${address} (TEMPORAL_ADDRESS)`);
  const rollout = () => import('./temporal/rollout.ts');
  const deps: TemporalDeps = {
    setUpTemporal: async () => (await import('./temporal/setUp.ts')).setUpTemporal(temporal),
    listVersions: async () => (await rollout()).listVersions(temporal),
    promoteVersion: async (promotion) => (await rollout()).promoteVersion(temporal, promotion),
  };
  return runnerOf(temporalCommands, deps)(name, options);
}
