import { randomInt } from 'node:crypto';
import { DomainError } from '../../errors.ts';
import { isFreePort } from './ports.ts';

/**
 * Where the Temporal server's own UI listens. Only the proxy in front of it should connect to it.
 */
export interface UiEndpoint {
  /** An IPv4 address of this machine. */
  host: string;
  port: number;
}

/**
 * Ports to which no browser connects, and that need no root. Of the Fetch Standard's list, Chromium
 * 156 lets through 4190 and 6679.
 * @see https://fetch.spec.whatwg.org/#port-blocking
 */
export const browserBlockedPorts = [
  6666, 6667, 6668, 6669, 6665, 6697, 6566, 6000, 5060, 5061, 4045, 3659, 1719, 1720, 1723, 10_080,
];

/**
 * Chooses an address for the server's own UI, which answers requests for any `Host`. A website
 * could read it by DNS rebinding, so it listens on a port that browsers refuse. On Linux it also
 * gets a random address of 127.0.0.0/8, all of which lead to this machine.
 * @throws DomainError CONFIGURATION if each of these ports is taken
 */
export async function chooseUiEndpoint(platform = process.platform): Promise<UiEndpoint> {
  const host = platform === 'linux' ? randomLoopbackIp() : '127.0.0.1';
  for (const port of browserBlockedPorts) if (await isFreePort(port, host)) return { host, port };
  throw new DomainError(
    'CONFIGURATION',
    `The Temporal UI can't start: all ports that it may use at ${host} are taken: ${browserBlockedPorts.join(', ')}`,
  );
}

const randomLoopbackIp = () => `127.${randomInt(1, 255)}.${randomInt(0, 256)}.${randomInt(1, 255)}`;
