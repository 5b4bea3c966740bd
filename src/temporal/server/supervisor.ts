import { setTimeout as delay } from 'node:timers/promises';
import { DomainError } from '../../errors.ts';
import { type DevServer, type DevServerOptions, startDevServer } from './devServer.ts';

const RESTARTS = 3;
const WITHIN_MS = 60_000;

export const restartWarning = (reason: string) => `${reason}. It is started again`;

export interface SupervisedServer extends Pick<DevServer, 'address' | 'uiUrl' | 'close'> {
  /** Rejects when the server has ended too often, or can't be started again. */
  failed: Promise<never>;
}

/**
 * Runs the embedded Temporal server, and restarts it at the same addresses if it ends unexpectedly.
 * Its database is durable, so tasks continue. After three restarts within a minute, gives up. The
 * files of this folder each do a part:
 *
 * - `cliBinary.ts` finds the server's program, the Temporal CLI; `sdkDownload.ts` downloads it.
 * - `devServer.ts` starts it, on free ports (`ports.ts`), once a server that a killed service left
 *   running has ended (`pidFile.ts`).
 * - `guardUi.ts` is a proxy in front of the web UI; `uiEndpoint.ts` chooses where the UI listens.
 *
 * For example, `superviseDevServer({ dataDir, port: 7233, uiPort: 8233, namespace }, warn)` returns
 * `{ address: '127.0.0.1:7233', uiUrl: 'http://…:8233', failed, close }`.
 * @param warn called with the reason before each restart
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
      warn(restartWarning(reason));
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
