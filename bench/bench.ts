import type { Client } from '@temporalio/client';
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import type { TaskView } from '../src/contract/task.ts';
import { type HttpReceiver, startHttpReceiver } from '../test/helpers/httpReceiver.ts';
import { type ModelRequest, startModelServer } from '../test/helpers/modelServer.ts';
import { cityAnswer } from '../test/helpers/modelStory.ts';
import { endServices, type Service, startService } from '../test/helpers/service.ts';
import { citiesBody, removeTeamSites, TeamSite } from '../test/helpers/team/site.ts';
import { connectTemporal, temporalAddress } from '../test/helpers/temporalClient.ts';
import { until } from '../test/helpers/until.ts';
import { type Baseline, startBaseline } from './baseline.ts';

export const MODEL = 'openai-compatible/bench';
const MODEL_DELAY_MS = 1_000;
const SITES = 5;
const CONNECTIONS = 64;
const ENDS_WITHIN_MS = 10 * 60_000;
const manyAMinute = '100000000';
export const noLimits = {
  RATE_LIMIT_CREATE_PER_MINUTE: manyAMinute,
  RATE_LIMIT_READ_PER_MINUTE: manyAMinute,
};

/** A service as users run it, with what is measured against it. */
export interface Bench {
  service: Service;
  api: Api;
  /** Sites of the same pages, each with a repository of its own. */
  sites: TeamSite[];
  client: Client;
  baseline: Baseline;
  receiver: HttpReceiver;
  close(): Promise<void>;
}

/** The service in a temporary data folder, and plain Temporal on the same embedded server. */
export async function openBench(): Promise<Bench> {
  const receiver = await startHttpReceiver(() => 204);
  const model = await startModelServer(async (asked) => {
    await delay(MODEL_DELAY_MS);
    return { text: cityAnswer(takenAtOnce(asked)) };
  });
  const agent = { AGENT_MODEL: `rules,${MODEL}`, AGENT_BASE_URL: model.url('openai-compatible') };
  const service = await startService({
    env: { ...noLimits, ...agent, CALLBACK_ALLOW_PRIVATE: 'true' },
  });
  const api = createApi(service);
  const client = await connectTemporal(service);
  const baseline = await startBaseline(client, temporalAddress(service));
  const sites = await registerSites(service);
  return {
    service,
    api,
    sites,
    client,
    baseline,
    receiver,
    async close() {
      await baseline.close();
      await client.connection.close();
      await api.close();
      await endServices();
      removeTeamSites();
      await Promise.all([receiver.close(), model.close()]);
    },
  };
}

export async function registerSites(service: Service, count = SITES): Promise<TeamSite[]> {
  const sites = [];
  for (let n = 0; n < count; n++) sites.push(await TeamSite.register(service, `bench-${n}`));
  return sites;
}

/**
 * The scripted model's first answer for one of its pages is refused. Here each page takes one call.
 */
const takenAtOnce = (asked: ModelRequest): ModelRequest => ({
  ...asked,
  messages: [...asked.messages, { role: 'assistant', content: '', toolCalls: [] }],
});

export type Api = ReturnType<typeof createApi>;

/** Requests without the checks of the tests' own client, which take time. */
export function createApi(service: Service) {
  const pool = new Pool(`http://127.0.0.1:${service.port}`, {
    connections: CONNECTIONS,
    pipelining: 1,
  });
  const headers = {
    authorization: `Bearer ${service.demo.apiKey}`,
    host: `localhost:${service.port}`,
    'content-type': 'application/json',
  };
  async function call(
    method: 'GET' | 'POST',
    path: string,
    { body, prefer }: { body?: object; prefer?: string } = {},
  ): Promise<string> {
    const reply = await pool.request({
      method,
      path,
      headers: { ...headers, ...(prefer !== undefined && { prefer }) },
      body: body ? JSON.stringify(body) : null,
    });
    const text = await reply.body.text();
    if (reply.statusCode >= 300)
      throw new Error(`${method} ${path} was answered with ${reply.statusCode}: ${text}`);
    return text;
  }
  return {
    get: (path: string) => call('GET', path),
    read: (taskId: string) => call('GET', `/api/v1/agent/tasks/${taskId}`),
    /** Waits for the end of a task as clients do, with answers that wait up to 30 seconds. */
    waitFor(taskId: string): Promise<TaskView> {
      const read = async () => {
        const text = await call('GET', `/api/v1/agent/tasks/${taskId}`, { prefer: 'wait=30' });
        const view = JSON.parse(text) as TaskView;
        return view.status !== 'running' && view;
      };
      // a busy Temporal may not answer in time: clients ask again
      return until('the end of a task', () => read().catch(() => undefined), ENDS_WITHIN_MS);
    },
    /** @returns the taskId */
    async create({ siteId }: TeamSite, body: object): Promise<string> {
      return (
        JSON.parse(await call('POST', '/api/v1/agent/tasks', { body: { siteId, ...body } })) as {
          taskId: string;
        }
      ).taskId;
    },
    close: () => pool.close(),
  };
}

let towns = 0;

/** A generate_pages task for towns that no task was for yet: nothing is replaced. */
export const townsBody = (count: number, more: object = {}) =>
  citiesBody(
    Array.from({ length: count }, () => `Town${++towns}`),
    more,
  );

/**
 * Waits until a task is over, its callback too. Throws if it failed: nobody should measure that.
 */
export async function ended(client: Client, taskId: string): Promise<void> {
  await client.workflow.getHandle(taskId).result();
}

/** Runs one task to its end. */
export async function runTask(
  { api, client }: Bench,
  site: TeamSite,
  body: object,
): Promise<string> {
  const taskId = await api.create(site, body);
  await ended(client, taskId);
  return taskId;
}
