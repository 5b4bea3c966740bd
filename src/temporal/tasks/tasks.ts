import type { CallbackDelivery } from '../../contract/callback.ts';
import type { Maker } from '../../contract/maker.ts';
import type {
  FinishedView,
  TaskAbout,
  TaskEvent,
  TaskInput,
  TaskStatus,
  TaskType,
  TaskView,
  WrittenPage,
} from '../../contract/task.ts';

/**
 * The API's calls to Temporal. For another organization's task they all throw NOT_FOUND, as for an
 * unknown one.
 */
export interface Tasks {
  /**
   * Starts the task's workflow. An `idempotencyKey` makes the taskId depend on organization and key
   * only: a repeated start with the same `bodyHash` returns the first task's ids again. Throws
   * START_FAILED within 5 s when Temporal can't be reached, IDEMPOTENCY_MISMATCH for another body
   * or path, TOO_MANY_IN_FLIGHT at the organization's or the site's limit of tasks in flight (a
   * repeated start still gets its answer).
   */
  start(request: StartRequest): Promise<StartedTask>;
  /**
   * What an equal start began under an `idempotencyKey`; null for none. Throws
   * IDEMPOTENCY_MISMATCH, UNAVAILABLE.
   */
  startedBefore(
    request: Required<Pick<StartRequest, 'idempotencyKey' | 'bodyHash' | 'path'>> & {
      organizationId: string;
    },
  ): Promise<StartedTask | null>;
  /** The status view. Throws NOT_FOUND. */
  read(organizationId: string, taskId: string): Promise<TaskView & { about: ToldAbout }>;
  /** A task's record, read without asking its worker. Throws NOT_FOUND. */
  find(organizationId: string, taskId: string): Promise<TaskRecord>;
  /**
   * The status view with the events so far. Asks the worker at most once per 2 s and task. Throws
   * NOT_FOUND.
   */
  follow(
    organizationId: string,
    taskId: string,
  ): Promise<{ view: TaskView; events: TaskEvent[]; about: ToldAbout }>;
  /**
   * A page of the organization's tasks: running, then the latest finished. Throws INVALID_INPUT for
   * a wrong cursor.
   */
  list(request: ListRequest): Promise<TaskList>;
  /** A task's request and the pages that it had written, from its history. Throws NOT_FOUND. */
  request(organizationId: string, taskId: string): Promise<TaskRequest>;
  /** Stops the task's work. Throws NOT_FOUND, and CONFLICT where it is finished or publishing. */
  cancel(organizationId: string, taskId: string): Promise<void>;
  /**
   * Deliveries of the task's callback: the first one, then those asked for later. Throws NOT_FOUND.
   */
  deliveries(organizationId: string, taskId: string): Promise<TaskDeliveries>;
  /**
   * Delivers a finished task's callback again, as a separate workflow. Throws NOT_FOUND, CONFLICT.
   */
  redeliver(organizationId: string, taskId: string, requestedBy: Maker): Promise<void>;
}

/** What is shown of one task beside its status view. */
export type ToldAbout = TaskAbout & Pick<TaskRecord, 'siteId' | 'type' | 'createdAt' | 'onto'>;

/** What a request says about its task. The default title describes the work. */
export type AskedAbout = Pick<TaskAbout, 'createdBy' | 'follows' | 'group'> &
  Partial<Pick<TaskAbout, 'title'>>;

/** One delivery of a callback. Those after the first were asked for, by somebody. */
export interface TaskDelivery extends CallbackDelivery {
  /** ISO 8601 */
  requestedAt?: string;
  requestedBy?: Maker;
}

/**
 * The deliveries of a task's callback, with the address and content that all attempts have in
 * common.
 */
export interface TaskDeliveries {
  callbackUrl: string;
  deliveries: TaskDelivery[];
  /** Absent while the task runs. */
  finished?: FinishedView;
}

export type CallbackState = 'pending' | 'accepted' | 'failed';

export interface StartRequest {
  task: Omit<TaskInput, 'taskId' | 'createdAt' | 'title'>;
  about: AskedAbout;
  idempotencyKey?: string;
  /** Digest of the validated body, compared for the same idempotency key. */
  bodyHash: string;
  /** The request's path, for the error about a repeated key: another path, or another body. */
  path: string;
}

export interface StartedTask {
  taskId: string;
  createdAt: string;
}

export interface ListRequest {
  organizationId: string;
  siteId?: string;
  status?: TaskStatus;
  type?: TaskType;
  /** Tasks whose titles have all of these words. */
  title?: string;
  /** The id of the person or of the key that made them. */
  createdBy?: string;
  /** The state of the latest delivery. */
  callback?: CallbackState;
  /** What tasks that were made from one table have in common. */
  group?: string;
  /** How many at most. */
  limit: number;
  /** `nextCursor` of the previous page, for the same filters. */
  cursor?: string;
}

export interface TaskList {
  tasks: TaskSummary[];
  /** null: there are no more. */
  nextCursor: string | null;
}

/** A task as its workflow's attributes and memo describe it. */
export interface TaskRecord extends TaskAbout {
  taskId: string;
  organizationId: string;
  siteId: string;
  type: TaskType;
  status: TaskStatus;
  /** Whether it was created with `publish` true. */
  publish: boolean;
  createdAt: string;
  /** The task whose result it works on top of. */
  onto?: string;
  hasCallback: boolean;
  /**
   * The state of its delivery at the task's end, in a list of the latest one; absent where there is
   * no callback.
   */
  callbackState?: CallbackState;
  /**
   * The decided end; for a task that ended without one (terminated), a failed one. Absent while it
   * runs.
   */
  finished?: FinishedView;
}

/** A task of a list. Its end is not read. */
export interface TaskSummary extends Omit<TaskRecord, 'finished'> {
  /**
   * The pages that it created, modified or deleted, once it is completed; absent where there are
   * too many to tell.
   */
  slugs?: string[];
  /** ISO 8601 */
  finishedAt?: string;
}

export interface TaskRequest {
  input: TaskInput;
  /**
   * Pages that were written before the task failed, by slug, and the digest of the template that
   * they are for.
   */
  written?: { digest: string; pages: Record<string, WrittenPage> };
}
