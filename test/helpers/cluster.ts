import { tmpdir } from 'node:os';
import { createLogger } from '../../src/log.ts';
import { readConfig } from '../../src/config.ts';
import { openStores } from '../../src/stores.ts';
import { setUpTemporal } from '../../src/temporal/setUp.ts';
import { temporaryFolder } from './database.ts';
import { blocks } from './documents.ts';
import { Deployment } from './deployment.ts';
import { type PostgresServer, startPostgres } from './postgres.ts';
import { startTemporalServer, type TemporalServer } from './temporalServer.ts';

/**
 * Temporal's four services have pools of 30 connections each, and each of our processes has one of
 * 10.
 */
const CONNECTIONS = 250;
/** As docs/deployment.md names the server and the database. */
const [HOST, DATABASE] = ['-h db.example.com -U postgres', 'agent_tasks'];

export interface Cluster {
  deployment: Deployment;
  postgres: PostgresServer;
  temporal: TemporalServer;
  stop(): Promise<void>;
}

interface ClusterOptions {
  /** The dumps that the cluster's databases come from; by default they are new. */
  backup?: Backup;
  /** Dynamic configuration of Temporal, as YAML. */
  dynamic?: string;
}

/**
 * What several processes of the service work on: PostgreSQL, and Temporal's own server on the same
 * PostgreSQL, set up. Ask `needProgram` for PostgreSQL first, and end all with `endServices` before
 * `stop`.
 */
export async function startCluster({
  backup,
  dynamic = '',
}: ClusterOptions = {}): Promise<Cluster> {
  const postgres = await startPostgres({ connections: CONNECTIONS });
  const resources = new AsyncDisposableStack();
  resources.defer(() => postgres.stop());
  try {
    await (backup
      ? restore(backup, postgres)
      : postgres.execute(`createdb ${HOST} ${DATABASE}`, tmpdir()));
    const temporal = await startTemporalServer(postgres, {
      isRestored: backup !== undefined,
      dynamic,
    });
    resources.defer(() => temporal.remove());
    const url = postgres.url.replace(/postgres$/, DATABASE);
    const deployment = new Deployment({ ...postgres, url, hasSessions: true }, temporal.address);
    const { address, namespace } = { ...temporal, ...deployment };
    await setUpTemporal({ address, namespace, environment: { TEMPORAL_ADDRESS: address } });
    return { deployment, postgres, temporal, stop: () => resources.disposeAsync() };
  } catch (error) {
    await resources.disposeAsync();
    throw error;
  }
}

/** Dumps of a cluster's databases, as docs/deployment.md makes them. */
export type Backup = ReturnType<typeof temporaryFolder>;

/** The commands of docs/deployment.md that dump the databases one by one, in their order. */
const dumps = () =>
  blocks('docs/deployment.md', 'sh', /^pg_dump /m)[0]!
    .trim()
    .split('\n');

/** @param before called before each of the documented commands */
export async function backUp(
  { postgres }: Pick<Cluster, 'postgres'>,
  before: (command: string) => Promise<unknown> = () => Promise.resolve(),
): Promise<Backup> {
  const folder = temporaryFolder();
  for (const command of dumps()) {
    await before(command);
    await postgres.execute(command, folder.path);
  }
  return folder;
}

async function restore({ path }: Backup, postgres: PostgresServer): Promise<void> {
  const commands = blocks('docs/deployment.md', 'sh', /^pg_restore /m)[0]!
    .trim()
    .split('\n');
  for (const command of commands) await postgres.execute(command, path);
}

/**
 * Runs operator commands on the cluster's database, in this process. @param run gets the function
 * that runs one
 */
export async function operateOn(
  { env }: Deployment,
  run: (
    command: (name: string, options: object) => Promise<Record<string, string>>,
  ) => Promise<void>,
): Promise<void> {
  const folder = temporaryFolder();
  const config = readConfig({ ...env, DATA_DIR: folder.path });
  const stores = await openStores(config, {
    logger: createLogger('silent'),
    publicUrl: () => new URL(env.PUBLIC_URL!),
  });
  try {
    await run(
      (name, options) => stores.runCommand(name, options) as Promise<Record<string, string>>,
    );
  } finally {
    await stores.close();
    folder.remove();
  }
}
