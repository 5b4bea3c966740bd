import { request } from 'undici';

/** What an address answered: status, type, entity tag, and the bytes in base64. */
export type CrawledPages = Map<string, string>;

const reference = /(?:href|src)="([^"]+)"|<loc>([^<]+)<\/loc>/g;

/**
 * Opens an origin's home page, the given paths, and everything of the same origin that these lead
 * to.
 * @param origin as in a page's URL; connected to on 127.0.0.1
 * @returns by path what was answered
 */
export async function crawl(origin: string, paths: string[] = []): Promise<CrawledPages> {
  const found: CrawledPages = new Map();
  const queue = ['/', '/sitemap.xml', '/robots.txt', '/404.html', ...paths];
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    if (found.has(path)) continue;
    const { answer, links } = await open(origin, path);
    found.set(path, answer);
    queue.push(...links);
  }
  return found;
}

async function open(origin: string, path: string): Promise<{ answer: string; links: string[] }> {
  const { host, port } = new URL(origin);
  const reply = await request(`http://127.0.0.1:${port}${path}`, { headers: { host } });
  const body = Buffer.from(await reply.body.arrayBuffer());
  const { location, etag, 'content-type': type } = reply.headers;
  const answer = [reply.statusCode, type, etag, location, body.toString('base64')].join(' ');
  const texts = /html|xml/.test(String(type)) ? [...body.toString().matchAll(reference)] : [];
  const targets = [
    ...texts.map(([, link, loc]) => link ?? loc!),
    ...(location ? [String(location)] : []),
  ];
  return { answer, links: targets.flatMap((target) => ownPath(origin, path, target)) };
}

function ownPath(origin: string, from: string, target: string): string[] {
  const url = new URL(target, origin + from);
  return url.origin === new URL(origin).origin ? [url.pathname] : [];
}
