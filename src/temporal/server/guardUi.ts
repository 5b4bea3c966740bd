import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http';
import { pipeline } from 'node:stream';
import { withoutUndefined } from '../../contract/withoutUndefined.ts';
import { listenLocally, type PortWish } from './ports.ts';
import type { UiEndpoint } from './uiEndpoint.ts';

/**
 * A proxy in front of the Temporal server's UI, which does not check the origin of requests itself.
 */
export interface GuardedUi {
  /** The port on 127.0.0.1 that people open. */
  port: number;
  /** Forwards requests to the UI at this address from now on. */
  forwardTo(address: UiEndpoint): void;
  close(): void;
}

/** The answer to a refused request. */
interface UiRefusal {
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
const localNames = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Starts the proxy at the address of the Temporal UI. Answers 421 if `Host` is not a name of this
 * machine, which prevents DNS rebinding. Answers 403 to requests of other websites, except for
 * followed links.
 * @throws DomainError CONFIGURATION if a fixed port is taken
 */
export async function guardUi(portWish: Omit<PortWish, 'setting'>): Promise<GuardedUi> {
  let target: UiEndpoint | undefined;
  const server = createServer((req, res) => {
    const refusal = findRefusal(req, port);
    if (refusal) refuseRequest(res, refusal);
    else forwardRequest(req, res, target);
  });
  const port = await listenLocally(server, { setting: 'TEMPORAL_PORT', ...portWish });
  return {
    port,
    forwardTo: (newTarget) => (target = newTarget),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Answers to requests that are not from the UI, or not to this address. */
export const uiRefusals = {
  otherHost: (port: number): UiRefusal => ({
    status: 421,
    reason: `Open the Temporal UI at http://127.0.0.1:${port}`,
  }),
  otherPage: {
    status: 403,
    reason: 'The Temporal UI only accepts requests from its own pages',
  } satisfies UiRefusal,
};

function findRefusal(req: IncomingMessage, port: number): UiRefusal | undefined {
  const hosts = localNames.map((name) => new URL(`http://${name}:${port}`).host);
  const [host = '', ...otherHosts] = req.headersDistinct.host ?? [];
  if (otherHosts.length > 0 || !hosts.includes(host.toLowerCase()) || !req.url?.startsWith('/'))
    return uiRefusals.otherHost(port);
  if (isForeign(req, `http://${host.toLowerCase()}`)) return uiRefusals.otherPage;
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

function refuseRequest(res: ServerResponse, { status, reason }: UiRefusal): void {
  res.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' }).end(`${reason}.\n`);
}

const refuseWhileDown = (res: ServerResponse): void =>
  refuseRequest(res, { status: 503, reason: 'The Temporal server is not running at the moment' });

function forwardRequest(
  req: IncomingMessage,
  res: ServerResponse,
  target: UiEndpoint | undefined,
): void {
  if (!target) return refuseWhileDown(res);
  const { method, url, headers } = req;
  const { 'content-length': length, 'transfer-encoding': encoding } = headers;
  const framing = withoutUndefined({ 'content-length': length, 'transfer-encoding': encoding });
  const sentHeaders = { ...endToEndHeaders(headers), ...framing };
  const forwardedRequest = request({
    host: target.host,
    port: target.port,
    method,
    path: url,
    headers: sentHeaders,
    agent: false,
  });
  forwardedRequest.on('response', (response) => {
    res.writeHead(response.statusCode!, endToEndHeaders(response.headers));
    pipeline(response, res, () => undefined);
  });
  forwardedRequest.on('error', () => {
    if (res.headersSent) res.destroy();
    else refuseWhileDown(res);
  });
  res.on('close', () => forwardedRequest.destroy());
  req.pipe(forwardedRequest);
}

function endToEndHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const droppedHeaders = new Set([
    ...hopByHop,
    ...(headers.connection ?? '').toLowerCase().split(/[\s,]+/),
  ]);
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !droppedHeaders.has(name)));
}
