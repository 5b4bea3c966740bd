// Takes long: each scenario of the protocol's conformance runner is a process of its own.
import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { keys, startApi, type TestApi } from '../helpers/api.ts';

const runner = fileURLToPath(
  new URL('../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url),
);

/** The others call tools, prompts and resources that only the runner's own server has. */
const scenarios = ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection'];

/** The runner sends no key, so this stands between: it adds one. */
function addKey(port: number): Server {
  return createServer((req, res) => {
    const headers = { ...req.headers, authorization: `Bearer ${keys.member}` };
    const { method, url: path } = req;
    const sent = request({ host: '127.0.0.1', port, path, method, headers }, (answer) => {
      res.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(res);
    });
    sent.once('error', () => res.destroy());
    req.pipe(sent);
  });
}

describe("the protocol's conformance runner", function () {
  this.timeout(300_000);
  let api: TestApi;
  let proxy: Server;
  before(async () => {
    api = await startApi();
    proxy = addKey(api.port).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
  });
  after(async () => {
    proxy.closeAllConnections();
    proxy.close();
    await api.close();
  });

  for (const scenario of scenarios)
    it(`passes ${scenario}`, async () => {
      const url = `http://localhost:${(proxy.address() as AddressInfo).port}/mcp`;
      const args = [runner, 'server', '--url', url, '--scenario', scenario];
      const { stdout } = await promisify(execFile)(process.execPath, args);
      expect(stdout).to.match(/Passed: (\d+)\/\1, 0 failed, 0 warnings/);
    });
});
