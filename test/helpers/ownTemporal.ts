import { Connection } from '@temporalio/client';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { connectClient, connectWorker, createClient } from '../../src/temporal/connection.ts';
import { setupNamespace } from '../../src/temporal/searchAttributes.ts';
import { startDevServer } from '../../src/temporal/server/devServer.ts';
import { readPidFile } from '../../src/temporal/server/pidFile.ts';
import { temporaryFolder } from './database.ts';
import { quietRuntime } from './temporal.ts';

/**
 * A namespace of a file's own at a Temporal server: at the one of the service that a whole run
 * shares, and at a server of its own where a file runs alone.
 * @param resources close what it opened
 */
export async function startOwnTemporal(resources: AsyncDisposableStack) {
  quietRuntime();
  const namespace = `test-${randomUUID()}`;
  const address = await addressOf(namespace, resources);
  const endpoint = { embeddedAddress: address, environment: {} };
  const connect = async () =>
    resources.adopt(await connectWorker(endpoint), (opened) => opened.close());
  const opened = resources.adopt(connectClient(endpoint), (lazy) => lazy.close());
  return {
    namespace,
    address,
    connect,
    connection: await connect(),
    client: createClient(opened, namespace),
  };
}

async function addressOf(namespace: string, resources: AsyncDisposableStack): Promise<string> {
  const shared = process.env['TEST_SERVICE'];
  if (shared === undefined) {
    const dataDir = resources.adopt(temporaryFolder(), (folder) => folder.remove()).path;
    const server = await startDevServer({ dataDir, port: 0, uiPort: 0, namespace });
    return resources.adopt(server, (started) => started.close()).address;
  }
  const address = `127.0.0.1:${readPidFile(join(shared, 'temporal.pid.json'))!.port}`;
  const connection = await Connection.connect({ address });
  await setupNamespace(connection, { namespace, retentionDays: 1 });
  await connection.close();
  return address;
}
