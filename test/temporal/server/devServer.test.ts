import { msToTs } from '../../../src/temporal/sdkInternals.ts';
import { expect } from 'chai';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { type Dispatcher, request } from 'undici';
import { DomainError } from '../../../src/errors.ts';
import { startDevServer } from '../../../src/temporal/server/devServer.ts';
import type { DevServer } from '../../../src/temporal/server/devServer.ts';
import { checkNamespace, setupNamespace } from '../../../src/temporal/searchAttributes.ts';
import { connectTo, devServers, free, namespace, pidOf } from '../../helpers/devServer.ts';
import { type ListeningSocket, listeningSockets } from '../../helpers/sockets.ts';
import { until } from '../../helpers/until.ts';

/**
 * What a page of another name gets that has its name lead to 127.0.0.1 (DNS rebinding): the status,
 * 0 for no HTTP.
 */
async function rebound(
  port: number,
  method: Dispatcher.HttpMethod,
  path: string,
  address = '127.0.0.1',
): Promise<number> {
  const headers = { host: `rebind.evil.example:${port}` };
  return await request(`http://${address}:${port}${path}`, { method, headers }).then(
    async ({ statusCode, body }) => (await body.dump(), statusCode),
    () => 0,
  );
}
const failureOf = async (promise: Promise<unknown>) =>
  await promise.then(
    () => expect.fail('did not throw'),
    (error: unknown) => error as DomainError,
  );

describe('startDevServer', () => {
  const suite = devServers();
  const { start } = suite;

  describe('once it runs', () => {
    const lines: string[] = [];
    let folder: string;
    let server: DevServer;
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'dev-server-'));
      process.env['ANTHROPIC_API_KEY'] = 'canary';
      server = await startDevServer({
        ...free,
        dataDir: folder,
        progress: (line) => lines.push(line),
      });
    });
    after(async () => {
      delete process.env['ANTHROPIC_API_KEY'];
      await server?.close();
      await rm(folder, { recursive: true, force: true });
    });

    it('answers with the namespace, 30 days of retention and the search attributes, names its binary, and shows its web UI', async () => {
      await connectTo(server, async (connection) => {
        const { config } = await connection.workflowService.describeNamespace({ namespace });
        expect(Number(config?.workflowExecutionRetentionTtl?.seconds)).to.equal(30 * 86_400);
        expect(await checkNamespace(connection, namespace)).to.equal(true);
      });
      expect(lines.join('\n')).to.match(/^Temporal CLI: \/.+temporal \(/m);
      expect((await fetch(server.uiUrl)).status).to.equal(200);
    });

    it("answers the web UI's requests at localhost, but no other name on any port of 127.0.0.1", async () => {
      const port = Number(new URL(server.uiUrl).port);
      const list = `/api/v1/namespaces/${namespace}/workflows`;
      for (const name of ['localhost', '127.0.0.1']) {
        const own = { headers: { 'Sec-Fetch-Site': 'same-origin' } };
        // its frontend may answer the UI a moment after it answered us
        await until('the namespaces', async () => {
          const namespaces = await fetch(`http://${name}:${port}/api/v1/namespaces`, own);
          return ((await namespaces.json()) as { namespaces?: unknown }).namespaces;
        });
        await until(
          'the workflows',
          async () => (await fetch(`http://${name}:${port}${list}`, own)).status === 200,
        );
      }
      const html = await (await fetch(server.uiUrl)).text();
      const [asset] = /\/_app\/[\w/.-]+\.js/.exec(html)!;
      expect((await fetch(new URL(asset, server.uiUrl))).status).to.equal(200);
      for (const path of ['/', asset, list])
        expect(await rebound(port, 'GET', path), path).to.equal(421);
      expect(await rebound(port, 'POST', `${list}/x/terminate`)).to.equal(421);

      // its HTTP API, and its figures, which have no such path
      const expected = [403, 404];
      const statuses = await until('an answer of each port', async () => {
        const sockets = listeningSockets((await pidOf(folder))!);
        const answered = sockets.map(({ port: own }) => rebound(own, 'GET', '/api/v1/namespaces'));
        const found = (await Promise.all(answered)).filter((status) => status !== 0).sort();
        return found.length >= expected.length && found;
      });
      expect(statuses).to.deep.equal(expected);
    });

    it('has its own UI where no browser connects: at a blocked port and a random address', async () => {
      const sockets = listeningSockets((await pidOf(folder))!);
      const others = sockets.filter(({ address }) => !['127.0.0.1', '::1'].includes(address));
      expect(others).to.have.length(1);
      const [{ address, port }] = others as [ListeningSocket];
      expect(address).to.match(/^127\./);
      expect(await rebound(port, 'GET', '/api/v1/namespaces', address)).to.equal(200);
      const refused = await failureOf(fetch(`http://${address}:${port}/api/v1/namespaces`));
      expect((refused.cause as Error).message).to.equal('bad port');
    });

    describe('checkNamespace', () => {
      it('names a missing namespace, then missing attributes, until setupNamespace has run', async () => {
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
          expect(answer).to.match(
            /"other" needs the search attributes OrganizationId \(Keyword\), .*OrganizationId.*temporal setup/,
          );
          await setupNamespace(connection, { namespace: 'other', retentionDays: 30 });
          await setupNamespace(connection, { namespace: 'other', retentionDays: 30 });
          expect(await checkNamespace(connection, 'other')).to.equal(true);
        });
      });
    });
  });

  it('keeps its data, and its ports if they are free, over a restart', async () => {
    let server = await start();
    await connectTo(server, (connection) =>
      setupNamespace(connection, { namespace: 'kept', retentionDays: 40 }),
    );
    // another process may take a port between the end and the start
    await until('a restart at the same ports', async () => {
      await server.close();
      const { address, uiUrl } = server;
      server = await start();
      return server.address === address && server.uiUrl === uiUrl;
    });
    await connectTo(server, async (connection) => {
      expect(await checkNamespace(connection, 'kept')).to.equal(true);
      const { config } = await connection.workflowService.describeNamespace({ namespace: 'kept' });
      expect(Number(config?.workflowExecutionRetentionTtl?.seconds)).to.equal(40 * 86_400);
    });
  });

  for (const field of ['port', 'uiPort'] as const)
    it(`names TEMPORAL_PORT if a fixed ${field} is taken`, async () => {
      const occupied = createServer().listen(0, '127.0.0.1');
      await once(occupied, 'listening');
      const { port } = occupied.address() as AddressInfo;
      const error = await failureOf(start({ [field]: port }));
      occupied.close();
      expect(error).to.be.instanceOf(DomainError);
      expect(error.code).to.equal('CONFIGURATION');
      expect(error.message).to.match(
        new RegExp(`^[^\\n]*\\bport ${port}\\b[^\\n]*\\bset TEMPORAL_PORT to[^\\n]*$`, 'i'),
      );
    });

  it('fails in one line that names TEMPORAL_CLI_PATH if that file is not the Temporal CLI', async () => {
    const error = await failureOf(start({ cliPath: process.execPath }));
    expect(error.code).to.equal('CONFIGURATION');
    expect(error.message).to.include(`TEMPORAL_CLI_PATH=${process.execPath}`).and.not.include('\n');
  });
});
