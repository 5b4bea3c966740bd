/**
 * An event of a stream (HTML standard, Server-sent events). Its data is sent as JSON, which has no
 * line breaks.
 */
export interface ServerSentEvent {
  id: number;
  event: string;
  data: object;
}

/** @param retryMs milliseconds that a client waits before it reconnects */
export const encodeRetry = (retryMs: number) => `retry: ${retryMs}\n\n`;
export const encodeEvent = ({ id, event, data }: ServerSentEvent) =>
  `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
/** A comment, which clients ignore. It shows clients and proxies that the connection is alive. */
export const heartbeat = ':\n\n';
