import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { request as send } from 'undici';
import { AgentTasks, WaitTimeoutError } from '../../client/src/index.ts';
import type { TaskView } from '../../src/contract/task.ts';
import type { DemoFile } from '../../src/demo/demoFile.ts';
import { type ExitResult, endLaunched, LaunchedProcess, type LaunchOptions } from './launched.ts';
import { checkExchange } from './openapi.ts';

type FinishedView = Exclude<TaskView, { status: 'running' }>;

export const READY_WITHIN_MS = 240_000;
const TASK_WITHIN_MS = 240_000;

export interface Reply {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  // oxlint-disable-next-line no-explicit-any -- a test asserts what is in it
  json: any;
}

/** A service that is ready. */
export class Service {
  readonly dataDir: string;
  readonly demo: DemoFile;
  readonly port: number;
  readonly #process: LaunchedProcess | undefined;

  constructor(dataDir: string, demo: DemoFile, process?: LaunchedProcess) {
    this.dataDir = dataDir;
    this.demo = demo;
    this.port = Number(new URL(demo.baseUrl).port);
    this.#process = process;
  }

  /** Its process; the shared service's is not the test's. */
  get launched(): LaunchedProcess {
    if (!this.#process) throw new Error('The shared service belongs to the whole test run');
    return this.#process;
  }

  /** The Temporal server's process. */
  get temporalPid(): number {
    return (
      JSON.parse(readFileSync(join(this.dataDir, 'temporal.pid.json'), 'utf8')) as { pid: number }
    ).pid;
  }

  stop(name?: NodeJS.Signals): Promise<ExitResult> {
    return this.launched.stop(name);
  }
  kill(): Promise<ExitResult> {
    return this.launched.kill();
  }
  killAll(): Promise<void> {
    return this.launched.killAll();
  }
  end(): Promise<void> {
    return this.launched.end();
  }

  /**
   * One request to the service, on 127.0.0.1 with the URL's host as `Host`: names under localhost
   * need not resolve.
   * @param url absolute, as in a task's pages, or a path of the API's host. Those under /api get
   *   the demo's key, and their answers must match the OpenAPI document
   */
  async request(
    method: string,
    url: string,
    { headers = {}, body }: { headers?: Record<string, string>; body?: string } = {},
  ): Promise<Reply> {
    const { host, pathname, search } = new URL(url, `http://localhost:${this.port}`);
    const key = url.startsWith('/api/') ? { authorization: `Bearer ${this.demo.apiKey}` } : {};
    const reply = await send(`http://127.0.0.1:${this.port}${pathname}${search}`, {
      method,
      headers: { host, ...key, ...headers },
      ...(body !== undefined && { body }),
    });
    const text = await reply.body.text();
    if (url.startsWith('/'))
      checkExchange({
        method,
        path: pathname,
        query: [...new URLSearchParams(search).keys()],
        ...(body !== undefined && headers['content-type'] !== 'text/csv' && { sent: body }),
        status: reply.statusCode,
        headers: Object.fromEntries(
          Object.entries(reply.headers).map(([name, value]) => [name, String(value)]),
        ),
        body: text,
      });
    const isJson = /json/.test(String(reply.headers['content-type'])) && text !== '';
    return {
      status: reply.statusCode,
      headers: reply.headers,
      text,
      json: isJson ? JSON.parse(text) : undefined,
    };
  }

  /** POST /agent/tasks on the demo site. */
  postTask(body: object, headers: Record<string, string> = {}): Promise<Reply> {
    return this.request('POST', '/api/v1/agent/tasks', {
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ siteId: this.demo.siteId, ...body }),
    });
  }

  /** The client of the demo's key. Its answers must match the OpenAPI document too. */
  get client(): AgentTasks {
    const fetch = async (url: unknown, { method = 'GET', headers, body }: RequestInit = {}) => {
      const { pathname, search } = new URL(url as string);
      const reply = await this.request(method, pathname + search, {
        headers: headers as Record<string, string>,
        ...(typeof body === 'string' && { body }),
      });
      const { status, text } = reply;
      return new Response(text || null, {
        status,
        headers: reply.headers as Record<string, string>,
      });
    };
    const { apiKey, baseUrl } = this.demo;
    return new AgentTasks({
      apiKey,
      baseUrl,
      maxRetries: 0,
      fetch,
    });
  }

  /** Creates a task on the demo site. @returns its taskId; throws if it was refused */
  async createTask(body: object): Promise<string> {
    const request = { siteId: this.demo.siteId, ...body } as Parameters<
      typeof this.client.tasks.create
    >[0];
    return (await this.client.tasks.create(request)).taskId;
  }

  async readTask(taskId: string): Promise<TaskView> {
    const { status, text, json } = await this.request('GET', `/api/v1/agent/tasks/${taskId}`);
    if (status !== 200) throw new Error(`GET of ${taskId} was answered with ${status}: ${text}`);
    return json as TaskView;
  }

  /** The view of the task once it is not running any more. Throws with its view at a timeout. */
  async waitForTask(taskId: string, timeoutMs = TASK_WITHIN_MS): Promise<FinishedView> {
    try {
      // of builds alone, the document's usage has no model
      return (await this.client.tasks.waitFor(taskId, { timeoutMs })) as FinishedView;
    } catch (error) {
      if (!(error instanceof WaitTimeoutError)) throw error;
      const view = JSON.stringify(await this.readTask(taskId));
      throw new Error(`${error.message}: ${view}`, { cause: error });
    }
  }
}

/** Starts the service's process and waits for nothing. */
export const launchService = (options: LaunchOptions = {}): LaunchedProcess =>
  new LaunchedProcess(options);

/** Starts the real service as a process of its own, and waits for demo.json and /healthz. */
export async function startService(options: LaunchOptions = {}): Promise<Service> {
  const process = launchService(options);
  try {
    return await untilReady(process);
  } catch (error) {
    await process.end();
    throw new Error(`${String(error)}\n${process.log()}`, { cause: error });
  }
}

/** Waits until a launched service is ready. */
export async function untilReady(process: LaunchedProcess): Promise<Service> {
  await process.ready(READY_WITHIN_MS);
  const service = new Service(process.dataDir, demoIn(process.dataDir), process);
  const { status } = await service.request('GET', '/healthz');
  if (status !== 200) throw new Error(`/healthz answered ${status}`);
  return service;
}

const demoIn = (dataDir: string) =>
  JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as DemoFile;

/** Starts the service that suites share. The receivers of their callbacks are on this machine. */
export const startSharedService = (): Promise<Service> =>
  startService({ isShared: true, env: { CALLBACK_ALLOW_PRIVATE: 'true' } });

/** The one of this process, outside of a test run. */
let shared: Service | undefined;

/**
 * A service for suites that use only their own sites and organizations: the one of the whole test
 * run, or one for the files of this process.
 */
export async function sharedService(): Promise<Service> {
  const dataDir = process.env['TEST_SERVICE'];
  if (dataDir) return new Service(dataDir, demoIn(dataDir));
  if (!shared || shared.launched.hasEnded()) shared = await startSharedService();
  return shared;
}

/**
 * For `afterEach` and `after`: ends every service that no other file uses, and shows what they
 * printed where the test failed.
 */
export const endServices: (test?: { isFailed(): boolean }) => Promise<void> = endLaunched;
export type { LaunchOptions };
