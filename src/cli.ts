import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dataCommands, createCommandRunner } from './cli/commands.ts';
import { executeCommand } from './cli/executeCommand.ts';
import { runCommandLine } from './cli/main.ts';
import { type TemporalDeps, temporalCommands } from './cli/temporalCommands.ts';
import { type ServiceConfig, forgetSecrets, readConfig } from './config.ts';
import { createLogger } from './log.ts';
import { dataName } from './storage/database.ts';

/**
 * The operator's command line: `npm run -s cli -- <command>`. Commands on data open the stores, or
 * let the running service execute them. The other commands call Temporal. A command's result may
 * contain a secret key, so it goes to standard output only.
 */
process.exitCode = await runCommandLine(process.argv.slice(2), async (name, options) => {
  const config = readConfig(process.env);
  forgetSecrets(process.env);
  const command = dataCommands.find((candidate) => candidate.name === name);
  return command
    ? runDataCommand(config, command, options)
    : runTemporalCommand(config, name, options);
});

/** Runs a command on the service's data, and names on standard error which data it uses. */
function runDataCommand(
  config: ServiceConfig,
  { name, makesData = false }: (typeof dataCommands)[number],
  options: object,
) {
  const { dataDir, databaseUrl } = config;
  const embedded = databaseUrl === undefined;
  const openCommandStores = () =>
    openDataCommands(embedded ? config : useTemporaryFolder(config), makesData);
  const reportData = (isNew: boolean) => {
    const setting = embedded ? 'DATA_DIR' : 'DATABASE_URL';
    const newDataNote = isNew
      ? `, created by this command. Start the service with the same ${setting}`
      : '';
    console.error(`Data: ${dataName(config)}${newDataNote}`);
  };
  return executeCommand(
    { dataDir, embedded, open: openCommandStores, onData: reportData },
    name,
    options,
  );
}

async function openDataCommands(config: ServiceConfig, mayMake: boolean) {
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
function useTemporaryFolder(config: ServiceConfig): ServiceConfig {
  const dataDir = mkdtempSync(join(tmpdir(), 'agent-tasks-cli-'));
  process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }));
  return { ...config, dataDir };
}

function runTemporalCommand({ temporal }: ServiceConfig, name: string, options: object) {
  const { address, namespace } = temporal;
  if (address !== undefined)
    console.error(`Data: namespace ${namespace} at ${address} (TEMPORAL_ADDRESS)`);
  const importRollout = () => import('./temporal/rollout.ts');
  const temporalDeps: TemporalDeps = {
    setUpTemporal: async () => (await import('./temporal/setUp.ts')).setUpTemporal(temporal),
    listVersions: async () => (await importRollout()).listVersions(temporal),
    promoteVersion: async (promotion) =>
      (await importRollout()).promoteVersion(temporal, promotion),
  };
  return createCommandRunner(temporalCommands, temporalDeps)(name, options);
}
