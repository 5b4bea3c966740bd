import { eventsOf, type TaskEvent } from './events.ts';
import { ApiError, WaitTimeoutError } from './errors.ts';
import { type CallOptions, pause, type Requests } from './requests.ts';
import { within } from './within.ts';
import type {
  CreateTaskData,
  FollowUp,
  ListTasksData,
  Question,
  TaskCheck,
  TaskCreated,
  TaskList,
  TaskSummary,
  TaskView,
} from './types.ts';

/** A task that has ended. */
export type FinishedTask = Exclude<TaskView, { status: 'running' }>;

/** Gets each question of a task once. What it returns is the answer; undefined: others answer. */
export type OnQuestion = (question: Question) => string | undefined | Promise<string | undefined>;

/** What a running task asks now; undefined if it asks nothing. */
export function questionOf(task: TaskView): Question | undefined {
  const waitingFor = task.status === 'running' ? task.progress?.waitingFor : undefined;
  return waitingFor && 'question' in waitingFor ? waitingFor : undefined;
}

export interface CreateOptions extends CallOptions {
  /**
   * Names the request: a second one with the same key and body answers the first one's task. Made
   * anew for each call unless it is given, and the same for all tries of a call.
   */
  idempotencyKey?: string;
}

export interface WaitOptions extends CallOptions {
  /** Milliseconds, retries included. Without it, `waitFor` waits as long as the task works. */
  timeoutMs?: number;
  /**
   * What to do where a task with `ask: 'allowed'` asks something: `return` ends the waiting.
   * Default: it waits on, until somebody answers.
   */
  onQuestion?: OnQuestion | 'return';
}

export interface AnswerOptions extends CreateOptions {
  /** The question. Default: the one that the task asks now. */
  questionId?: string;
}

interface Ending {
  until: number;
  onQuestion: OnQuestion | 'return';
  signal: AbortSignal;
}

type Filters = Omit<NonNullable<ListTasksData['query']>, 'cursor'>;

/** Seconds that an answer waits for the end of its task. */
const WAIT_S = 30;
/** Milliseconds between answers that did not wait. */
const PAUSE_MS = 2_000;

export class Tasks {
  readonly #requests: Requests;

  constructor(requests: Requests) {
    this.#requests = requests;
  }

  /** Creates a task (the service's documentation: Create a task). */
  create(body: CreateTaskData['body'], options: CreateOptions = {}): Promise<TaskCreated> {
    return this.#start('', body, options);
  }

  /** Tells what a task would do, and what is wrong with its request. Nothing is created. */
  check(body: CreateTaskData['body'], { signal }: CallOptions = {}): Promise<TaskCheck> {
    return this.#read({ method: 'POST', path: '/agent/tasks/check', body, signal });
  }

  get(taskId: string, { signal }: CallOptions = {}): Promise<TaskView> {
    return this.#read({ path: pathOf(taskId), signal });
  }

  /**
   * Waits for the end of a task. A task that failed is no error: look at its `status`.
   * @throws WaitTimeoutError
   */
  waitFor(taskId: string, options: WaitOptions & { onQuestion: 'return' }): Promise<TaskView>;
  waitFor(
    taskId: string,
    options?: WaitOptions & { onQuestion?: OnQuestion },
  ): Promise<FinishedTask>;
  waitFor(
    taskId: string,
    { signal, timeoutMs = Infinity, onQuestion = () => undefined }: WaitOptions = {},
  ): Promise<TaskView> {
    const until = Date.now() + timeoutMs;
    const late = () => new WaitTimeoutError(taskId, timeoutMs);
    return within(timeoutMs, { signal, late }, (ending) =>
      this.#end(taskId, { until, onQuestion, signal: ending }),
    );
  }

  async #end(taskId: string, { until, onQuestion, signal }: Ending): Promise<TaskView> {
    let seen: string | undefined;
    for (;;) {
      const left = until - Date.now();
      const seconds = Math.max(1, Math.min(WAIT_S, Math.ceil(left / 1_000)));
      const { headers, body: task } = await this.#requests.read<TaskView>({
        path: pathOf(taskId),
        headers: { Prefer: `wait=${seconds}` },
        waitMs: seconds * 1_000,
        longestPauseMs: Infinity,
        signal,
      });
      if (task.status !== 'running') return task;
      const question = questionOf(task);
      if (question && onQuestion === 'return') return task;
      if (question && question.questionId !== seen) {
        seen = question.questionId;
        await this.#reply(taskId, question, await (onQuestion as OnQuestion)(question), signal);
      } else if (question || !headers.has('Preference-Applied')) await pause(PAUSE_MS, signal);
    }
  }

  /** Somebody else may have answered before. */
  async #reply(
    taskId: string,
    { questionId }: Question,
    answer: string | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    if (answer === undefined) return;
    await this.answer(taskId, answer, { questionId, signal }).catch((error: unknown) => {
      if (!(error instanceof ApiError && error.code === 'CONFLICT')) throw error;
    });
  }

  /** Answers the question of a running task, by one of its options or any other text. */
  async answer(
    taskId: string,
    answer: string,
    { questionId, ...options }: AnswerOptions = {},
  ): Promise<void> {
    const path = `/${encodeURIComponent(taskId)}/answer`;
    await this.#start(path, { answer, ...(questionId !== undefined && { questionId }) }, options);
  }

  /**
   * Tells what happens to a task, from its beginning to its end.
   * @throws AgentTasksError if the answer is no stream of events
   */
  events(taskId: string, options: CallOptions = {}): AsyncGenerator<TaskEvent, void> {
    return eventsOf(this.#requests, taskId, options);
  }

  /** All tasks of your organization: running ones first, then the latest finished. */
  async *list(filters: Filters = {}, { signal }: CallOptions = {}): AsyncGenerator<TaskSummary> {
    for (let cursor: string | null | undefined; cursor !== null;) {
      const query = { ...filters, cursor };
      const list: TaskList = await this.#read({ path: '/agent/tasks', query, signal });
      yield* list.tasks;
      cursor = list.nextCursor;
    }
  }

  /** Puts the pages of a completed task live, as a task of its own. */
  publish(taskId: string, options: CreateOptions & { body?: FollowUp } = {}): Promise<TaskCreated> {
    return this.#start(`/${encodeURIComponent(taskId)}/publish`, options.body ?? {}, options);
  }

  /** Tries a failed task again, as a task of its own. */
  retry(taskId: string, options: CreateOptions & { body?: FollowUp } = {}): Promise<TaskCreated> {
    return this.#start(`/${encodeURIComponent(taskId)}/retry`, options.body ?? {}, options);
  }

  /** Cancels a running task. */
  async cancel(taskId: string, { signal }: CallOptions = {}): Promise<void> {
    await this.#requests.send({ method: 'POST', path: `${pathOf(taskId)}/cancel`, signal });
  }

  async #read<T>(request: Parameters<Requests['read']>[0]): Promise<T> {
    return (await this.#requests.read<T>(request)).body;
  }

  #start(
    path: string,
    body: unknown,
    { signal, idempotencyKey = crypto.randomUUID() }: CreateOptions,
  ): Promise<TaskCreated> {
    return this.#read({
      method: 'POST',
      path: `/agent/tasks${path}`,
      body,
      headers: { 'Idempotency-Key': idempotencyKey },
      signal,
    });
  }
}

const pathOf = (taskId: string) => `/agent/tasks/${encodeURIComponent(taskId)}`;
