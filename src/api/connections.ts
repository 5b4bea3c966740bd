import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

export interface Patience {
  /** Milliseconds within which a client must accept some data of its answer. */
  stallMs: number;
  /**
   * Minimum average rate at which a client must read its answers. Pipelined answers together may
   * take `stallMs` longer.
   */
  bytesPerSecond: number;
  /** Milliseconds between two checks of the rates. */
  everyMs: number;
}

interface Connection {
  /**
   * Unfinished answers in their order. A client may send requests before it has the earlier answers
   * (RFC 9112, 9.3.2); it reads the first one now.
   */
  answers: ServerResponse[];
  /** When the first answer's header was seen as sent, in `performance.now` time. */
  sentAt?: number | undefined;
  /** Milliseconds by which the earlier answers of this pipeline exceeded the allowed time. */
  lateMs: number;
}

export interface Connections {
  open(socket: Duplex): void;
  /** Tracks an answer until it is fully sent or its connection closes. */
  add(socket: Duplex, res: ServerResponse): void;
  isAnswering(socket: Duplex): boolean;
  /** Closes connections whose clients read their answers too slowly. */
  cutSlow(): void;
  /** Closes idle connections. Others close after their last answer. */
  endIdle(): void;
}

/** Tracks the open connections of a server and the answers that each is sending. */
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

/**
 * Bytes of an answer. Event streams have no length; they have a limit of their own
 * (routes/taskEvents.ts).
 */
function bytesOf(res: ServerResponse): number {
  return res.req.method === 'HEAD' ? 0 : Number(res.getHeader('Content-Length') ?? Infinity);
}
