// Takes long: some fifteen servers, started, killed and started again.
import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { superviseDevServer } from '../../src/temporal/server/supervisor.ts';
import {
  connectTo,
  devServers,
  free,
  isRunning,
  namespace,
  panicking,
  pidOf,
  startingOnce,
} from '../helpers/devServer.ts';
import { until } from '../helpers/until.ts';

describe('startDevServer', function () {
  this.timeout(300_000);
  const suite = devServers();
  const { start } = suite;

  it('keeps the same UI address while the server is restarted', async () => {
    const { cliPath, go } = await startingOnce(suite.dataDir);
    const restarted = await superviseDevServer(
      { ...free, dataDir: suite.dataDir, cliPath },
      () => undefined,
    );
    try {
      const status = async () => (await fetch(restarted.uiUrl)).status;
      expect(await status()).to.equal(200);
      process.kill((await pidOf(suite.dataDir))!, 'SIGKILL');
      await until('503 from the UI', async () => (await status()) === 503);
      await go();
      await until('the UI of the next server', async () => (await status()) === 200);
    } finally {
      await restarted.close();
    }
    expect(await fetch(restarted.uiUrl).catch(() => 'refused')).to.equal('refused');
  });

  const service = (whenReady: string) => {
    const devServer = new URL('../../src/temporal/server/devServer.ts', import.meta.url).href;
    const script = `
      import { startDevServer } from ${JSON.stringify(devServer)};
      const server = await startDevServer({ dataDir: process.argv[1], port: 0, uiPort: 0, namespace: 'agent-tasks' });
      ${whenReady}`;
    return spawn(process.execPath, ['--input-type=module', '-e', script, suite.dataDir], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
  };

  it('does not outlive a service that exits without closing it', async () => {
    const exiting = service(
      'process.stdout.write(server.address, () => process.stdin.once("data", () => process.exit(3)))',
    );
    await once(exiting.stdout, 'data');
    const pid = (await pidOf(suite.dataDir))!;
    exiting.stdin.end('exit now');
    await once(exiting, 'exit');
    await until('the end of the server', async () => !(await isRunning(pid)));
  });

  it('ends the server that a killed service left on the same data, also with fixed ports', async () => {
    const killed = service('console.log(server.address)');
    const [address] = (await once(killed.stdout, 'data')) as [Buffer];
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    const orphan = (await pidOf(suite.dataDir))!;
    expect(await isRunning(orphan)).to.equal(true);
    const port = Number(String(address).trim().split(':')[1]);
    const server = await start({ port });
    expect(await isRunning(orphan)).to.equal(false);
    expect(server.address).to.equal(`127.0.0.1:${port}`);
  });

  const taken = 'listen tcp: bind: address already in use';
  const lastWords = [
    `failed assigning ephemeral port: ${taken}`,
    `Failed to start gRPC listener: ${taken}\\n[signal SIGSEGV: segmentation violation]`,
  ];
  for (const words of lastWords)
    it(`starts again if another program has just taken one of its ports: ${words}`, async () => {
      const server = await start({ cliPath: await panicking(suite.dataDir, 2, words) });
      await connectTo(server, (connection) =>
        connection.workflowService.describeNamespace({ namespace }),
      );
    });
});
