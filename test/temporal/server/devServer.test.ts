import { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { once } from 'node:events';
import { type Dispatcher, request } from 'undici';
import { DomainError } from '../../../src/errors.ts';
import { findCli } from '../../../src/temporal/server/cliBinary.ts';
import { startDevServer } from '../../../src/temporal/server/devServer.ts';
import type { DevServer } from '../../../src/temporal/server/devServer.ts';
import { superviseDevServer } from '../../../src/temporal/server/supervisor.ts';
import { checkNamespace, setupNamespace } from '../../../src/temporal/searchAttributes.ts';
import { until } from '../../helpers/until.ts';

const namespace = 'agent-tasks';
const free = { port: 0, uiPort: 0, namespace };
const pidOf = async (dataDir: string) =>
  (JSON.parse(await readFile(join(dataDir, 'temporal.pid.json'), 'utf8')) as { pid?: number }).pid;
const isRunning = async (pid: number) =>
  (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).includes('start-dev');
/** The TCP ports that a process listens on. */
async function portsOf(pid: number): Promise<number[]> {
  const files = (await readdir(`/proc/${pid}/fd`)).map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => ''));
  const own = new Set(await Promise.all(files));
  const lines = (await readFile('/proc/net/tcp', 'utf8')).trim().split('\n').slice(1);
  const rows = lines.map((line) => line.trim().split(/\s+/));
  const listening = rows.filter(([, , , state, , , , , , inode]) => state === '0A' && own.has(`socket:[${inode}]`));
  return listening.map(([, address]) => parseInt(address!.split(':')[1]!, 16));
}
/** What a page of another name gets that has its name lead to 127.0.0.1 (DNS rebinding): the status, 0 for no HTTP. */
async function rebound(port: number, method: Dispatcher.HttpMethod, path: string): Promise<number> {
  const headers = { host: `rebind.evil.example:${port}` };
  return await request(`http://127.0.0.1:${port}${path}`, { method, headers }).then(
    async ({ statusCode, body }) => (await body.dump(), statusCode),
    () => 0,
  );
}
const failureOf = async (promise: Promise<unknown>) =>
  await promise.then(
    () => expect.fail('did not throw'),
    (error: unknown) => error as DomainError,
  );

describe('startDevServer', function () {
  this.timeout(60_000);
  let dataDir: string;
  const servers: DevServer[] = [];
  const start = async (options: Partial<Parameters<typeof startDevServer>[0]> = {}) => {
    const server = await startDevServer({ ...free, dataDir, ...options });
    servers.push(server);
    return server;
  };
  const connectTo = async <T>(server: DevServer, use: (connection: Connection) => Promise<T>) => {
    const connection = await Connection.connect({ address: server.address });
    try {
      return await use(connection);
    } finally {
      await connection.close();
    }
  };

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'dev-server-'));
  });
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.close()));
    await rm(dataDir, { recursive: true, force: true });
  });

  describe('once it runs', () => {
    const lines: string[] = [];
    let folder: string;
    let server: DevServer;
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'dev-server-'));
      server = await startDevServer({ ...free, dataDir: folder, progress: (line) => lines.push(line) });
    });
    after(async () => {
      await server?.close();
      await rm(folder, { recursive: true, force: true });
    });

    it('answers with the namespace, 30 days of retention and the search attributes, says which binary it took, and shows its web UI', async () => {
      await connectTo(server, async (connection) => {
        const { config } = await connection.workflowService.describeNamespace({ namespace });
        expect(Number(config?.workflowExecutionRetentionTtl?.seconds)).to.equal(30 * 86_400);
        expect(await checkNamespace(connection, namespace)).to.equal(true);
      });
      expect(lines.join('\n')).to.match(/^Temporal CLI: \/.+temporal \(/m);
      expect((await fetch(server.uiUrl)).status).to.equal(200);
    });

    it("answers the web UI's requests at localhost, and no other name at any port that is known", async () => {
      const port = Number(new URL(server.uiUrl).port);
      const list = `/api/v1/namespaces/${namespace}/workflows`;
      for (const name of ['localhost', '127.0.0.1']) {
        const own = { headers: { 'Sec-Fetch-Site': 'same-origin' } };
        // its frontend may answer the UI a moment after it answered us
        await until('the namespaces', async () => {
          const namespaces = await fetch(`http://${name}:${port}/api/v1/namespaces`, own);
          return ((await namespaces.json()) as { namespaces?: unknown }).namespaces;
        });
        expect((await fetch(`http://${name}:${port}${list}`, own)).status).to.equal(200);
      }
      const html = await (await fetch(server.uiUrl)).text();
      const [asset] = /\/_app\/[\w/.-]+\.js/.exec(html)!;
      expect((await fetch(new URL(asset, server.uiUrl))).status).to.equal(200);
      for (const path of ['/', asset, list]) expect(await rebound(port, 'GET', path), path).to.equal(421);
      expect(await rebound(port, 'POST', `${list}/x/terminate`)).to.equal(421);

      const answered = (await portsOf((await pidOf(folder))!)).map((own) => rebound(own, 'GET', '/api/v1/namespaces'));
      const statuses = (await Promise.all(answered)).filter((status) => status !== 0).sort();
      // The server's own UI, at a port that nobody knows; then its HTTP API, and its figures, which has no such path.
      expect(statuses).to.deep.equal([200, 403, 404]);
    });

    describe('checkNamespace', () => {
      it('names a namespace that is missing, then attributes that are missing, until setupNamespace has been run', async () => {
        await connectTo(server, async (connection) => {
          expect(await checkNamespace(connection, 'other')).to.match(
            /namespace "other" does not exist.*temporal setup/,
          );
          await connection.workflowService.registerNamespace({
            namespace: 'other',
            workflowExecutionRetentionPeriod: msToTs('1 day'),
          });
          const answer = await until('the namespace', async () => {
            const said = await checkNamespace(connection, 'other');
            return !/does not exist/.test(String(said)) && said;
          });
          expect(answer).to.match(/"other" lacks the search attributes OrganizationId, .*temporal setup/);
          await setupNamespace(connection, { namespace: 'other', retentionDays: 30 });
          await setupNamespace(connection, { namespace: 'other', retentionDays: 30 });
          expect(await checkNamespace(connection, 'other')).to.equal(true);
        });
      });
    });
  });

  it('goes on at the same UI address while the server is started again', async () => {
    const restarted = await superviseDevServer({ ...free, dataDir }, () => undefined);
    try {
      const status = async () => (await fetch(restarted.uiUrl)).status;
      expect(await status()).to.equal(200);
      process.kill((await pidOf(dataDir))!, 'SIGKILL');
      await until('503 from the UI', async () => (await status()) === 503);
      await until('the UI of the next server', async () => (await status()) === 200);
    } finally {
      await restarted.close();
    }
    await failureOf(fetch(restarted.uiUrl));
  });

  it('leaves no process behind and ends twice without harm', async () => {
    const server = await start();
    const pid = (await pidOf(dataDir))!;
    expect(await isRunning(pid)).to.equal(true);
    await server.close();
    await server.close();
    expect(await isRunning(pid)).to.equal(false);
    expect(await pidOf(dataDir)).to.equal(undefined);
  });

  it('keeps its data and, where they are free, its ports over a restart', async () => {
    const first = await start();
    await connectTo(first, (connection) => setupNamespace(connection, { namespace: 'kept', retentionDays: 40 }));
    await first.close();
    const second = await start();
    expect(second.address).to.equal(first.address);
    expect(second.uiUrl).to.equal(first.uiUrl);
    await connectTo(second, async (connection) => {
      expect(await checkNamespace(connection, 'kept')).to.equal(true);
      const { config } = await connection.workflowService.describeNamespace({ namespace: 'kept' });
      expect(Number(config?.workflowExecutionRetentionTtl?.seconds)).to.equal(40 * 86_400);
    });
  });

  it('adds to the file of an earlier version the search attributes that this one has more', async () => {
    const first = await start();
    await connectTo(first, async (connection) => {
      const searchAttributes = ['FailureKind', 'CallbackStatus'];
      await connection.operatorService.removeSearchAttributes({ namespace, searchAttributes });
      const lacks = async () => (await checkNamespace(connection, namespace)) !== true;
      await until('the attributes to be gone', lacks);
      expect(await checkNamespace(connection, namespace)).to.include('lacks the search attributes FailureKind, Call');
    });
    await first.close();
    const answer = await connectTo(await start(), (connection) => checkNamespace(connection, namespace));
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

  for (const setting of ['TEMPORAL_PORT', 'TEMPORAL_UI_PORT'] as const)
    it(`names ${setting} when a fixed port is taken`, async () => {
      const occupied = createServer().listen(0, '127.0.0.1');
      await once(occupied, 'listening');
      const { port } = occupied.address() as AddressInfo;
      const error = await failureOf(start(setting === 'TEMPORAL_PORT' ? { port } : { uiPort: port }));
      occupied.close();
      expect(error).to.be.instanceOf(DomainError);
      expect(error.code).to.equal('CONFIGURATION');
      expect(error.message).to.match(new RegExp(`^${setting}: port ${port} is taken.*set ${setting} to[^\\n]*$`));
    });

  const service = (whenReady: string) => {
    const devServer = new URL('../../../src/temporal/server/devServer.ts', import.meta.url).href;
    const script = `
      import { startDevServer } from ${JSON.stringify(devServer)};
      const server = await startDevServer({ dataDir: process.argv[1], port: 0, uiPort: 0, namespace: 'agent-tasks' });
      ${whenReady}`;
    return spawn(process.execPath, ['--input-type=module', '-e', script, dataDir], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
  };

  it('does not outlive a service that exits without closing it', async () => {
    const exiting = service(
      'process.stdout.write(server.address, () => process.stdin.once("data", () => process.exit(3)))',
    );
    await once(exiting.stdout, 'data');
    const pid = (await pidOf(dataDir))!;
    exiting.stdin.end('exit now');
    await once(exiting, 'exit');
    const deadline = Date.now() + 20_000;
    while ((await isRunning(pid)) && Date.now() < deadline) await delay(50);
    expect(await isRunning(pid)).to.equal(false);
  });

  it('ends the server that a killed service left on the same data, fixed ports included', async () => {
    const killed = service('console.log(server.address)');
    const [address] = (await once(killed.stdout, 'data')) as [Buffer];
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    const orphan = (await pidOf(dataDir))!;
    expect(await isRunning(orphan)).to.equal(true);
    const port = Number(String(address).trim().split(':')[1]);
    const server = await start({ port });
    expect(await isRunning(orphan)).to.equal(false);
    expect(server.address).to.equal(`127.0.0.1:${port}`);
  });

  it('spares a process that took over the pid of its last run', async () => {
    const stranger = spawn('sleep', ['60'], { detached: true });
    try {
      await writeFile(join(dataDir, 'temporal.pid.json'), JSON.stringify({ pid: stranger.pid, port: 0, uiPort: 0 }));
      await start();
      expect(stranger.exitCode ?? stranger.signalCode).to.equal(null);
    } finally {
      stranger.kill('SIGKILL');
    }
  });

  it('tells when the server ends by itself', async () => {
    const server = await start();
    process.kill((await pidOf(dataDir))!, 'SIGKILL');
    expect(await server.exited).to.match(/^The Temporal server ended by itself \(SIGKILL\)/);
  });

  it('fails in one line that names TEMPORAL_CLI_PATH when that is not the Temporal CLI', async () => {
    const error = await failureOf(start({ cliPath: process.execPath }));
    expect(error.message).to.match(/^TEMPORAL_CLI_PATH=\S+ is not the Temporal CLI, or not executable$/);
  });

  /** The Temporal CLI, whose first servers end as a Go program that panics does. */
  async function panicking(times: number, words: string): Promise<string> {
    const [path, count] = [join(dataDir, 'temporal'), join(dataDir, 'count')];
    const lines = [
      '#!/bin/sh',
      `[ "$1" = server ] || exec '${await findCli()}' "$@"`,
      `echo >> '${count}'; [ "$(wc -l < '${count}')" -gt ${times} ] && exec '${await findCli()}' "$@"`,
      `printf 'panic: ${words}\\n\\ngoroutine 1 [running]:\\nmain.main()\\n\\t/cli/main.go:18 +0x8e\\n' >&2; exit 2`,
    ];
    await writeFile(path, lines.join('\n'), { mode: 0o755 });
    return path;
  }

  it('starts again when another program took a port of its inner services just then', async () => {
    const words = 'failed assigning ephemeral port: listen tcp: bind: address already in use';
    const server = await start({ cliPath: await panicking(2, words) });
    await connectTo(server, (connection) => connection.workflowService.describeNamespace({ namespace }));
  });

  it('gives up on any other panic, in its own words', async () => {
    const error = await failureOf(start({ cliPath: await panicking(1, 'no space left on device') }));
    expect(error.message).to.match(
      /^The Temporal server ended while starting: panic: no space left on device \(\S+\)$/,
    );
  });

  it('fails in one line when the database file is broken', async () => {
    await writeFile(join(dataDir, 'temporal.db'), 'no database');
    const error = await failureOf(start());
    expect(error.message).to.match(/^The Temporal server ended while starting: [^\n]+$/);
  });
});
