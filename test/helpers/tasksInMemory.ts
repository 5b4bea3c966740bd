import type { CallbackDelivery } from '../../src/contract/callback.ts';
import { withoutUndefined } from '../../src/contract/withoutUndefined.ts';
import { defaultTaskTitle } from '../../src/contract/text/taskTitles.ts';
import { type TaskOutcome, type TaskInput, createTaskView } from '../../src/contract/task.ts';
import { DomainError } from '../../src/errors.ts';
import { randomTaskId } from '../../src/temporal/tasks/taskId.ts';
import { noOpenQuestion, type TaskClient } from '../../src/temporal/tasks/taskClient.ts';
import type { StartRequest, TaskRecord, TaskFacts } from '../../src/temporal/tasks/taskService.ts';
import { made } from './about.ts';
import { runsInMemory } from './batches.ts';

interface StoredTask {
  input: TaskInput;
  record: TaskRecord;
}

const createdAt = '2026-01-02T03:04:05.678Z';
const delivered: CallbackDelivery = {
  state: 'delivered',
  attempts: [{ at: createdAt, status: 204 }],
};

/**
 * Tasks as the API sees them, in Temporal's place. No worker does them: a started task runs on, and
 * a test adds tasks that have ended. What changes a task only notes that it was asked for. The
 * calls are arrow functions: some parts of the API take one of them alone.
 */
export class TasksInMemory implements TaskClient {
  /** What was asked for: `cancel bg-…`. */
  readonly asked: string[] = [];
  readonly batchRuns = runsInMemory().runs;
  readonly #stored = new Map<string, StoredTask>();

  /** Adds a task. @param finished how it ended; absent: it runs */
  add(task: Omit<TaskInput, 'title' | 'createdAt'>, finished?: TaskOutcome): void {
    const { taskId, organizationId, siteId, publish, callbackUrl, work } = task;
    const about = { ...made, title: defaultTaskTitle(work) };
    const record: TaskRecord = {
      ...about,
      taskId,
      organizationId,
      siteId,
      publish,
      createdAt,
      type: work.type,
      status: finished?.status ?? 'running',
      hasCallback: callbackUrl !== undefined,
      ...withoutUndefined({ finished }),
      ...(callbackUrl !== undefined && finished && { callbackState: 'accepted' }),
    };
    this.#stored.set(taskId, { input: { ...task, title: about.title, createdAt }, record });
  }

  start = ({ task }: StartRequest) => {
    const taskId = randomTaskId();
    this.add({ ...task, taskId });
    return Promise.resolve({ taskId, createdAt });
  };
  startedBefore = () => Promise.resolve(null);
  idOf = (_: string, idempotencyKey: string) => idempotencyKey;
  startEvent = (workflowId: string) => {
    this.asked.push(`start ${workflowId}`);
    return Promise.resolve();
  };

  read = async (organizationId: string, taskId: string) => {
    const { finished, ...about } = await this.find(organizationId, taskId);
    return { ...createTaskView(taskId, finished), about: about as TaskFacts };
  };

  find = async (organizationId: string, taskId: string) =>
    (await this.#own(organizationId, taskId)).record;

  follow = async (organizationId: string, taskId: string) => {
    const { about, ...view } = await this.read(organizationId, taskId);
    const event = { id: 1, at: createdAt, type: 'status', status: view.status } as const;
    return { view, events: [event], about };
  };

  closed = () => Promise.resolve();

  list: TaskClient['list'] = ({ organizationId, siteId, status }) => {
    const tasks = [...this.#stored.values()]
      .map(({ record: { finished: _, ...record } }) => record)
      .filter((record) => record.organizationId === organizationId)
      .filter((record) => siteId === undefined || record.siteId === siteId)
      .filter((record) => status === undefined || record.status === status);
    return Promise.resolve({ tasks, nextCursor: null });
  };

  request = async (organizationId: string, taskId: string) => ({
    input: (await this.#own(organizationId, taskId)).input,
  });

  cancel = async (organizationId: string, taskId: string): Promise<void> => {
    await this.find(organizationId, taskId);
    this.asked.push(`cancel ${taskId}`);
  };

  answer = async (organizationId: string, taskId: string): Promise<void> => {
    await this.find(organizationId, taskId);
    throw noOpenQuestion();
  };

  deliveries = async (organizationId: string, taskId: string) => {
    const { input, record } = await this.#own(organizationId, taskId);
    const { callbackUrl } = input;
    if (callbackUrl === undefined) throw new DomainError('NOT_FOUND', 'The task has no callback');
    return {
      callbackUrl,
      deliveries: [delivered],
      ...withoutUndefined({ finished: record.finished }),
    };
  };

  redeliver = async (organizationId: string, taskId: string): Promise<void> => {
    await this.deliveries(organizationId, taskId);
    this.asked.push(`redeliver ${taskId}`);
  };

  notifyTasks = () => Promise.resolve();
  close = () => Promise.resolve();

  async #own(organizationId: string, taskId: string): Promise<StoredTask> {
    const task = await Promise.resolve(this.#stored.get(taskId));
    if (task?.record.organizationId !== organizationId)
      throw new DomainError('NOT_FOUND', 'Task not found');
    return task;
  }
}
