// Takes long: some fifteen servers, started, killed and started again.
import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { once } from 'node:events';
import { superviseDevServer } from '../../src/temporal/server/supervisor.ts';
import { checkNamespace } from '../../src/temporal/searchAttributes.ts';
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

  it('goes on at the same UI address while the server is started again', async () => {
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

  it('adds to the file of an earlier version the search attributes that this one has more', async () => {
    const first = await start();
    await connectTo(first, async (connection) => {
      const searchAttributes = ['FailureKind', 'CallbackStatus'];
      await connection.operatorService.removeSearchAttributes({ namespace, searchAttributes });
      const lacks = async () => (await checkNamespace(connection, namespace)) !== true;
      await until('the attributes to be gone', lacks);
      expect(await checkNamespace(connection, namespace)).to.include(
        'invalid search attribute: FailureKind',
      );
    });
    await first.close();
    const answer = await connectTo(await start(), (connection) =>
      checkNamespace(connection, namespace),
    );
    expect(answer).to.equal(true);
  });

  it('takes another port than the last one when that is taken by now', async () => {
    const first = await start();
    await first.close();
    const occupied = createServer().listen(Number(first.address.split(':')[1]), '127.0.0.1');
    await once(occupied, 'listening');
    try {
      expect((await start()).address).to.not.equal(first.address);
    } finally {
      occupied.close();
    }
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

  it('ends the server that a killed service left on the same data, fixed ports included', async () => {
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

  it('spares a process that took over the pid of its last run', async () => {
    const stranger = spawn('sleep', ['infinity'], { detached: true });
    try {
      await writeFile(
        join(suite.dataDir, 'temporal.pid.json'),
        JSON.stringify({ pid: stranger.pid, port: 0, uiPort: 0 }),
      );
      await start();
      expect(stranger.exitCode ?? stranger.signalCode).to.equal(null);
    } finally {
      stranger.kill('SIGKILL');
    }
  });

  it('tells when the server ends by itself', async () => {
    const server = await start();
    process.kill((await pidOf(suite.dataDir))!, 'SIGKILL');
    expect(await server.exited).to.match(/^The Temporal server ended by itself \(SIGKILL\)/);
  });

  const taken = 'listen tcp: bind: address already in use';
  const lastWords = [
    `failed assigning ephemeral port: ${taken}`,
    `Failed to start gRPC listener: ${taken}\\n[signal SIGSEGV: segmentation violation]`,
  ];
  for (const words of lastWords)
    it(`starts again when another program took a port of it just then: ${words}`, async () => {
      const server = await start({ cliPath: await panicking(suite.dataDir, 2, words) });
      await connectTo(server, (connection) =>
        connection.workflowService.describeNamespace({ namespace }),
      );
    });
});
