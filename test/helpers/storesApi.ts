import { noTraces } from '../../src/contract/traces.ts';
import { readConfig } from '../../src/config.ts';
import { createLogger } from '../../src/log.ts';
import { createMetrics } from '../../src/metrics/registry.ts';
import { createCommonParts, type KeepOpen } from '../../src/service/commonParts.ts';
import { serveApiOver } from '../../src/service/openApi.ts';
import { createDisk } from '../../src/storage/diskSpace.ts';
import { openStores, type ServiceStores } from '../../src/stores.ts';
import { connectClient } from '../../src/temporal/connection.ts';
import type { TemporalServer } from '../../src/temporal/openTemporal.ts';
import { chooseTimeouts } from '../../src/temporal/timeouts.ts';
import { temporaryFolder } from './database.ts';
import { TasksInMemory } from './tasksInMemory.ts';
import { copyTemplate } from './template.ts';

export interface StoresApi {
  port: number;
  stores: ServiceStores;
  tasks: TasksInMemory;
  /** Lines of the log. */
  logs: Record<string, unknown>[];
  close(): Promise<void>;
}

/**
 * The service's own API over its own stores, in this process: database, git, hosting and people are
 * real. Small objects are in Temporal's place.
 * @param settings environment variables of the service
 */
export async function startStoresApi(settings: Record<string, string>): Promise<StoresApi> {
  const resources = new AsyncDisposableStack();
  const keep: KeepOpen = (opened) => resources.adopt(opened, () => opened.close());
  const folder = resources.adopt(temporaryFolder(), (made) => made.remove());
  copyTemplate(folder.path);
  const config = readConfig({ ...settings, DATA_DIR: folder.path, PORT: '0' });
  const address = { port: 0 };
  const publicUrl = () => new URL(`http://localhost:${address.port}`);
  const logs: Record<string, unknown>[] = [];
  const logger = createLogger('info', {
    write: (line) => void logs.push(JSON.parse(line) as Record<string, unknown>),
  });
  const stores = keep(await openStores(config, { logger, publicUrl }));
  const metrics = keep(createMetrics());
  const traces = noTraces;
  const opened = { config, logger, metrics, traces, stores, temporal: noTemporal(), publicUrl };
  const parts = {
    ...createCommonParts(opened, keep),
    runningTasks: () => Promise.resolve(new Map<string, Set<string>>()),
  };
  const tasks = new TasksInMemory();
  const disk = createDisk(config.dataDir);
  const readiness = () => Promise.resolve({ database: true, temporal: true } as const);
  address.port = await serveApiOver(parts, { tasks, disk, readiness }, keep);
  return {
    port: address.port,
    stores,
    tasks,
    logs,
    close: () => resources.disposeAsync(),
  };
}

/** A server that nothing connects to. */
function noTemporal(): TemporalServer {
  const endpoint = { embeddedAddress: '127.0.0.1:9', environment: {} };
  return {
    endpoint,
    namespace: 'none',
    dataConverter: {},
    connection: connectClient(endpoint),
    times: chooseTimeouts(endpoint),
    isShared: false,
    retentionDays: 30,
    uiUrl: 'http://127.0.0.1:9',
    failed: new Promise<never>(() => undefined),
    close: () => Promise.resolve(),
  };
}
