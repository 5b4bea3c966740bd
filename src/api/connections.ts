import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

export interface Connections {
  open(socket: Duplex): void;
  /** Tracks an answer until it is fully sent or its connection closes. */
  add(socket: Duplex, res: ServerResponse): void;
  isAnswering(socket: Duplex): boolean;
  /** Closes idle connections. Others close after their last answer. */
  endIdle(): void;
}

/**
 * Tracks the open connections of a server, and the unfinished answers of each in their order: a
 * client may send requests before it has the earlier answers (RFC 9112, 9.3.2).
 */
export function createConnections(): Connections {
  const connections = new Map<Duplex, ServerResponse[]>();
  return {
    open(socket) {
      connections.set(socket, []);
      socket.once('close', () => connections.delete(socket));
    },
    add(socket, res) {
      const answers = connections.get(socket);
      answers?.push(res);
      res.once('close', () => answers?.shift());
    },
    isAnswering: (socket) => Boolean(connections.get(socket)?.length),
    endIdle() {
      for (const [socket, answers] of connections) {
        const last = answers.at(-1);
        if (!last) socket.destroy();
        else if (!last.headersSent) last.setHeader('Connection', 'close');
      }
    },
  };
}
