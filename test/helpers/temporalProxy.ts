import { once } from 'node:events';
import {
  connect,
  constants,
  createServer,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type ServerHttp2Stream,
  type ServerHttp2Session,
} from 'node:http2';
import type { AddressInfo } from 'node:net';

/** How a call is refused. */
export interface GrpcStatus {
  /** google.rpc.Code */
  code: number;
  message: string;
  /** google.rpc.Status, in Base64. */
  details?: string;
}

/** google.rpc.Code */
export const PERMISSION_DENIED = 7;

/**
 * A proxy before a Temporal server, on a free loopback port.
 * @param target `host:port`
 * @param refuse gets the path of each call, such as
 *   `/temporal.api.workflowservice.v1.WorkflowService/GetSystemInfo`; undefined: the call goes
 *   through
 */
export async function startTemporalProxy(
  target: string,
  refuse: (path: string) => GrpcStatus | undefined,
) {
  // a call without a connection fails by itself
  const connectUpstream = () => connect(`http://${target}`).on('error', () => undefined);
  let upstream = connectUpstream();
  /** Temporal ends each connection after five minutes. */
  const call = (headers: OutgoingHttpHeaders) => {
    if (upstream.closed || upstream.destroyed) upstream = connectUpstream();
    return upstream.request(headers);
  };
  const sessions = new Set<ServerHttp2Session>();
  const refused: string[] = [];
  const open = new Map<ServerHttp2Stream, string>();
  const server = createServer();
  server.on('session', (session) =>
    sessions.add(session.on('close', () => sessions.delete(session))),
  );
  server.on('stream', (stream, headers) => {
    stream.on('error', () => undefined);
    const path = headers[':path']!;
    open.set(stream, path);
    stream.on('close', () => open.delete(stream));
    const refusal = refuse(path);
    if (!refusal) return void forward(stream, call(outgoing(headers)));
    refused.push(path);
    const status = { 'grpc-status': String(refusal.code), 'grpc-message': refusal.message };
    const details = refusal.details && { 'grpc-status-details-bin': refusal.details };
    stream.respond(
      { ':status': 200, 'content-type': 'application/grpc', ...status, ...details },
      { endStream: true },
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** The paths of the calls that were refused, in their order. */
    refused,
    /** How many calls of a method are under way. */
    underWay: (method: string) =>
      [...open.values()].filter((path) => path.endsWith(`/${method}`)).length,
    async close() {
      for (const session of sessions) session.destroy();
      upstream.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** The headers without what holds for one connection only. */
const outgoing = ({
  connection: _,
  host: __,
  ...headers
}: IncomingHttpHeaders): OutgoingHttpHeaders => headers;

function forward(
  stream: ServerHttp2Stream,
  call: ReturnType<ReturnType<typeof connect>['request']>,
): void {
  let trailers: IncomingHttpHeaders = {};
  call.on('error', () => stream.close(constants.NGHTTP2_CANCEL));
  call.on('trailers', (received: IncomingHttpHeaders) => {
    trailers = received;
  });
  call.on('response', (headers, flags) => {
    if (stream.destroyed) return;
    // an error comes with its status in the only headers
    if (flags & constants.NGHTTP2_FLAG_END_STREAM)
      return stream.respond(headers, { endStream: true });
    stream.on('wantTrailers', () => stream.sendTrailers(trailers));
    stream.respond(headers, { waitForTrailers: true });
    call.pipe(stream);
  });
  stream.on('close', () => call.close(constants.NGHTTP2_CANCEL));
  stream.pipe(call);
}
