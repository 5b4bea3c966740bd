import type { Socket } from 'node:net';
import { DomainError } from '../errors.ts';

/**
 * Reads the first line from a socket, and discards the rest.
 * @param maxBytes maximum length of the line in bytes
 * @returns the line without its line break; null if the connection ended before that
 * @throws DomainError LIMIT_EXCEEDED for a longer line; the socket's own errors
 */
export function readFirstLine(socket: Socket, maxBytes: number): Promise<string | null> {
  const chunks: Buffer[] = [];
  let lineLength = 0;
  return new Promise((resolve, reject) => {
    socket.on('data', (chunk: Buffer) => {
      const lineEnd = chunk.indexOf('\n');
      lineLength += lineEnd < 0 ? chunk.length : lineEnd;
      if (lineLength > maxBytes)
        reject(
          new DomainError('LIMIT_EXCEEDED', `A line must not be longer than ${maxBytes} bytes`),
        );
      else chunks.push(lineEnd < 0 ? chunk : chunk.subarray(0, lineEnd));
      if (lineEnd < 0 && lineLength <= maxBytes) return;
      socket.removeAllListeners('data').resume();
      resolve(Buffer.concat(chunks).toString('utf8'));
    });
    socket.once('error', reject);
    socket.once('close', () => resolve(null));
  });
}
