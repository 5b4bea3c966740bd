// Takes long: a browser is started.
import { expect } from 'chai';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { browserBlockedPorts } from '../../../src/temporal/server/uiAddress.ts';
import { startBrowser } from '../../helpers/browser.ts';
import { needProgram } from '../../helpers/programs.ts';

const host = '127.9.8.7';

describe("the ports of Temporal's own UI, in Chromium", function () {
  this.timeout(120_000);
  let chromium: Awaited<ReturnType<typeof startBrowser>>;
  before(async function () {
    needProgram(this, 'Chromium');
    chromium = await startBrowser();
  });
  after(() => chromium?.close());

  /** @returns how many requests arrive at the port when a page of it is opened */
  async function requestsAt(port: number): Promise<number> {
    let requests = 0;
    const server = createServer((_, response) => {
      requests++;
      response.end();
    }).listen(port, host);
    await once(server, 'listening');
    const page = await chromium.browser.newPage();
    const { port: opened } = server.address() as AddressInfo;
    await page.goto(`http://${host}:${opened}/`).catch(() => undefined);
    await page.close();
    server.closeAllConnections();
    server.close();
    return requests;
  }

  it('get no request, as others do', async () => {
    for (const port of browserBlockedPorts)
      expect(await requestsAt(port), String(port)).to.equal(0);
    expect(await requestsAt(0)).to.be.at.least(1);
  });
});
