/**
 * The types and limits of tasks, which the API, the workflow and the activities share. Workflows
 * load this file, so it imports only types and files without dependencies. In the order in which a
 * task meets them:
 *
 * - `TaskInput`: the argument of the workflow. Its `work` is what to do, e.g. `GeneratePagesWork`.
 * - `WrittenPage`: one page as an agent wrote it: new texts by slot, and notes.
 * - `TaskResult`: the commit with the changes. Another task can build on it, as its base task.
 * - `TaskOutcome`: how the task ended: with its pages (`TaskOutput`), or with an error.
 * - `TaskView`: what clients read of it at any time.
 *
 * A slot is one text of a page, with an id such as `s12`. A note names something that a person
 * should check, e.g. `{ page: '/lisbon', kind: 'price', text: '/lisbon: …', slot: 's41' }`.
 */

import type {
  CheckedNote,
  HostWait,
  PageResponse,
  TaskQuestion,
  TaskProgress,
  TaskStatus,
} from './responses/tasks.ts';
import type { Creator } from './creator.ts';
import type { EventListeners } from './eventTypes.ts';
import type { PageFile } from './site.ts';
import { hasDroppableFact, hasTypeableFact } from './notes/noteFacts.ts';
import type { NoteKind } from './notes/noteKinds.ts';

export { droppableKinds, noteValues } from './notes/noteFacts.ts';
export { needsCheck, noteKinds, type NoteKind } from './notes/noteKinds.ts';
export type {
  HostWait,
  PageResponse as Page,
  TaskQuestion as Question,
  TaskPhase,
  TaskProgress,
  TaskStatus,
  TaskType,
} from './responses/tasks.ts';

/**
 * Why a task failed, by who can fix it: the client (`input`), the repository's owner (`site`), the
 * agent or its language model (`agent`), the operator (`service`). For metrics and operators;
 * clients read `errorMessage`.
 */
export const failureKinds = ['input', 'site', 'agent', 'service', 'cancelled'] as const;
export type FailureKind = (typeof failureKinds)[number];

/** One page to create (docs/contract.md, section 4.5). The created page has its `externalId`. */
export interface PageItem {
  targetPageSlug: string;
  context: string;
  externalId?: string;
  /**
   * What to do with facts of the template, such as prices, that the context does not mention.
   * `keep` carries them over with a note for each. `drop` removes them.
   */
  facts?: 'keep' | 'drop';
}

/** Something that a person should check. `output.warnings` has its `text` while it is open. */
export interface Note extends CheckedNote {
  /** The task that has the note, if it is not the task being read. */
  task?: string;
}

/** The error of a request that needs a finished task. */
export const TASK_RUNNING = 'The task is still running. Wait until it has finished';

/** The slots that a note names: one, several or none. */
export const noteSlots = ({ slot, slots }: Pick<Note, 'slot' | 'slots'>): string[] =>
  slots ?? (slot === undefined ? [] : [slot]);

/** The page whose texts a note is about. For a block that links to `page`, it is `linkFrom`. */
export const notedPage = ({ page, linkFrom }: Pick<Note, 'page' | 'linkFrom'>) => linkFrom ?? page;

export const isDroppable = (note: Omit<Note, 'text'>): boolean =>
  note.page !== undefined && hasDroppableFact(note);

export const isTypeable = (note: Omit<Note, 'text'>): boolean =>
  note.page !== undefined && hasTypeableFact(note);

/** Whether a note is about values of the context that people can give a place on the page. */
export const isPlaceable = ({ page, keys = [] }: Pick<Note, 'page' | 'keys'>): boolean =>
  page !== undefined && keys.length > 0;

/** Creates a note about a page. Its text begins with the page's slug. */
export function createPageNote(
  page: string,
  kind: NoteKind,
  sentence: string,
  details: Pick<Note, 'linkFrom' | 'slot' | 'slots' | 'value' | 'values' | 'keys'> = {},
): Note {
  return { page, kind, text: `${page}: ${sentence}`, ...details };
}

/**
 * The content of one generated page: new texts by slot id, the number of members of each group (a
 * group: blocks that repeat, such as cards), ids of blocks to remove, and notes.
 */
export interface WrittenPage {
  notes?: Note[];
  texts: Record<string, string>;
  groups?: Record<string, number | { members: number; keep: number[] }>;
  removed?: string[];
  /** New targets of links, by their ids: paths from the site's root, or full addresses. */
  links?: Record<string, string>;
  /** BCP 47 tag of the page's language. Absent: the template's language. */
  lang?: string;
  /**
   * ISO 3166-1 code of the country whose telephone numbers the page shows without their country
   * code.
   */
  country?: string;
  contacts?: ContactLinkTargets;
  /** Tokens that a language model used for it. */
  usage?: TokenUsage;
}

/** Targets for the page's mail and telephone links that show neither an address nor a number. */
export interface ContactLinkTargets {
  email?: string;
  telephone?: string;
}

/** An unusable page that a language model wrote. The model gets it back once, to correct it. */
export interface RejectedPage {
  /** The model's answer, unchanged. */
  answer: unknown;
  /**
   * Sentences about what is wrong. The model gets them; if it fails again, they are in the task's
   * error.
   */
  problems: string[];
  usage?: TokenUsage;
}

/**
 * A task's result: its commit, the commit that it began from, and the task whose hidden ref (a git
 * ref outside of the branches) keeps it.
 */
export interface TaskResult {
  taskId: string;
  base: string;
  commit: string;
  /**
   * The production commit from which the first task of the chain of base tasks began. Equal to
   * `base` if the task has no base task.
   */
  root: string;
}

/** Creates pages from a template: one page for each item. */
export interface GeneratePagesWork {
  type: 'generate_pages';
  templatePageSlug: string;
  items: PageItem[];
  /**
   * Slug of the page that links to the template. Its block for the template is repeated for each
   * new page.
   */
  linkFrom?: string;
  /**
   * Pages that a failed task had already written, by slug. A retry reuses them if the template's
   * digest is the same.
   */
  written?: { digest: string; pages: Record<string, WrittenPage> };
  /** For a retry: the answers that people gave to the failed task, by the slugs of its pages. */
  answered?: Record<string, AnsweredQuestion[]>;
}

/**
 * Publishes the result of another task. `externalIds`: by slug of that task's pages. `ownPages`:
 * slugs of the pages that that task created or modified, which can be edited under its id. `notes`:
 * the notes on the result and on the results of its base tasks.
 */
export interface PublishWork {
  type: 'publish';
  /** Name of the deployment: the title of the published task. */
  name: string;
  result: TaskResult;
  externalIds: Record<string, string>;
  ownPages: string[];
  notes: Note[];
}

/** A note whose facts are to be removed. */
export interface RemovableNote extends Note {
  /** See noteIds.ts. */
  id: string;
}

/**
 * Puts an earlier deployment live again, as a new commit. `at`: when that deployment went live, ISO
 * 8601.
 */
export interface RestoreWork {
  type: 'restore';
  commit: string;
  at: string;
}

/**
 * Shows what a person has changed on a page of the site by hand. The editor has made the commit on
 * the task's hidden ref before the task begins.
 */
export interface EditWork {
  type: 'edit';
  page: PageFile;
  /** The commit of the production branch on which the edit is. */
  base: string;
  commit: string;
}

/** The work of a task: the fields that differ between task types. */
export type TaskWork =
  | { type: 'prompt'; prompt: string }
  | GeneratePagesWork
  | PublishWork
  | RestoreWork
  | EditWork;

/**
 * Limits for a task that a language model does. Reaching one fails the task; the error names the
 * limit.
 */
export interface UsageLimits {
  /** Maximum number of model calls in a prompt task. */
  turns: number;
  /** Maximum number of tokens over all calls, input and output together. */
  tokens: number;
  /** Maximum working time in minutes. */
  minutes: number;
  /** Maximum number of pages that a prompt task may create or modify. */
  pagesChanged: number;
  /** Maximum number of pages that a prompt task may delete. The home page can't be deleted. */
  pagesDeleted: number;
}

/**
 * Milliseconds between the heartbeats of activities (`steps`) and of language model calls
 * (`models`). A worker counts as dead after three times as long without one.
 */
export interface HeartbeatIntervals {
  steps: number;
  models: number;
}

/** The argument of `taskWorkflow`. */
export interface TaskInput {
  taskId: string;
  organizationId: string;
  siteId: string;
  title: string;
  /** Shown in the summaries of the Temporal UI. */
  siteName?: string;
  /** ISO 8601 with milliseconds, UTC. The task's commit has the same date. */
  createdAt: string;
  publish: boolean;
  /**
   * With `publish`: whether notes keep the result from going live. Absent: it goes live with its
   * notes.
   */
  onWarnings?: 'hold';
  callbackUrl?: string;
  /**
   * The result of the task named by `baseTaskId`, to build on. Absent: build on the production
   * branch.
   */
  baseTask?: TaskResult;
  /**
   * Notes on that result and on those of its base tasks. They go live with this task if it
   * publishes.
   */
  baseTaskNotes?: Note[];
  /** The X-Request-Id of the request that created the task, for logs. */
  requestId?: string;
  /** The language model to use, as `<provider>/<model>`. Absent: the embedded rules. */
  model?: string;
  /**
   * Id of the preferred worker: it has a clone of the site, and gets the activities that need one
   * first. Absent: any worker gets them.
   */
  preferredWorker?: string;
  /**
   * Heartbeat intervals of the server that runs the task. Absent: an activity without a heartbeat
   * for 10 s counts as dead.
   */
  heartbeats?: HeartbeatIntervals;
  /** Who listened to its events when it was created. Absent: nobody. */
  listeners?: EventListeners;
  /** Whether its language model may ask people questions. Absent: it may not. */
  ask?: 'allowed';
  /** Set when the task is created. Absent: 60 model calls for a prompt task, and no other limit. */
  budget?: UsageLimits;
  work: TaskWork;
}

/** The fields by which people tell tasks apart. */
export interface TaskIdentity {
  title: string;
  createdBy: Creator;
  /** The task that this one publishes, retries, or builds on. */
  follows?: string;
  /** Slug of the page that the new pages are modelled on. */
  template?: string;
  /** For a restore: when the restored deployment went live, ISO 8601. */
  restores?: string;
}

/** A call of a language model that is about to begin. */
export interface MeteredCall {
  organizationId: string;
  taskId: string;
  /** `<provider>/<model>` */
  model: string;
  /** The input, estimated from the request's length. */
  estimatedTokens: number;
}

/** Tokens used by one or several calls of a language model. */
export interface TokenUsage {
  /** Input tokens, including cached ones. */
  inputTokens: number;
  /** Input tokens that the provider had in its cache. */
  cachedInputTokens: number;
  /** Output tokens, including reasoning. */
  outputTokens: number;
}

/** What one call of a language model used. */
export interface ModelCallUsage extends TokenUsage {
  /** Whether some of it is estimated, because the provider did not report it. */
  isEstimated?: boolean;
}

/** Tokens and calls that a language model used for a task. `turns` is the number of calls. */
export type TaskUsage = TokenUsage & { turns: number; model: string };

/**
 * The task output (docs/contract.md, section 4.3). `notes` is absent if there are none;
 * `output.warnings` has their texts. `summary` and `usage` are set only if a language model did the
 * task.
 */
export interface TaskOutput {
  notes?: Note[];
  pagesCreated: PageResponse[];
  pagesModified: PageResponse[];
  pagesDeleted: PageResponse[];
  /** The model's description of what it did: plain text. */
  summary?: string;
  usage?: TaskUsage;
  /** Where the site's team merges the changes, if it publishes by pull requests. */
  pullRequestUrl?: string;
}

/** Slugs of all pages that a task created, modified or deleted. */
export const changedPageSlugs = ({ pagesCreated, pagesModified, pagesDeleted }: TaskOutput) =>
  [...pagesCreated, ...pagesModified, ...pagesDeleted].map(({ slug }) => slug);

/** What a task waits for outside of this service: a host or a forge, or an answer. */
export type ExternalWait = HostWait | TaskQuestion;

/** A question that a language model asks people. */
export interface ModelQuestion {
  /** Plain text, as the options. */
  question: string;
  /** Answers to choose from. Any other text is an answer too. */
  options: string[];
}

/** A question with its answer; null: nobody answered in time. */
export interface AnsweredQuestion extends ModelQuestion {
  answer: string | null;
}

/** An answer to a question of a running task. */
export interface QuestionAnswer {
  answer: string;
  /** Absent: the current question of the task. */
  questionId?: string;
  /** Digest of the request's Idempotency-Key. */
  key?: string;
}

/** The question of a running task, if it asks one. */
export function currentQuestion(view: TaskView): TaskQuestion | undefined {
  const waitingFor = view.status === 'running' ? view.progress?.waitingFor : undefined;
  return waitingFor && isQuestion(waitingFor) ? waitingFor : undefined;
}

/** Whether a task waits for an answer, and not for a host or a forge. */
export const isQuestion = (waitingFor: ExternalWait): waitingFor is TaskQuestion =>
  'question' in waitingFor;

/** An event of a task. `id` counts from 1, in order. */
export type TaskEvent = { id: number; /** ISO 8601 */ at: string } & (
  | { type: 'status'; status: TaskStatus }
  | { type: 'progress'; progress: TaskProgress }
  /** A page whose preview is ready. */
  | { type: 'page'; page: Pick<PageResponse, 'slug' | 'previewUrl' | 'editUrl'> }
  | { type: 'question'; question: Omit<TaskQuestion, 'since'> }
  /** null: nobody answered in time. */
  | { type: 'answer'; questionId: string; answer: string | null }
);

/** The final status of a task, from the workflow's memo. It never changes. */
export type TaskOutcome =
  | {
      status: 'completed';
      output: TaskOutput;
      finishedAt: string;
      /** Absent if nothing changed. */
      result?: TaskResult;
      /** Whether this task put the result live. */
      published?: boolean;
    }
  | {
      status: 'failed';
      errorMessage: string;
      /** Set only if a language model was called. */
      usage?: TaskUsage;
      finishedAt: string;
    };

/** The status view (docs/contract.md, section 4.2). */
export type TaskView =
  | { taskId: string; status: 'running'; progress?: TaskProgress }
  | { taskId: string; status: 'completed'; output: TaskOutput }
  | { taskId: string; status: 'failed'; errorMessage: string; usage?: TaskUsage };

/** The notes of a task; none while it runs, and none if it failed. */
export const outcomeNotes = (outcome: TaskOutcome | TaskView | null | undefined): Note[] =>
  outcome?.status === 'completed' ? (outcome.output.notes ?? []) : [];

/**
 * Makes the status view of a task.
 * @param outcome absent while the task runs. Then the view has its `progress`.
 */
export function createTaskView(
  taskId: string,
  outcome?: TaskOutcome,
  progress?: TaskProgress,
): TaskView {
  if (outcome?.status === 'completed')
    return { taskId, status: outcome.status, output: outcome.output };
  if (outcome) {
    const { status, errorMessage, usage } = outcome;
    return { taskId, status, errorMessage, ...(usage && { usage }) };
  }
  return { taskId, status: 'running', ...(progress && { progress }) };
}

/** Milliseconds that an activity may work. The time in which it waits does not count. */
export const WORK_LIMIT_MS = 5 * 60_000;

/**
 * Limits of the contract (docs/contract.md, section 9), and of this service. Sizes are in
 * characters unless the name says bytes.
 */
export const limits = {
  itemsPerTask: 10,
  pagesPerTask: 500,
  promptLength: 20_000,
  contextLength: 100_000,
  contextsBytes: 1_000_000,
  slugLength: 200,
  /** Of a link or an image that a task sets. */
  urlLength: 2_000,
  /** Of the URL of a callback. */
  callbackUrlLength: 2_048,
  bodyBytes: 2_000_000,
  pageBytes: 2_000_000,
  taskBytes: 20_000_000,
  pageSlots: 3_000,
  pageTextsBytes: 128 * 1024,
  turnsBytes: 512 * 1024,
  /** Bytes of what an activity returns. The end of the task adds URLs to them, up to 2 MiB. */
  resultBytes: 1_500_000,
  questionsPerPrompt: 3,
  questionsPerPage: 2,
  /** Most questions of all pages of a task. Pages with the same question ask it once. */
  questionsForPages: 10,
  questionLength: 1_000,
  optionLength: 200,
  optionsPerQuestion: 6,
  answerLength: 4_000,
  siteBytes: 1024 ** 3,
  siteFiles: 50_000,
  /** Size of a file that is read or served in one piece. */
  fileBytes: 100 * 1024 ** 2,
  /** Maximum number of files and folders. */
  siteEntries: 150_000,
  /** Maximum depth of folders above a file. */
  siteDepth: 64,
  pathBytes: 4_000,
  /** Total length of all paths. */
  sitePathsBytes: 16_000_000,
  sitemapBytes: 20_000_000,
} as const;

/**
 * `bg-` and 22 characters. They must be valid in a host name, because the preview's host name
 * contains the id.
 */
export const isTaskId = (text: string) => /^bg-[a-z0-9]{22}$/.test(text);

/** Names of workflows and of their messages (workflows/taskMessages.ts says what each does). */
export const TASK_WORKFLOW = 'taskWorkflow';
export const REDELIVER_WORKFLOW = 'redeliverWorkflow';
export const CLEAN_UP_WORKFLOW = 'cleanUpWorkflow';
export const TURNS_QUERY = 'turns';
export const CONTEXTS_QUERY = 'contexts';
export const PAGES_QUERY = 'pages';
export const FORGE_EVENT_SIGNAL = 'forgeEvent';
export const ANSWER_UPDATE = 'answer';

/** The task queue of the workflows. */
export const TASK_QUEUE = 'agent-tasks';
/** The task queues of activities, by the resource that an activity needs. */
export const activityQueues = {
  sites: 'agent-tasks-sites',
  rules: 'agent-tasks-rules',
  /** For calls of language models, whose number at a time and per minute is limited. */
  languageModels: 'agent-tasks-language-models',
  callbacks: 'agent-tasks-callbacks',
  /** For requests to external hosts, each of which may hang. */
  deploymentChecks: 'agent-tasks-deployment-checks',
} as const;

/**
 * The task queue of a single worker, for activities on the sites of which it has a clone.
 * @param buildId the version of the worker's code, so that no other version takes these activities.
 *   Absent for workers without versions.
 */
export const workerQueue = (workerId: string, buildId?: string) =>
  ['agent-tasks-worker', workerId, ...(buildId === undefined ? [] : [buildId.slice(0, 8)])].join(
    '-',
  );
