import { type Answer, type Asked, answerText } from './answer.ts';

/**
 * What makes browsers forget a removed site (W3C Clear Site Data, section 3.1): its caches, and
 * with its storage its service workers. Not its cookies: that would sign visitors out of every site
 * of the whole domain.
 */
const forgetting = { 'Cache-Control': 'no-store', 'Clear-Site-Data': '"cache", "storage"' };

/**
 * A service worker may answer all that its site asks for, so that no answer of ours is seen. But
 * browsers look for a newer one at each visit: this one takes its place, ends itself, and has the
 * pages that are open ask again.
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
 * Answers for the host of a site that was removed. Browsers say where they ask for a service
 * worker's script.
 */
export function answerRemoved({ header }: Pick<Asked, 'header'>): Answer {
  if (header('Service-Worker') !== 'script')
    return answerText(410, 'The site at this address was removed.', forgetting);
  const headers = { 'Content-Type': 'text/javascript; charset=utf-8', 'Cache-Control': 'no-store' };
  return { status: 200, headers, body: lastWorker };
}
