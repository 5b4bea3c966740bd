import { Batches } from './batches.ts';
import { createRequests, type Settings } from './requests.ts';
import { Tasks } from './tasks.ts';
import { unwrap } from './webhooks.ts';

export type { BatchOptions, FinishedBatch } from './batches.ts';
export { AgentTasksError, ApiError, ConnectionError, WaitTimeoutError } from './errors.ts';
export type { TaskEvent } from './events.ts';
export type { CallOptions, Settings } from './requests.ts';
export type {
  AnswerOptions,
  CreateOptions,
  FinishedTask,
  OnQuestion,
  WaitOptions,
} from './tasks.ts';
export { questionOf } from './tasks.ts';
export type * from './types.ts';
export { WrongCallbackError } from './webhooks.ts';

/**
 * The service, with a key of your organization.
 *
 *     const client = new AgentTasks({ apiKey, baseUrl: 'https://tasks.example.com' });
 *     const { taskId } = await client.tasks.create({ siteId, prompt: 'Set the title of / to "Hi"' });
 *     const task = await client.tasks.waitFor(taskId);
 */
export class AgentTasks {
  readonly tasks: Tasks;
  readonly batches: Batches;
  readonly webhooks = { unwrap };

  constructor(settings: Settings) {
    const requests = createRequests(settings);
    this.tasks = new Tasks(requests);
    this.batches = new Batches(requests);
  }
}
