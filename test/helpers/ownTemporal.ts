import { connectClient, connectWorker, createClient } from '../../src/temporal/connection.ts';
import { startDevServer } from '../../src/temporal/server/devServer.ts';
import { temporaryFolder } from './database.ts';
import { quietRuntime } from './temporal.ts';

const namespace = 'agent-tasks';

/**
 * A file's own Temporal server, as the embedded one starts. @param resources close the server and
 * what it answers
 */
export async function startOwnTemporal(resources: AsyncDisposableStack) {
  quietRuntime();
  const dataDir = resources.adopt(temporaryFolder(), (folder) => folder.remove()).path;
  const server = resources.adopt(
    await startDevServer({ dataDir, port: 0, uiPort: 0, namespace }),
    (started) => started.close(),
  );
  const endpoint = { embeddedAddress: server.address, environment: {} };
  const connect = async () =>
    resources.adopt(await connectWorker(endpoint), (opened) => opened.close());
  const opened = resources.adopt(connectClient(endpoint), (lazy) => lazy.close());
  const { address } = server;
  return {
    namespace,
    address,
    connect,
    connection: await connect(),
    client: createClient(opened, namespace),
  };
}
