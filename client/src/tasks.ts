import { allOf } from './allOf.ts';
import { eventsOf, type TaskEvent } from './events.ts';
import { ApiError, WaitTimeoutError } from './errors.ts';
import {
  type CallOptions,
  type FiltersOf,
  PATIENT_RETRIES,
  pause,
  type Requests,
} from './requests.ts';
import { segmentOf } from './segmentOf.ts';
import { within } from './within.ts';
import type {
  CreateTaskData,
  DropNotes,
  DropNotesResponse,
  EditLink,
  EditLinkRequest,
  FollowUp,
  ListTasksData,
  ShareCreated,
  PublishCheck,
  Question,
  SettleNotes,
  SettleNotesResponse,
  ShareRequest,
  TaskCheck,
  TaskCreated,
  TaskDiff,
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

interface TaskEnding {
  until: number;
  onQuestion: OnQuestion | 'return';
  signal: AbortSignal;
}

type Filters = FiltersOf<ListTasksData['query']>;

/**
 * Seconds that an answer waits for the end of its task. The first one tells that there is a
 * service.
 */
const WAIT_S = 30;
const FIRST_WAIT_S = 1;
/** Milliseconds within which an answer has not waited, as where the service stops. */
const SHORT_MS = 500;
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

  async #end(taskId: string, { until, onQuestion, signal }: TaskEnding): Promise<TaskView> {
    let seen: string | undefined;
    for (let retries = 0; ; retries = PATIENT_RETRIES) {
      const began = Date.now();
      const left = until - began;
      const most = retries === 0 ? FIRST_WAIT_S : WAIT_S;
      const seconds = Math.max(1, Math.min(most, Math.ceil(left / 1_000)));
      const { headers, body: task } = await this.#requests.read<TaskView>({
        path: pathOf(taskId),
        headers: { Prefer: `wait=${seconds}` },
        waitMs: seconds * 1_000,
        longestPauseMs: Infinity,
        retries,
        signal,
      });
      if (task.status !== 'running') return task;
      const question = questionOf(task);
      if (question && onQuestion === 'return') return task;
      if (question && question.questionId !== seen) {
        seen = question.questionId;
        await this.#reply(taskId, question, await (onQuestion as OnQuestion)(question), signal);
      } else if (question || !headers.has('Preference-Applied') || Date.now() - began < SHORT_MS)
        await pause(PAUSE_MS, signal);
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
    const path = `/${segmentOf(taskId)}/answer`;
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
  list(filters: Filters = {}, { signal }: CallOptions = {}): AsyncGenerator<TaskSummary, void> {
    const path = '/agent/tasks';
    return allOf({
      read: (cursor) => this.#read<TaskList>({ path, query: { ...filters, cursor }, signal }),
      itemsOf: ({ tasks }) => tasks,
      signal,
    });
  }

  /** Puts the pages of a completed task live, as a task of its own. */
  publish(taskId: string, options: CreateOptions & { body?: FollowUp } = {}): Promise<TaskCreated> {
    return this.#start(`/${segmentOf(taskId)}/publish`, options.body ?? {}, options);
  }

  /** Tells what publishing would put live. */
  checkPublish(taskId: string, { signal }: CallOptions = {}): Promise<PublishCheck> {
    return this.#read({ path: `${pathOf(taskId)}/publish`, signal });
  }

  /** What a completed task changed. */
  diff(taskId: string, { signal }: CallOptions = {}): Promise<TaskDiff> {
    return this.#read({ path: `${pathOf(taskId)}/diff`, signal });
  }

  /** A link with which a person edits the pages of a task. */
  editLink(taskId: string, body?: EditLinkRequest, { signal }: CallOptions = {}) {
    return this.#read<EditLink>({
      method: 'POST',
      path: `${pathOf(taskId)}/edit-link`,
      body,
      signal,
    });
  }

  /** A link with which people without an account see or edit the pages of a task. */
  share(taskId: string, body: ShareRequest, { signal }: CallOptions = {}): Promise<ShareCreated> {
    return this.#read({ method: 'POST', path: `${pathOf(taskId)}/shares`, body, signal });
  }

  /** Says that notes are done or kept: those of a page, some by their ids, or all. */
  settleNotes(taskId: string, body: SettleNotes, { signal }: CallOptions = {}) {
    const path = `${pathOf(taskId)}/notes`;
    return this.#read<SettleNotesResponse>({ method: 'PATCH', path, body, signal });
  }

  /** Takes the facts off the pages that notes are about, as a task of its own. */
  dropNotes(taskId: string, body: DropNotes = {}, options: CreateOptions = {}) {
    const path = `/${segmentOf(taskId)}/notes/drop`;
    return this.#start<DropNotesResponse>(path, body, options);
  }

  /** Ends the preview of a task. */
  async deletePreview(taskId: string, { signal }: CallOptions = {}): Promise<void> {
    await this.#requests.send({ method: 'DELETE', path: `${pathOf(taskId)}/preview`, signal });
  }

  /** Tries a failed task again, as a task of its own. */
  retry(taskId: string, options: CreateOptions & { body?: FollowUp } = {}): Promise<TaskCreated> {
    return this.#start(`/${segmentOf(taskId)}/retry`, options.body ?? {}, options);
  }

  /** Cancels a running task. */
  async cancel(taskId: string, { signal }: CallOptions = {}): Promise<void> {
    await this.#requests.send({ method: 'POST', path: `${pathOf(taskId)}/cancel`, signal });
  }

  async #read<T>(request: Parameters<Requests['read']>[0]): Promise<T> {
    return (await this.#requests.read<T>(request)).body;
  }

  #start<T = TaskCreated>(
    path: string,
    body: unknown,
    { signal, idempotencyKey = crypto.randomUUID() }: CreateOptions,
  ): Promise<T> {
    return this.#read({
      method: 'POST',
      path: `/agent/tasks${path}`,
      body,
      headers: { 'Idempotency-Key': idempotencyKey },
      signal,
    });
  }
}

const pathOf = (taskId: string) => `/agent/tasks/${segmentOf(taskId)}`;
