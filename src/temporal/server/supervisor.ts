import { setTimeout as delay } from 'node:timers/promises';
import { DomainError } from '../../errors.ts';
import { type DevServer, type DevServerOptions, startDevServer } from './devServer.ts';

const RESTARTS = 3;
const WITHIN_MS = 60_000;

export interface SupervisedServer extends Pick<DevServer, 'address' | 'uiUrl' | 'close'> {
  /** Rejects when the server has ended too often, or can't be started again. */
  failed: Promise<never>;
}

/**
 * Runs the dev server, and restarts it at the same addresses when it ends unexpectedly. Its
 * database is durable, so tasks continue.
 * @throws DomainError CONFIGURATION as `startDevServer`
 */
export async function superviseDevServer(
  options: DevServerOptions,
  warn: (reason: string) => void,
): Promise<SupervisedServer> {
  let server = await startDevServer(options);
  const { address, uiUrl } = server;
  const restartOptions = {
    ...options,
    port: Number(address.split(':')[1]),
    ui: server.ui,
    progress: () => undefined,
  };
  const closing = new AbortController();

  async function superviseRestarts(): Promise<never> {
    for (let endTimes: number[] = []; ;) {
      const reason = await server.exited;
      endTimes = [...endTimes.filter((endTime) => endTime > Date.now() - WITHIN_MS), Date.now()];
      if (endTimes.length > RESTARTS) throw new DomainError('UNAVAILABLE', reason);
      warn(`${reason}. It is started again`);
      await delay(endTimes.length * 500, undefined, { signal: closing.signal });
      server = await startDevServer(restartOptions);
      if (closing.signal.aborted) await server.close();
    }
  }
  const serverFailure = superviseRestarts();
  serverFailure.catch(() => undefined);

  return {
    address,
    uiUrl,
    failed: serverFailure,
    async close() {
      closing.abort();
      await server.close();
    },
  };
}
