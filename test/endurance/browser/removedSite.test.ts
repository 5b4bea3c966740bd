// Takes long: a browser visits a site that is removed then.
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { startBrowser } from '../../helpers/browser.ts';
import { needProgram } from '../../helpers/programs.ts';
import { until } from '../../helpers/until.ts';
import { type Host, startHost } from '../../unit/hosting/embedded/host.ts';

/** Takes all that the site asks for from its cache, as pages that work without a network do. */
const worker = `
  addEventListener('install', (event) => event.waitUntil(
    caches.open('kept').then((cache) => cache.add('/')).then(() => skipWaiting())));
  addEventListener('activate', (event) => event.waitUntil(clients.claim()));
  addEventListener('fetch', (event) => event.respondWith(
    caches.match(event.request).then((found) => found ?? fetch(event.request))));`;
const home = `<!doctype html><h1>Old site</h1><script>
  localStorage.setItem('visitor', 'known');
  navigator.serviceWorker.register('/worker.js');
</script>`;

const kept = `(async () => ({
  workers: (await navigator.serviceWorker.getRegistrations()).length,
  caches: await caches.keys(),
  storage: Object.keys(localStorage),
}))()`;

describe('a visitor of a site that is removed, in Chromium', function () {
  this.timeout(300_000);
  let host: Host;
  let chromium: Awaited<ReturnType<typeof startBrowser>>;
  let page: Page;

  before(async function () {
    needProgram(this, 'Chromium');
    host = await startHost();
    host.team.push({ 'index.html': home, 'worker.js': worker, '404.html': 'lost' });
    await host.hosting.ensureLive(host.site);
    chromium = await startBrowser();
    page = await chromium.browser.newPage();
    page.setDefaultTimeout(120_000);
  });
  after(async () => {
    await chromium?.close();
    await host?.close();
  });

  it('keeps none of its service workers, caches and storage', async () => {
    const url = `http://${host.site.label}.sites.localhost:${host.port}`;
    await page.goto(`${url}/`);
    await until('the service worker', () =>
      page.evaluate('navigator.serviceWorker.controller !== null'),
    );
    expect(await page.evaluate(kept)).to.deep.equal({
      workers: 1,
      caches: ['kept'],
      storage: ['visitor'],
    });

    await host.sites.remove(host.site.siteId);
    // the page that is open may be asked for again meanwhile, by the worker that ends itself
    const visit = () =>
      page.goto(`${url}/`).then(
        (response) => response?.status(),
        () => undefined,
      );
    // Chromium looks for a newer worker a second after the last visit
    const isGone = async () => (await visit()) === 410;
    await until('the site to be gone for its visitor', isGone, 60_000, 4_000);
    expect(await page.evaluate(kept)).to.deep.equal({ workers: 0, caches: [], storage: [] });
  });
});
