import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inner, type Thief } from '../endurance/browser/thieves.ts';

export interface ThievesHost {
  /** Of all pages, as a source of a policy. */
  origins: string;
  /** The address of a thief's page. */
  addressOf(thief: Thief): string;
  /** Answers pages that are asked for; before, they wait. */
  release(): void;
  /** Lets the next pages wait again, and forgets what came. */
  hold(): void;
  /** Paths that were asked for since `hold`, the pages' own among them. */
  asked: string[];
  close(): Promise<void>;
}

/** Serves the pages of thieves, each on a host of its own, when the test says so. */
export async function startThieves(thieves: Thief[]): Promise<ThievesHost> {
  const asked: string[] = [];
  let waiting: (() => void)[] = [];
  let isHolding = true;
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    const page = () => answer(request, response, thieves);
    if (isHolding) waiting.push(page);
    else page();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    asked,
    origins: `http://*.preview.localhost:${port}`,
    addressOf(thief) {
      const index = thieves.indexOf(thief);
      return `http://t${index}.preview.localhost:${port}/page/${index}`;
    },
    release() {
      isHolding = false;
      for (const page of waiting.splice(0)) page();
    },
    hold() {
      isHolding = true;
      waiting = [];
      asked.length = 0;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

function answer(
  { headers, url = '' }: IncomingMessage,
  response: ServerResponse,
  thieves: Thief[],
) {
  const thief = thieves[Number(/^t(\d+)\./.exec(headers.host ?? '')?.[1])];
  const html = { 'Content-Type': 'text/html; charset=utf-8' };
  if (url.startsWith('/inner')) return response.writeHead(200, html).end(inner);
  if (url.startsWith('/moved')) return response.writeHead(302, { Location: '/inner#x' }).end();
  if (!url.startsWith('/page') || !thief) return response.writeHead(204).end();
  const page = thief.headers?.['Content-Type'] ? thief.body : `<!doctype html>${thief.body}`;
  return response.writeHead(thief.status ?? 200, { ...html, ...thief.headers }).end(page);
}
