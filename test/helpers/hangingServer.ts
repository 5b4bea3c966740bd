import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

/** Takes connections and never answers. */
export async function hangingServer() {
  let [connections, open] = [0, 0];
  const server = createServer((socket) => {
    connections++;
    open++;
    socket.on('error', () => {}).on('close', () => open--);
    socket.resume(); // reads on, and so sees the end
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return {
    url: `https://127.0.0.1:${port}/x.git`,
    connections: () => connections,
    open: () => open,
    close,
  };
}
