import { Batches } from './batches.ts';
import {
  createRequests,
  type Method,
  type Query,
  type Requests,
  type Settings,
} from './requests.ts';
import { Sites } from './sites.ts';
import { type CreateOptions, Tasks } from './tasks.ts';
import { unwrap, unwrapEvent } from './webhooks.ts';

export type { BatchOptions, FinishedBatch, Table } from './batches.ts';
export { AgentTasksError, ApiError, ConnectionError, WaitTimeoutError } from './errors.ts';
export type { TaskEvent } from './events.ts';
export type { CallOptions, Csv, Method, Query, Settings } from './requests.ts';
export type {
  AnswerOptions,
  CreateOptions,
  FinishedTask,
  OnQuestion,
  WaitOptions,
} from './tasks.ts';
export { questionOf } from './tasks.ts';
export type * from './types.ts';
export { type OrganizationEvent, WrongCallbackError } from './webhooks.ts';

export interface RequestOptions extends CreateOptions {
  query?: Query;
  /** Sent as JSON. */
  body?: unknown;
}

/**
 * A client of the service, with an API key of your organization.
 *
 * `tasks`, `batches` and `sites` have a method for each operation; `webhooks.unwrap` verifies the
 * callbacks that the service sends to you, and `webhooks.unwrapEvent` verifies events. requests.ts sends and retries the requests.
 *
 *     const client = new AgentTasks({ apiKey, baseUrl: 'https://tasks.example.com' });
 *     const { taskId } = await client.tasks.create({ siteId, prompt: 'Set the title of / to "Hi"' });
 *     const task = await client.tasks.waitFor(taskId);
 */
export class AgentTasks {
  readonly tasks: Tasks;
  readonly batches: Batches;
  readonly sites: Sites;
  readonly webhooks = { unwrap, unwrapEvent };
  readonly #requests: Requests;

  constructor(settings: Settings) {
    const requests = createRequests(settings);
    this.tasks = new Tasks(requests);
    this.batches = new Batches(requests);
    this.sites = new Sites(requests);
    this.#requests = requests;
  }

  /**
   * Sends any other request of the API. Retries it if it only reads or has an `idempotencyKey`.
   *
   *     const { months } = await client.request('GET', '/usage', { query: { month: '2026-11' } });
   *
   * @returns the JSON of the response
   */
  async request<T = unknown>(
    method: Method,
    path: string,
    { idempotencyKey, ...options }: RequestOptions = {},
  ): Promise<T> {
    const headers = idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey };
    return (await this.#requests.read<T>({ method, path, headers, ...options })).body;
  }
}
