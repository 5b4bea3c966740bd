import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { until } from './until.ts';

/** A real mail server on loopback, which keeps what it gets. */
export async function startSmtp() {
  const letters: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _, done) {
      void text(stream).then((letter) => {
        letters.push(letter.replace(/=\r\n/g, '').replace(/=3D/g, '='));
        done();
      });
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    letters,
    /** The letters to an address, once there are so many. */
    to: (address: string, count = 1) =>
      until(`${count} letters`, () => {
        const found = letters.filter((letter) => letter.includes(`To: ${address}`));
        return found.length >= count ? found : undefined;
      }),
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
