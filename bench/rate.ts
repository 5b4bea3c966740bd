import { once } from 'node:events';
import { connect } from 'node:net';

const CONNECTIONS = 16;

/** How a path was answered to 16 clients, each of which asks again as soon as it has its answer. */
export interface Rate {
  perSecond: number;
  /** Milliseconds of the main thread's CPU time for each answer, of the process that answers. */
  cpuMs: number;
}

/**
 * Asks for one path again and again. The clients are plain sockets: they take so little of the CPU that the server's
 * speed is what is measured.
 * @param cpuMs tells the CPU time of the server's main thread so far, milliseconds
 * @param options.ms how long
 * @throws where an answer is not 200
 */
export async function rateOf(
  { port, headers }: { port: number; headers: Record<string, string> },
  path: string,
  { ms, cpuMs }: { ms: number; cpuMs: () => number },
): Promise<Rate> {
  const fields = Object.entries({ host: `localhost:${port}`, ...headers }).map(([name, value]) => `${name}: ${value}`);
  const request = [`GET ${path} HTTP/1.1`, ...fields, '', ''].join('\r\n');
  const before = cpuMs();
  const began = performance.now();
  const counts = await Promise.all(Array.from({ length: CONNECTIONS }, () => askOn(port, request, began + ms)));
  const answers = counts.reduce((sum, count) => sum + count, 0);
  return {
    perSecond: (answers * 1_000) / (performance.now() - began),
    cpuMs: (cpuMs() - before) / answers,
  };
}

/** @returns how many answers one connection brought until then */
async function askOn(port: number, request: string, until: number): Promise<number> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  socket.setEncoding('latin1');
  await once(socket, 'connect');
  let [answers, got] = [0, ''];
  const ended = once(socket, 'close');
  socket.on('data', (chunk: string) => {
    got += chunk;
    const head = got.indexOf('\r\n\r\n');
    if (head < 0 || got.length < head + 4 + Number(/\r\ncontent-length: (\d+)/i.exec(got)?.[1])) return;
    if (!got.startsWith('HTTP/1.1 200')) socket.destroy(new Error(`Answered with ${got.slice(0, 300)}`));
    [answers, got] = [answers + 1, ''];
    if (performance.now() < until) socket.write(request);
    else socket.end();
  });
  socket.write(request);
  await ended;
  return answers;
}
