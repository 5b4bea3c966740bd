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
  EditLink,
  EditLinkRequest,
  FactRemoval,
  FollowUp,
  ListTasksData,
  ShareCreated,
  PublishCheck,
  PublishTask,
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
  UndoVersion,
  UpdateTask,
  VersionChange,
  VersionList,
} from './types.ts';

/** A task that has ended. */
export type FinishedTask = Exclude<TaskView, { status: 'running' }>;

/** Called once with each question of a task. Return the answer, or undefined if others answer. */
export type OnQuestion = (question: Question) => string | undefined | Promise<string | undefined>;

/** The open question of a running task. undefined if it has none. */
export function questionOf(task: TaskView): Question | undefined {
  const waitingFor = task.status === 'running' ? task.progress?.waitingFor : undefined;
  return waitingFor && 'question' in waitingFor ? waitingFor : undefined;
}

export interface CreateOptions extends CallOptions {
  /**
   * Identifies the request. A second request with the same key and body returns the first task.
   * Default: a new key for each call, which all retries of the call share.
   */
  idempotencyKey?: string;
}

/** Options of `waitFor`. */
export interface WaitOptions extends CallOptions {
  /** The time limit in milliseconds, including retries. Default: as long as the task runs. */
  timeoutMs?: number;
  /**
   * What to do if a task with `ask: 'allowed'` asks a question. `return` stops waiting.
   * Default: wait until somebody answers.
   */
  onQuestion?: OnQuestion | 'return';
}

export interface AnswerOptions extends CreateOptions {
  /** The id of the question. Default: the current question of the task. */
  questionId?: string;
}

/** How to wait for the end of a task. `until` is the time limit, in milliseconds since 1970. */
interface TaskEnding {
  until: number;
  onQuestion: OnQuestion | 'return';
  signal: AbortSignal;
}

type Filters = FiltersOf<ListTasksData['query']>;

/**
 * Seconds that the service may wait for the end of the task before it responds (`Prefer: wait`).
 * The first request waits only briefly, to find out whether the service is available.
 */
const WAIT_S = 30;
const FIRST_WAIT_S = 1;
/** A response within these milliseconds did not wait, e.g. because the service is stopping. */
const SHORT_MS = 500;
/** Milliseconds to pause after a response that did not wait. */
const PAUSE_MS = 2_000;

/** Tasks change a site in the background. Most methods are one request of the API. */
export class Tasks {
  readonly #requests: Requests;

  constructor(requests: Requests) {
    this.#requests = requests;
  }

  /** Creates a task (the service's documentation: Create a task). */
  create(body: CreateTaskData['body'], options: CreateOptions = {}): Promise<TaskCreated> {
    return this.#start('', body, options);
  }

  /** Returns what a task would do, and the problems of its request. Creates nothing. */
  check(body: CreateTaskData['body'], { signal }: CallOptions = {}): Promise<TaskCheck> {
    return this.#read({ method: 'POST', path: '/agent/tasks/check', body, signal });
  }

  get(taskId: string, { signal }: CallOptions = {}): Promise<TaskView> {
    return this.#read({ path: pathOf(taskId), signal });
  }

  /**
   * Waits for the end of a task. A failed task is not an error: check its `status`.
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

  /** Sends an answer, if there is one. Does nothing if somebody else has answered before. */
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
   * Yields the events of a task from its start to its end.
   * @throws AgentTasksError if the response is not an event stream
   */
  events(taskId: string, options: CallOptions = {}): AsyncGenerator<TaskEvent, void> {
    return eventsOf(this.#requests, taskId, options);
  }

  /** Lists the running tasks of your organization, then the finished ones, newest first. */
  list(filters: Filters = {}, { signal }: CallOptions = {}): AsyncGenerator<TaskSummary, void> {
    const path = '/agent/tasks';
    return allOf({
      read: (cursor) => this.#read<TaskList>({ path, query: { ...filters, cursor }, signal }),
      itemsOf: ({ tasks }) => tasks,
      signal,
    });
  }

  /** Starts a task that makes the pages of a completed task live, except those left out. */
  publish(
    taskId: string,
    options: CreateOptions & { body?: PublishTask } = {},
  ): Promise<TaskCreated> {
    return this.#start(`/${segmentOf(taskId)}/publish`, options.body ?? {}, options);
  }

  /** Returns what publishing the task would make live. */
  checkPublish(taskId: string, { signal }: CallOptions = {}): Promise<PublishCheck> {
    return this.#read({ path: `${pathOf(taskId)}/publish`, signal });
  }

  /** Returns what a completed task changed. */
  diff(taskId: string, { signal }: CallOptions = {}): Promise<TaskDiff> {
    return this.#read({ path: `${pathOf(taskId)}/diff`, signal });
  }

  /** Creates a link with which a person can edit the pages of a task. */
  editLink(taskId: string, body?: EditLinkRequest, { signal }: CallOptions = {}) {
    return this.#read<EditLink>({
      method: 'POST',
      path: `${pathOf(taskId)}/edit-link`,
      body,
      signal,
    });
  }

  /** Creates a link with which people who have no account can see or edit the pages of a task. */
  share(taskId: string, body: ShareRequest, { signal }: CallOptions = {}): Promise<ShareCreated> {
    return this.#read({ method: 'POST', path: `${pathOf(taskId)}/shares`, body, signal });
  }

  /**
   * Resolves notes, i.e. records what became of them: those of a page, those with these ids, or all
   * notes of the task. A note says what a person should check on a page.
   */
  settleNotes(taskId: string, body: SettleNotes, { signal }: CallOptions = {}) {
    const path = `${pathOf(taskId)}/notes`;
    return this.#read<SettleNotesResponse>({ method: 'PATCH', path, body, signal });
  }

  /**
   * Removes from the pages the facts that notes name, such as a price, writes a text in their place,
   * or gives unused values a place, as a new version of the task.
   * A repeated call changes nothing.
   */
  dropNotes(taskId: string, body: DropNotes, { signal }: CallOptions = {}): Promise<FactRemoval> {
    const path = `${pathOf(taskId)}/notes/drop`;
    return this.#read({ method: 'POST', path, body, signal });
  }

  /** Lists the versions of a task. The first one is the current one. */
  versions(taskId: string, { signal }: CallOptions = {}): Promise<VersionList> {
    return this.#read({ path: `${pathOf(taskId)}/versions`, signal });
  }

  /** Makes the version before the current one current again, as a new version. */
  undoVersion(
    taskId: string,
    body: UndoVersion = {},
    { signal }: CallOptions = {},
  ): Promise<VersionChange> {
    const path = `${pathOf(taskId)}/versions/undo`;
    return this.#read({ method: 'POST', path, body, signal });
  }

  /** Takes over what the base tasks and the live site have become since, as a new version. */
  update(
    taskId: string,
    body: UpdateTask = {},
    { signal }: CallOptions = {},
  ): Promise<VersionChange> {
    const path = `${pathOf(taskId)}/versions/update`;
    return this.#read({ method: 'POST', path, body, signal });
  }

  /** Deletes the preview of a task. */
  async deletePreview(taskId: string, { signal }: CallOptions = {}): Promise<void> {
    await this.#requests.send({ method: 'DELETE', path: `${pathOf(taskId)}/preview`, signal });
  }

  /** Starts a task that repeats a failed one. */
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
