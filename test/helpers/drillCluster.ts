import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Cluster } from './cluster.ts';
import type { ExitResult, LaunchedProcess, LaunchOptions } from './launched.ts';
import { processesOf, signal } from './processes.ts';
import { programOnPath } from './programs.ts';
import type { Service } from './service.ts';
import { copyTemplate } from './template.ts';
import { until } from './until.ts';

export type ApiName = 'api1' | 'api2';
export type WorkerName = 'worker1' | 'worker2';
export type ProcessName = ApiName | WorkerName;
export const processNames = ['api1', 'api2', 'worker1', 'worker2'] as const;

/** Bytes of a disk that a drill fills. */
const SMALL_DISK = 96 * 1024 ** 2;

/** A key for `SECRETS_KEYS`. */
export const secretsKey = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;

interface StartOptions {
  /** The folder of the code; by default this code. */
  code?: string;
  /** The data folder; by default a new one. */
  dataDir?: string;
  /** Whether the data folder is empty, on a small disk of its own. */
  isOnSmallDisk?: boolean;
  env?: Record<string, string>;
}

/** Two API processes and two workers on a cluster, which a drill starts and stops by their names. */
export class DrillCluster {
  cluster: Cluster;
  /** The settings of all processes. */
  settings: Record<string, string>;
  readonly owner: { organizationId: string; apiKey: string };
  readonly apis = {} as Record<ApiName, Service>;
  readonly workers = {} as Record<WorkerName, LaunchedProcess>;
  readonly #folders: string[] = [];

  constructor(cluster: Cluster, settings: Record<string, string>) {
    this.cluster = cluster;
    this.settings = settings;
    this.owner = { organizationId: '', apiKey: '' };
  }

  /** Starts a process of this name, which takes the place of the one before. */
  async start(name: ProcessName, options: StartOptions = {}): Promise<void> {
    const { code, isOnSmallDisk = false, env } = options;
    const dataDir = options.dataDir ?? this.#makeFolder(isOnSmallDisk);
    const main = code === undefined ? 'src/main.ts' : join(code, 'src/main.ts');
    const node = [process.execPath, '--liftoff-only', main] as const;
    const command: LaunchOptions['command'] = isOnSmallDisk
      ? [...smallDisk(dataDir), ...node]
      : [...node];
    const { deployment } = this.cluster;
    const settings = { ...this.settings, ...env };
    if (name === 'api1' || name === 'api2')
      this.apis[name] = await deployment.startApi(this.owner, settings, { command, dataDir });
    else this.workers[name] = await deployment.startWorker(settings, { command, dataDir });
  }

  launched = (name: ProcessName): LaunchedProcess =>
    name === 'api1' || name === 'api2' ? this.apis[name].launched : this.workers[name];

  /** Stops a process in order, as systemd and Kubernetes do. */
  async stop(name: ProcessName): Promise<void> {
    const end = await stopInOrder(this.launched(name));
    if (end.code !== 0) throw new Error(`${name} ended with ${end.code ?? end.signal}`);
  }

  /** The disk of a process is lost: kills it, and removes its data folder. */
  async lose(name: ProcessName): Promise<void> {
    await this.launched(name).killAll();
    rmSync(this.launched(name).dataDir, { recursive: true });
  }

  /** Removes the data folders of all processes, after their end. */
  removeFolders(): void {
    for (const folder of this.#folders) rmSync(folder, { recursive: true, force: true });
  }

  #makeFolder(isEmpty: boolean): string {
    const folder = mkdtempSync(join(tmpdir(), 'agent-tasks-drill-'));
    this.#folders.push(folder);
    if (!isEmpty) copyTemplate(folder);
    return folder;
  }

  /** The response of an API process at /readyz. */
  async readinessOf(name: ApiName): Promise<{ status: string; checks: Record<string, unknown> }> {
    return (await this.apis[name].request('GET', '/readyz')).json as Awaited<
      ReturnType<DrillCluster['readinessOf']>
    >;
  }

  /** Waits until both API processes are ready. */
  async untilReady(): Promise<void> {
    await until('both API processes to be ready', async () => {
      const all = await Promise.all(
        (['api1', 'api2'] as const).map((name) => this.readinessOf(name)),
      );
      return all.every(({ status }) => status === 'ready');
    });
  }

  /** What `worker list` prints. */
  async listVersions() {
    return (await this.cluster.deployment.answerOf('worker', 'list')) as {
      current: string;
      versions: { build: string; workers: number }[];
    };
  }

  /** Fills the small disk of a process. @returns removes the file */
  fillDisk(name: ProcessName): () => void {
    const { dataDir } = this.launched(name);
    const file = `/proc/${pidIn(dataDir)}/root${dataDir}/other-program`;
    const chunk = Buffer.alloc(1024 ** 2);
    try {
      for (;;) writeFileSync(file, chunk, { flag: 'a' });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
    return () => rmSync(file);
  }
}

/** Signals the service itself, which may run in a box. */
export async function stopInOrder(launched: LaunchedProcess): Promise<ExitResult> {
  signal(pidIn(launched.dataDir), 'SIGTERM');
  return await launched.ended;
}

/** The service's process with this data folder. */
function pidIn(dataDir: string): number {
  const found = processesOf(dataDir).find(
    ({ command }) => command.endsWith('src/main.ts') && !command.includes('--tmpfs'),
  );
  if (!found) throw new Error(`No service runs on ${dataDir}`);
  return found.pid;
}

/** Runs a program with a small file system of its own at a folder. */
function smallDisk(folder: string): [string, ...string[]] {
  const options = `--die-with-parent --dev-bind / / --size ${SMALL_DISK} --tmpfs`.split(' ');
  return [programOnPath('bwrap'), ...options, folder];
}
