import { Connection } from '@temporalio/client';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { findCli } from '../../src/temporal/server/cliBinary.ts';
import { serverFlags } from '../../src/temporal/server/devServer.ts';
import { chooseUiEndpoint } from '../../src/temporal/server/uiEndpoint.ts';
import { temporalCompose } from './compose.ts';
import { temporaryFolder } from './database.ts';
import { LaunchedProcess } from './launched.ts';
import { freePort, freePorts } from './ports.ts';
import type { PostgresServer } from './postgres.ts';
import { findTemporalPrograms } from './temporalPrograms.ts';
import { until } from './until.ts';

const run = promisify(execFile);
/** Each service of the server listens for calls, and for the other services. */
const innerPorts = [
  'FRONTEND_HTTP_PORT',
  'FRONTEND_MEMBERSHIP_PORT',
  ...['HISTORY', 'MATCHING', 'WORKER'].flatMap((name) => [
    `${name}_GRPC_PORT`,
    `${name}_MEMBERSHIP_PORT`,
  ]),
];

/** A Temporal server of the test's own; it ends with `endServices`. */
export interface TemporalServer {
  /** `host:port` */
  address: string;
  /** Whether its data is in PostgreSQL: false for the dev server. */
  isOnPostgres: boolean;
  /**
   * Kills the server, and starts it again on the same data.
   * @param whileDown what is done before it starts again
   */
  restart(whileDown?: () => Promise<unknown>): Promise<void>;
  /** Removes its files. */
  remove(): void;
}

/**
 * Starts the server that docker-compose.temporal.yml runs, with its settings: Temporal's own, on
 * PostgreSQL. Where Go is missing to build it, the dev server stands in, and a line says so.
 * @param options.isRestored whether its databases are there already
 * @param options.dynamic dynamic configuration beside that of the file, as YAML
 */
export async function startTemporalServer(
  postgres: PostgresServer,
  { isRestored = false, dynamic = '' } = {},
): Promise<TemporalServer> {
  const folder = temporaryFolder();
  const programs = await findTemporalPrograms();
  if (programs === null)
    console.error(
      '      NOT TESTED on PostgreSQL: Go is missing to build the Temporal server, the dev server stands in',
    );
  else if (!isRestored) await makeDatabases(programs, postgres);
  const start = async (port: number) => {
    const place = { folder: folder.path, port };
    const launch = programs
      ? await serverOnPostgres(programs, postgres, { ...place, dynamic })
      : await devServer(place);
    return { address: `127.0.0.1:${port}`, launch, server: await launchAnswering(launch, port) };
  };
  // another process may have taken one of the ports meanwhile
  const {
    address,
    launch,
    server: first,
  } = await start(await freePort()).catch(async (error) => {
    console.error(`      ${(error as Error).message} It starts again, at other ports`);
    return start(await freePort());
  });
  let server = first;
  return {
    address,
    isOnPostgres: programs !== null,
    async restart(whileDown) {
      await server.kill();
      await whileDown?.();
      server = await launchAnswering(launch, Number(address.split(':')[1]));
    },
    remove: () => folder.remove(),
  };
}

interface Place {
  folder: string;
  port: number;
}

async function serverOnPostgres(
  programs: string,
  postgres: PostgresServer,
  { folder, port, dynamic: more }: Place & { dynamic: string },
) {
  const { services, configs } = temporalCompose();
  const { temporal } = services;
  const database = { host: '127.0.0.1', port: String(postgres.port) };
  const free = await freePorts(innerPorts.length);
  const inner = Object.fromEntries(innerPorts.map((name, i) => [name, String(free[i])]));
  const dynamic = join(folder, 'dynamic.yaml');
  writeFileSync(dynamic, `${configs!['dynamic']!.content}\n${more}`);
  const env = {
    ...textsOf(temporal!.environment),
    POSTGRES_SEEDS: database.host,
    DB_PORT: database.port,
    BIND_ON_IP: '127.0.0.1',
    DYNAMIC_CONFIG_FILE_PATH: dynamic,
    LOG_LEVEL: 'error',
    FRONTEND_GRPC_PORT: String(port),
    ...inner,
  };
  return () =>
    new LaunchedProcess({
      isEmpty: true,
      env,
      command: [join(programs, 'temporal-server'), 'start'],
    });
}

async function makeDatabases(programs: string, postgres: PostgresServer): Promise<void> {
  const { entrypoint, command, environment } = temporalCompose().services['temporal-schema']!;
  await createUser(postgres, String(environment['SQL_USER']));
  await run(entrypoint![0]!, [...entrypoint!.slice(1), ...command!], {
    env: {
      PATH: `${programs}:${process.env.PATH}`,
      ...textsOf(environment),
      SQL_HOST: '127.0.0.1',
      SQL_PORT: String(postgres.port),
    },
  });
}

async function devServer({ folder, port }: Place) {
  const cli = await findCli();
  const ownUi = await chooseUiEndpoint();
  const words = serverFlags({ port, uiPort: 0, ownUi }, 'default', join(folder, 'temporal.db'));
  return () => new LaunchedProcess({ isEmpty: true, command: [cli, ...words] });
}

const textsOf = (environment: Record<string, string | number>) =>
  Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, String(value)]));

async function createUser({ url }: PostgresServer, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`CREATE ROLE ${name} LOGIN CREATEDB`);
  await client.end();
}

async function launchAnswering(
  launch: () => LaunchedProcess,
  port: number,
): Promise<LaunchedProcess> {
  const server = launch();
  const address = `127.0.0.1:${port}`;
  await until(
    `Temporal's server at ${address}`,
    async () => {
      if (server.hasEnded()) throw new Error(`Temporal's server ended: ${reasonIn(server.log())}`);
      const connection = await Connection.connect({ address, connectTimeout: 2_000 }).catch(
        () => null,
      );
      await connection?.close();
      return connection !== null;
    },
    240_000,
  );
  return server;
}

/** The end of its log, whose lines may end with thousands of characters of a stack trace. */
const reasonIn = (log: string) =>
  log.replaceAll(/"stacktrace":"(?:\\.|[^"\\])*"/g, '').slice(-2_000);
