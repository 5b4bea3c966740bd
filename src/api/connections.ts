import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

export interface Patience {
  /** Milliseconds in which a client must take something of its answer. */
  stallMs: number;
  /**
   * The least rate at which a client must take its answers in the long run. The answers that it
   * asked for one upon the other may take `stallMs` longer, all together.
   */
  bytesPerSecond: number;
  /** Milliseconds between two looks at the rates. */
  everyMs: number;
}

interface Connection {
  /**
   * In their order: a client may ask again before it has its answer (RFC 9112, 9.3.2). It takes the
   * first one.
   */
  answers: ServerResponse[];
  /** When the first one's header was seen to be sent, by `performance.now`. */
  sentAt?: number | undefined;
  /**
   * Milliseconds that the earlier answers took longer than the rate allows, since nothing was asked
   * for.
   */
  lateMs: number;
}

export interface Connections {
  open(socket: Duplex): void;
  /** Follows an answer until it is all taken, or its connection ends. */
  add(socket: Duplex, res: ServerResponse): void;
  isAnswering(socket: Duplex): boolean;
  /** Ends connections whose clients take their answers too slowly. */
  cutSlow(): void;
  /** Ends idle connections, and lets the others end with the last answer. */
  endIdle(): void;
}

/** The open connections of a server, each with the answers that it is sending. */
export function createConnections({ stallMs, bytesPerSecond }: Patience): Connections {
  const connections = new Map<Duplex, Connection>();

  function lateMsOf(connection: Connection): number {
    const [first] = connection.answers;
    if (!first?.headersSent) return connection.lateMs;
    connection.sentAt ??= performance.now();
    const allowedMs = (bytesOf(first) / bytesPerSecond) * 1_000;
    return connection.lateMs + Math.max(0, performance.now() - connection.sentAt - allowedMs);
  }

  function endFirst(connection: Connection): void {
    const lateMs = lateMsOf(connection);
    connection.answers.shift();
    connection.lateMs = connection.answers.length > 0 ? lateMs : 0;
    connection.sentAt = undefined;
    lateMsOf(connection);
  }

  return {
    open(socket) {
      connections.set(socket, { answers: [], lateMs: 0 });
      socket.once('close', () => connections.delete(socket));
    },
    add(socket, res) {
      const connection = connections.get(socket);
      connection?.answers.push(res);
      res.once('close', () => connection && endFirst(connection));
    },
    isAnswering: (socket) => Boolean(connections.get(socket)?.answers.length),
    cutSlow() {
      for (const [socket, connection] of connections)
        if (lateMsOf(connection) > stallMs) socket.destroy();
    },
    endIdle() {
      for (const [socket, { answers }] of connections) {
        const last = answers.at(-1);
        if (!last) socket.destroy();
        else if (!last.headersSent) last.setHeader('Connection', 'close');
      }
    },
  };
}

/** Streams of events have no length, and a rule of their own. */
function bytesOf(res: ServerResponse): number {
  return res.req.method === 'HEAD' ? 0 : Number(res.getHeader('Content-Length') ?? Infinity);
}
