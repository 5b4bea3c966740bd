/**
 * One event of a stream (HTML standard, Server-sent events): its data is sent as JSON, which has no
 * line breaks.
 */
export interface ServerSentEvent {
  id: number;
  event: string;
  data: object;
}

/** @param retryMs how long a client waits before it connects again, milliseconds */
export const encodeRetry = (retryMs: number) => `retry: ${retryMs}\n\n`;
export const encodeEvent = ({ id, event, data }: ServerSentEvent) =>
  `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
/**
 * A comment, which clients drop: it shows both sides and whatever is between them that the
 * connection lives.
 */
export const heartbeat = ':\n\n';
