// Takes long: a browser opens a page for each way to ask a host.
import { expect } from 'chai';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startBrowser } from '../../helpers/browser.ts';
import { needProgram } from '../../helpers/programs.ts';
import { until } from '../../helpers/until.ts';
import {
  hostAt,
  harmless,
  markupFor,
  pageWith,
  vectors,
} from '../../unit/sites/formats/html/checks/newHosts.ts';

const pages = [...vectors.map(({ markup }) => markup), ...harmless.map(([, markup]) => markup)].map(
  (markup, i) => pageWith(markupFor(markup, hostAt(i))),
);
const frames = pages.map(
  (_, i) => `<iframe width="60" height="40" src="http://p${i}.site.example/"></iframe>`,
);
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Answers for every host: for the pages, and for those that they should not ask. */
function answer(
  { headers, url }: IncomingMessage,
  response: ServerResponse,
  ask: (host: string) => void,
): void {
  const host = (headers.host ?? '').replace(/\.?(:\d+)?$/, '');
  const [, number] = /^p(\d+)\.site\.example$/.exec(host) ?? [];
  response.setHeader('Access-Control-Allow-Origin', '*');
  ask(host);
  if (url === '/i.png') return void response.setHeader('Content-Type', 'image/png').end(pixel);
  if (url !== '/' || !host.endsWith('site.example')) return void response.end();
  const page = number === undefined ? `<!doctype html>${frames.join('')}` : pages[Number(number)];
  response.setHeader('Content-Type', 'text/html; charset=utf-8').end(page);
}

describe('a page that would ask a new host, in Chromium', function () {
  this.timeout(300_000);
  const asked = new Set<string>();
  const server = createServer((request, response) =>
    answer(request, response, (host) => asked.add(host)),
  );
  let started: Awaited<ReturnType<typeof startBrowser>>;

  before(async function () {
    needProgram(this, 'Chromium');
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const { port } = server.address() as AddressInfo;
    started = await startBrowser([`--host-resolver-rules=MAP * 127.0.0.1:${port}`]);
  });
  after(async () => {
    await started?.close();
    server.close();
    server.closeAllConnections();
  });

  it('does ask it, or is marked as one that cannot be seen to; a page that only names a host does not', async () => {
    const page = await started.browser.newPage({ viewport: { width: 1280, height: 1400 } });
    page.setDefaultTimeout(120_000);
    await page.goto('http://site.example/', { waitUntil: 'commit' });
    const missing = () =>
      vectors.filter(({ unseen }, i) => !unseen && !asked.has(hostAt(i))).map(({ name }) => name);
    const isDone = () =>
      missing().length === 0 && pages.every((_, i) => asked.has(`p${i}.site.example`));
    await until('every page to ask', isDone, 60_000).catch(() => undefined);
    expect(missing()).to.deep.equal([]);
    expect(vectors.filter(({ unseen }) => !unseen)).to.have.length.above(120);
    const named = harmless
      .filter((_, i) => asked.has(hostAt(vectors.length + i)))
      .map(([name]) => name);
    expect(named).to.deep.equal([]);
  });
});
