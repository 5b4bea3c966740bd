import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http';
import { pipeline } from 'node:stream';
import { defined } from '../../contract/defined.ts';
import { listenLocally, type PortWish } from './ports.ts';
import type { UiAddress } from './uiAddress.ts';

/** A proxy before the Temporal server's UI, which does not check the origin of requests. */
export interface GuardedUi {
  /** The port on 127.0.0.1 that people open. */
  port: number;
  /** Forwards requests to the UI at this address from now on. */
  forwardTo(address: UiAddress): void;
  close(): void;
}

/** The answer to a refused request. */
interface Refusal {
  status: number;
  reason: string;
}

/** Headers of a single connection (RFC 9110 §7.6.1), besides those that `Connection` names. */
const hopByHop = [
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];
const names = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Listens at the address of the Temporal UI. Answers 421 if `Host` is no name of this machine,
 * which prevents DNS rebinding. Answers 403 to requests of other websites, except for followed
 * links.
 * @throws DomainError CONFIGURATION if a fixed port is taken
 */
export async function guardUi(wish: Omit<PortWish, 'setting'>): Promise<GuardedUi> {
  let target: UiAddress | undefined;
  const server = createServer((req, res) => {
    const refusal = refusalOf(req, port);
    if (refusal) refuse(res, refusal);
    else forward(req, res, target);
  });
  const port = await listenLocally(server, { setting: 'TEMPORAL_PORT', ...wish });
  return {
    port,
    forwardTo: (to) => (target = to),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function refusalOf(req: IncomingMessage, port: number): Refusal | undefined {
  const hosts = names.map((name) => new URL(`http://${name}:${port}`).host);
  const [host = '', ...more] = req.headersDistinct.host ?? [];
  if (more.length > 0 || !hosts.includes(host.toLowerCase()) || !req.url?.startsWith('/'))
    return { status: 421, reason: `Open the Temporal UI at http://127.0.0.1:${port}` };
  if (isForeign(req, `http://${host.toLowerCase()}`))
    return { status: 403, reason: 'The Temporal UI takes requests of its own pages only' };
  return undefined;
}

/**
 * Whether another website made the request. Browsers then send `Origin` or `Sec-Fetch-Site`. A link
 * that a person follows is allowed.
 */
function isForeign({ method, headers }: IncomingMessage, ownOrigin: string): boolean {
  const { origin = ownOrigin, 'sec-fetch-site': site = 'none' } = headers;
  if (origin !== ownOrigin) return true;
  if (site === 'none' || site === 'same-origin') return false;
  return (
    method !== 'GET' ||
    headers['sec-fetch-mode'] !== 'navigate' ||
    headers['sec-fetch-dest'] !== 'document'
  );
}

function refuse(res: ServerResponse, { status, reason }: Refusal): void {
  res.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' }).end(`${reason}.\n`);
}

const refuseForNow = (res: ServerResponse): void =>
  refuse(res, { status: 503, reason: 'The Temporal server is not running at the moment' });

function forward(req: IncomingMessage, res: ServerResponse, target: UiAddress | undefined): void {
  if (!target) return refuseForNow(res);
  const { method, url, headers } = req;
  const { 'content-length': length, 'transfer-encoding': encoding } = headers;
  const framing = defined({ 'content-length': length, 'transfer-encoding': encoding });
  const sent = { ...endToEnd(headers), ...framing };
  const passedOn = request({
    host: target.host,
    port: target.port,
    method,
    path: url,
    headers: sent,
    agent: false,
  });
  passedOn.on('response', (answer) => {
    res.writeHead(answer.statusCode!, endToEnd(answer.headers));
    pipeline(answer, res, () => undefined);
  });
  passedOn.on('error', () => {
    if (res.headersSent) res.destroy();
    else refuseForNow(res);
  });
  res.on('close', () => passedOn.destroy());
  req.pipe(passedOn);
}

function endToEnd(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const dropped = new Set([
    ...hopByHop,
    ...(headers.connection ?? '').toLowerCase().split(/[\s,]+/),
  ]);
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !dropped.has(name)));
}
