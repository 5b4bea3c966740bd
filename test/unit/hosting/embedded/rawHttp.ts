import { connect } from 'node:net';

export interface RawResponse {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
  text: string;
}

/**
 * Sends raw bytes to a local port, since URL parsers normalize hostile paths, and reads until the
 * server closes.
 */
export async function sendRaw(port: number, bytes: string | Buffer): Promise<RawResponse> {
  const socket = connect(port, '127.0.0.1');
  socket.write(bytes);
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  return parse(Buffer.concat(chunks));
}

/** One request. `headers` may repeat a name; `Host` is one of them. */
export function request(
  port: number,
  target: string,
  headers: [string, string][],
  method = 'GET',
): Promise<RawResponse> {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return sendRaw(port, `${method} ${target} HTTP/1.1\r\n${lines}Connection: close\r\n\r\n`);
}

function parse(bytes: Buffer): RawResponse {
  const end = bytes.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
  const headers = lines.map((line) => [
    line.slice(0, line.indexOf(':')).toLowerCase(),
    line.slice(line.indexOf(':') + 2),
  ]);
  const body = bytes.subarray(end + 4);
  return {
    status: Number(statusLine.split(' ')[1]),
    headers: Object.fromEntries(headers),
    body,
    text: body.toString(),
  };
}
