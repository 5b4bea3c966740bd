import type { CallbackDelivery } from '../../contract/callback.ts';
import type { Creator } from '../../contract/creator.ts';
import type {
  AnsweredQuestion,
  TaskOutcome,
  QuestionAnswer,
  TaskIdentity,
  TaskEvent,
  TaskInput,
  TaskStatus,
  TaskType,
  TaskView,
  WrittenPage,
} from '../../contract/task.ts';

/**
 * The API's calls to Temporal. All throw NOT_FOUND for an unknown task, and for one of another
 * organization.
 */
export interface TaskService {
  /**
   * Starts the task's workflow. With an `idempotencyKey`, the taskId only depends on organization
   * and key. A repeated start with the same `bodyHash` returns the first task's ids. Throws
   * START_FAILED within 5 s if Temporal can't be reached, IDEMPOTENCY_MISMATCH for another body or
   * path, TOO_MANY_IN_FLIGHT at the organization's limit of running tasks (a repeated start still
   * gets its answer).
   */
  start(request: StartRequest): Promise<StartedTask>;
  /**
   * The task that an earlier start with the same `idempotencyKey` and `bodyHash` began; null if
   * there was none. Throws IDEMPOTENCY_MISMATCH, UNAVAILABLE.
   */
  startedBefore(
    request: Required<Pick<StartRequest, 'idempotencyKey' | 'bodyHash' | 'path'>> & {
      organizationId: string;
    },
  ): Promise<StartedTask | null>;
  /** The id of the task that a start with this key begins, or has begun. */
  idOf(organizationId: string, idempotencyKey: string): string;
  /** A task's status view. Throws NOT_FOUND. */
  read(organizationId: string, taskId: string): Promise<TaskView & { about: TaskFacts }>;
  /** A task's record, read without asking its worker. Throws NOT_FOUND. */
  find(organizationId: string, taskId: string): Promise<TaskRecord>;
  /**
   * The status view with the events so far. Queries the worker at most once per 2 s and task.
   * Throws NOT_FOUND.
   */
  follow(
    organizationId: string,
    taskId: string,
  ): Promise<{ view: TaskView; events: TaskEvent[]; about: TaskFacts }>;
  /**
   * Waits until a task has ended and its callback is delivered, by a long poll. Rejects when the
   * signal aborts, and when Temporal does not answer.
   */
  closed(taskId: string, signal: AbortSignal): Promise<void>;
  /**
   * A page of the organization's tasks: running ones, then the latest finished. Throws
   * INVALID_INPUT for an invalid cursor.
   */
  list(request: TaskListRequest): Promise<TaskListPage>;
  /** A task's request and the pages written for it, read from its history. Throws NOT_FOUND. */
  request(organizationId: string, taskId: string): Promise<RecordedTaskRequest>;
  /**
   * Stops the task's work. Throws NOT_FOUND, and CONFLICT if the task is finished or publishing.
   */
  cancel(organizationId: string, taskId: string): Promise<void>;
  /**
   * Answers the task's open question. Does nothing if the task has this answer already. Throws
   * NOT_FOUND, CONFLICT if the task has no open question or another one, IDEMPOTENCY_MISMATCH.
   */
  answer(organizationId: string, taskId: string, givenAnswer: QuestionAnswer): Promise<void>;
  /** Deliveries of the task's callback: the task's own, then redeliveries. Throws NOT_FOUND. */
  deliveries(organizationId: string, taskId: string): Promise<TaskDeliveries>;
  /**
   * Delivers a finished task's callback again, as a separate workflow. Throws NOT_FOUND, CONFLICT.
   */
  redeliver(organizationId: string, taskId: string, requestedBy: Creator): Promise<void>;
}

/** Facts about a task that are shown beside its status view. */
export type TaskFacts = TaskIdentity &
  Pick<TaskRecord, 'siteId' | 'type' | 'createdAt' | 'baseTaskId'>;

/** What a request states about its task. The default title describes the work. */
export type RequestedTaskFacts = Pick<TaskIdentity, 'createdBy' | 'follows'> &
  Partial<Pick<TaskIdentity, 'title'>>;

/** One delivery of a callback. Redeliveries have a time and a person or key that requested them. */
export interface TaskDelivery extends CallbackDelivery {
  /** ISO 8601 */
  requestedAt?: string;
  requestedBy?: Creator;
}

/** The deliveries of a task's callback, with the address and content that all attempts share. */
export interface TaskDeliveries {
  callbackUrl: string;
  deliveries: TaskDelivery[];
  /** Absent while the task runs. */
  finished?: TaskOutcome;
}

export type LatestCallbackState = 'pending' | 'accepted' | 'failed';

export interface StartRequest {
  task: Omit<TaskInput, 'taskId' | 'createdAt' | 'title'>;
  about: RequestedTaskFacts;
  idempotencyKey?: string;
  /** The id of the new task, if its commit was made before it. Not with an `idempotencyKey`. */
  taskId?: string;
  /** Digest of the validated body, compared when an idempotency key repeats. */
  bodyHash: string;
  /**
   * The request's path. The error about a repeated key says whether the path or the body differs.
   */
  path: string;
}

export interface StartedTask {
  taskId: string;
  createdAt: string;
}

export interface TaskListRequest {
  organizationId: string;
  siteId?: string;
  status?: TaskStatus;
  type?: TaskType;
  /** Only tasks whose titles have all of these words. */
  title?: string;
  /** The id of the person or key that created the tasks. */
  createdBy?: string;
  /** The state of the callback's latest delivery. */
  callback?: LatestCallbackState;
  /** How many at most. */
  limit: number;
  /** `nextCursor` of the previous page, for the same filters. */
  cursor?: string;
}

export interface TaskListPage {
  tasks: ListedTask[];
  /** null on the last page. */
  nextCursor: string | null;
}

/** A task as described by its workflow's attributes and memo. */
export interface TaskRecord extends TaskIdentity {
  taskId: string;
  organizationId: string;
  siteId: string;
  type: TaskType;
  status: TaskStatus;
  /** Whether it was created with `publish` true. */
  publish: boolean;
  createdAt: string;
  /** The task whose result this task builds on. */
  baseTaskId?: string;
  hasCallback: boolean;
  /** Whether it waits for people, without a permit. */
  releasedPermit?: true;
  /** Whether it waits for an answer to a question. */
  asks?: true;
  /**
   * The delivery's state at the task's end; in a list, of the latest delivery. Absent without a
   * callback.
   */
  callbackState?: LatestCallbackState;
  /**
   * The decided outcome. A task that was terminated without one gets a failed outcome. Absent while
   * the task runs.
   */
  finished?: TaskOutcome;
}

/** A task in a list, without its outcome. */
export interface ListedTask extends Omit<TaskRecord, 'finished'> {
  /**
   * The slugs of pages that a completed task created, modified or deleted; absent if there are too
   * many.
   */
  slugs?: string[];
  /** ISO 8601 */
  finishedAt?: string;
}

export interface RecordedTaskRequest {
  input: TaskInput;
  /** Pages written before the task failed, by slug, and the digest of their template. */
  written?: { digest: string; pages: Record<string, WrittenPage> };
  /** What people answered, by the slugs of the pages that asked. */
  answered?: Record<string, AnsweredQuestion[]>;
}
