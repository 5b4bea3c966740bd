import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findCli } from '../../src/temporal/server/cliBinary.ts';
import { LaunchedProcess, type LaunchOptions } from './launched.ts';
import type { Outcome } from './operator.ts';
import { freePort } from './ports.ts';
import { Service } from './service.ts';
import { type SharedDatabase, startSharedDatabase } from './sharedDatabase.ts';
import { until } from './until.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const READY_WITHIN_MS = 240_000;

/** By default, a process runs this code, with a data folder of its own. */
type ProcessOptions = Pick<LaunchOptions, 'command' | 'dataDir'>;

/**
 * The base of a scaled-out service: a separate database and Temporal server. Processes know only
 * their addresses.
 */
export class Deployment {
  readonly namespace = 'scaled-out';
  readonly database: SharedDatabase;
  private readonly temporalAddress: string;

  constructor(database: SharedDatabase, temporalAddress: string) {
    this.database = database;
    this.temporalAddress = temporalAddress;
  }

  /**
   * Starts both; the Temporal server ends with `endServices`. There is no namespace of ours on it
   * yet.
   */
  static async start(): Promise<Deployment> {
    const port = String(await freePort());
    const flags = ['--headless', '--ip', '127.0.0.1', '--port', port, '--log-level', 'error'];
    new LaunchedProcess({ command: [await findCli(), 'server', 'start-dev', ...flags] });
    const deployment = new Deployment(await startSharedDatabase(), `127.0.0.1:${port}`);
    await deployment.untilNamespace('default');
    return deployment;
  }

  /** The settings that every process of the service has. */
  get env(): Record<string, string> {
    return {
      DATABASE_URL: this.database.url,
      TEMPORAL_ADDRESS: this.temporalAddress,
      TEMPORAL_NAMESPACE: this.namespace,
      PUBLIC_URL: 'http://localhost:8080',
    };
  }

  /** Makes a namespace as somebody does who knows nothing of our search attributes. */
  async createNamespace(name: string): Promise<void> {
    await this.temporal('operator', 'namespace', 'create', '--namespace', name);
    await this.untilNamespace(name);
  }

  private temporal = async (...words: string[]) =>
    run(await findCli(), [...words, '--address', this.temporalAddress]);

  private async untilNamespace(name: string): Promise<void> {
    const describe = ['operator', 'namespace', 'describe', '--namespace', name];
    await until(`namespace ${name}`, () => this.temporal(...describe).catch(() => null));
  }

  /** Runs an operator command as an operator does: `npm run -s cli -- …`. */
  async operate(...words: string[]): Promise<Outcome> {
    const env = { PATH: process.env.PATH, HOME: process.env.HOME, ...this.env };
    try {
      return {
        code: 0,
        ...(await run('npm', ['run', '-s', 'cli', '--', ...words], { cwd: root, env })),
      };
    } catch (error) {
      return error as Outcome;
    }
  }

  /** The object that an operator command prints; throws with its messages where it fails. */
  async answerOf(...words: string[]): Promise<Record<string, unknown>> {
    const { code, stdout, stderr } = await this.operate(...words);
    if (code !== 0) throw new Error(`cli ${words.join(' ')} ended with ${code}: ${stderr}`);
    return JSON.parse(stdout) as Record<string, unknown>;
  }

  /** Starts a process, and waits for nothing. */
  launch(
    role: 'api' | 'worker',
    env: Record<string, string> = {},
    options: ProcessOptions = {},
  ): LaunchedProcess {
    return new LaunchedProcess({ ...options, env: { ...this.env, ROLE: role, ...env } });
  }

  /** Starts a worker that is ready. */
  async startWorker(
    env: Record<string, string> = {},
    options: ProcessOptions = {},
  ): Promise<LaunchedProcess> {
    const worker = this.launch('worker', env, options);
    await worker.ready(READY_WITHIN_MS);
    return worker;
  }

  /** Starts an API process that is ready, to be asked in the name of an organization. */
  async startApi(
    owner: { apiKey: string; organizationId: string },
    env: Record<string, string> = {},
    options: ProcessOptions = {},
  ): Promise<Service> {
    const port = await freePort();
    const launched = this.launch('api', { ...env, PORT: String(port) }, options);
    await launched.ready(READY_WITHIN_MS);
    const baseUrl = `http://localhost:${port}/api/v1`;
    return new Service(
      launched.dataDir,
      { ...owner, baseUrl, siteId: '', temporalUiUrl: undefined },
      launched,
    );
  }

  async stop(): Promise<void> {
    await this.database.stop();
  }
}
