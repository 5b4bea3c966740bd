import { type Answer, type Asked, answerText } from './answer.ts';

/**
 * Makes browsers delete a removed site's caches and storage, service workers included (W3C Clear
 * Site Data, section 3.1). Leaves cookies alone: clearing them would also sign visitors out of the
 * other sites under the same domain.
 */
const forgetting = { 'Cache-Control': 'no-store', 'Clear-Site-Data': '"cache", "storage"' };

/**
 * Replaces the service worker of a removed site, which may answer all of the site's requests by
 * itself. Browsers look for a newer script at each visit. This one unregisters itself and reloads
 * the open pages.
 */
const lastWorker = `addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => event.waitUntil(end()));
async function end() {
  for (const name of await caches.keys()) await caches.delete(name);
  await registration.unregister();
  for (const page of await clients.matchAll({ type: 'window' })) await page.navigate(page.url);
}
`;

/**
 * Answers for a removed site: 410, or a replacement if a browser asks for the service worker's
 * script.
 */
export function answerRemoved({ header }: Pick<Asked, 'header'>): Answer {
  if (header('Service-Worker') !== 'script')
    return answerText(410, 'The site at this address was removed.', forgetting);
  const headers = { 'Content-Type': 'text/javascript; charset=utf-8', 'Cache-Control': 'no-store' };
  return { status: 200, headers, body: lastWorker };
}
