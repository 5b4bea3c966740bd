import { createLogger } from '../../src/log.ts';
import { readConfig } from '../../src/config.ts';
import { openStores } from '../../src/stores.ts';
import { setUpTemporal } from '../../src/temporal/setUp.ts';
import { temporaryFolder } from './database.ts';
import { Deployment } from './deployment.ts';
import { type PostgresServer, startPostgres } from './postgres.ts';
import { startTemporalServer, type TemporalServer } from './temporalServer.ts';

/** Temporal's four services have pools of 30 connections each, and each of our processes has one of 10. */
const CONNECTIONS = 250;

export interface Cluster {
  deployment: Deployment;
  postgres: PostgresServer;
  temporal: TemporalServer;
  stop(): Promise<void>;
}

/**
 * What several processes of the service work on: PostgreSQL, and Temporal's own server on the same PostgreSQL, set up.
 * Ask `needProgram` for PostgreSQL first, and end all with `endServices` before `stop`.
 * @param original the cluster from whose backup this one is made; by default everything is new
 */
export async function startCluster(original?: Pick<Cluster, 'postgres' | 'temporal'>): Promise<Cluster> {
  const postgres = await startPostgres({ connections: CONNECTIONS });
  const resources = new AsyncDisposableStack();
  resources.defer(() => postgres.stop());
  try {
    if (original) await postgres.restore(await original.postgres.dump());
    const temporal = await temporalOn(postgres, original?.temporal);
    resources.defer(() => temporal.remove());
    const deployment = new Deployment({ ...postgres, hasSessions: true }, temporal.address);
    const { address, namespace } = { ...temporal, ...deployment };
    await setUpTemporal({ address, namespace, environment: { TEMPORAL_ADDRESS: address } });
    return { deployment, postgres, temporal, stop: () => resources.disposeAsync() };
  } catch (error) {
    await resources.disposeAsync();
    throw error;
  }
}

/** The dev server, which has its data in a file of its own, goes on. */
async function temporalOn(postgres: PostgresServer, original?: TemporalServer): Promise<TemporalServer> {
  if (original?.isOnPostgres === false) return original;
  return startTemporalServer(postgres, { isRestored: original !== undefined });
}

/** Runs operator commands on the cluster's database, in this process. @param run gets the function that runs one */
export async function operateOn(
  { env }: Deployment,
  run: (command: (name: string, options: object) => Promise<Record<string, string>>) => Promise<void>,
): Promise<void> {
  const folder = temporaryFolder();
  const config = readConfig({ ...env, DATA_DIR: folder.path });
  const stores = await openStores(config, {
    logger: createLogger('silent'),
    publicUrl: () => new URL(env.PUBLIC_URL!),
  });
  try {
    await run((name, options) => stores.runCommand(name, options) as Promise<Record<string, string>>);
  } finally {
    await stores.close();
    folder.remove();
  }
}
