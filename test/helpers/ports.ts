import { randomInt } from 'node:crypto';
import { chooseFreePort } from '../../src/temporal/server/ports.ts';

/**
 * The system gives higher ones to connections: before a process listens, one could have its port.
 * Temporal's table of its services has a `smallint` for the port.
 */
const PORTS = { from: 15_000, below: 32_768 };

/** Ports that are free now, for processes that must be told theirs. */
export async function freePorts(count: number): Promise<number[]> {
  const found = new Set<number>();
  while (found.size < count) {
    const port = randomInt(PORTS.from, PORTS.below);
    if (await chooseFreePort({ setting: 'the test', port }).catch(() => null)) found.add(port);
  }
  return [...found];
}

/** One of them. */
export const freePort = async (): Promise<number> => (await freePorts(1))[0]!;
