/**
 * The task types that API, workflow and activities share. Imports types only, so that the workflow
 * bundle can hold it.
 */

import type { Maker } from './maker.ts';

export type TaskType = 'prompt' | 'generate_pages' | 'publish' | 'restore' | 'drop';
export type TaskStatus = 'running' | 'completed' | 'failed';

/**
 * Why a task failed, by who can do something about it: the request, the customer's repository and
 * its pages, the agent or its language model, this service. For operators: clients read the
 * errorMessage.
 */
export const failureKinds = ['input', 'site', 'agent', 'service', 'cancelled'] as const;
export type FailureKind = (typeof failureKinds)[number];

/**
 * One new page asked for (specification: Generate-pages item). `externalId` comes back on its page.
 */
export interface PageItem {
  targetPageSlug: string;
  context: string;
  externalId?: string;
  /**
   * What becomes of facts of the template that the context says nothing of: they stay and are
   * named, or go.
   */
  facts?: 'keep' | 'drop';
}

const factKinds = [
  'quote',
  'rating',
  'reviews',
  'case-study',
  'map',
  'price',
  'date',
  'hours',
  'address',
  'telephone',
  'email',
  'coordinates',
] as const;
/** What notes are about, for programs. */
export const noteKinds = [
  // what of the template a new page still has
  ...factKinds,
  'title',
  'headline',
  // parts of a page
  'link',
  'list',
  'structured-data',
  'copied',
  // what became of the request
  'unused',
  'junk',
  'invented',
  'as-asked',
  'doubled',
  'left',
  'changed',
  'removed',
  // what a person should look at before it goes live, whoever did it
  'host',
  'contact',
  'deleted',
  'moved',
  // what became of the result
  'held',
  'unpublished',
  'deployment',
  /** How many more notes there are. */
  'more',
] as const;
export type NoteKind = (typeof noteKinds)[number];

/** Something that a person should check, as an object. Its `text` stands in `output.warnings`. */
export interface Note {
  /** Slug of the page; absent where it is about the whole task. */
  page?: string;
  /** What it is about, for programs. */
  kind: NoteKind;
  /** Id of the slot on the page, where it is about one. */
  slot?: string;
  /** Ids of the slots, where it is about several. */
  slots?: string[];
  /** The sentence, as in `output.warnings`. */
  text: string;
  /** The value it is about: a price, a quote, a text of the context. */
  value?: string;
  /** The values one by one, where there are several. */
  values?: string[];
  /** The task that says so, where that is another one than this note is read at. */
  task?: string;
}

export const valuesOf = ({ value, values }: Pick<Note, 'value' | 'values'>): string[] =>
  values ?? (value === undefined ? [] : [value]);
export const slotsOf = ({ slot, slots }: Pick<Note, 'slot' | 'slots'>): string[] =>
  slots ?? (slot === undefined ? [] : [slot]);

/** Kinds of notes on what a page says: it can be taken out. */
export const droppableKinds = [...factKinds, 'invented'] as const satisfies NoteKind[];
export const isDroppable = ({ page, kind }: Pick<Note, 'page' | 'kind'>): boolean =>
  page !== undefined && (droppableKinds as readonly NoteKind[]).includes(kind);

/** A note about a page: its sentence begins with the page's slug. */
export function noteOn(
  page: string,
  kind: NoteKind,
  says: string,
  more: Pick<Note, 'slot' | 'slots' | 'value' | 'values'> = {},
): Note {
  return { page, kind, text: `${page}: ${says}`, ...more };
}

/**
 * One generated page: texts by slot id, how many members its repeated blocks get, ids of blocks
 * that go, and notes.
 */
export interface WrittenPage {
  notes?: Note[];
  texts: Record<string, string>;
  groups?: Record<string, number>;
  removed?: string[];
  /** BCP 47 tag of the page's language; absent: the template's. */
  lang?: string;
  /** ISO 3166-1 code of the country whose telephone numbers the page shows without its code. */
  country?: string;
  contacts?: Contacts;
  /** What a language model used for it. */
  usage?: Usage;
}

/** Whom links of a new page write to and dial that show neither address nor number. */
export interface Contacts {
  email?: string;
  telephone?: string;
}

/**
 * What a language model wrote for a page that can't be taken as it is. It is given back once, to be
 * mended.
 */
export interface RejectedPage {
  /** The model's answer, as it came. */
  answer: unknown;
  /**
   * Sentences that say what is wrong with it: for the model, and for the task's error where mending
   * fails too.
   */
  problems: string[];
  usage?: Usage;
}

/**
 * A task's result: its commit, the commit that it began from, and the task whose hidden ref has the
 * commit.
 */
export interface TaskResult {
  taskId: string;
  base: string;
  commit: string;
  /**
   * The production branch's commit from which the first of the tasks below began. `base` if there
   * are none below.
   */
  root: string;
}

export interface GeneratePagesWork {
  type: 'generate_pages';
  templatePageSlug: string;
  items: PageItem[];
  /** The page whose block for the template is repeated for each new page. */
  linkFrom?: string;
  /**
   * Pages that a failed task had written, by slug: a retry reuses them if the template still has
   * the same digest.
   */
  written?: { digest: string; pages: Record<string, WrittenPage> };
}

/**
 * Puts the result of another task live. `externalIds`: those of its pages, by slug. `ownPages`: the
 * slugs that it created or modified itself; only these can be edited under it. `notes`: those on
 * the result, and on the results below it.
 */
export interface PublishWork {
  type: 'publish';
  /** What the deployment is called: the title of the task whose result goes live. */
  name: string;
  result: TaskResult;
  externalIds: Record<string, string>;
  ownPages: string[];
  notes: Note[];
}

/** A note whose facts are to be taken out. */
export interface DropNote extends Note {
  /** See noteIds.ts. */
  id: string;
  /** Only these of its values. */
  only?: string[];
}

/**
 * Takes what notes are about out of the result that they are on, without a model. The task's other
 * notes, and those below it, are `ontoNotes`.
 */
export interface DropWork {
  type: 'drop';
  pages: { slug: string; notes: DropNote[] }[];
  externalIds: Record<string, string>;
  /** Who asks for it. */
  by?: Maker;
}

/**
 * Puts an earlier deployment of the site live again, as a new commit. `at`: when that went live,
 * ISO 8601.
 */
export interface RestoreWork {
  type: 'restore';
  commit: string;
  at: string;
}

/** The work to do: the part of a request that differs between the task types. */
export type TaskWork =
  | { type: 'prompt'; prompt: string }
  | GeneratePagesWork
  | PublishWork
  | RestoreWork
  | DropWork;

/**
 * What a task that a language model does may use up. Reaching one of them fails the task, and the
 * error says which.
 */
export interface Budget {
  /** Calls of the model in a prompt task. */
  turns: number;
  /** Tokens of all of the task's calls, read and written. */
  tokens: number;
  /** Minutes of working time. */
  minutes: number;
  /** Pages that a prompt task may create or modify. */
  pagesChanged: number;
  /** Pages that a prompt task may delete. The home page is never deleted. */
  pagesDeleted: number;
}

/**
 * Milliseconds between two heartbeats of steps, and of calls of language models. A worker that
 * sends none for three times as long counts as dead.
 */
export interface Heartbeats {
  steps: number;
  models: number;
}

/** The one argument of `taskWorkflow`. */
export interface TaskInput {
  taskId: string;
  organizationId: string;
  siteId: string;
  title: string;
  /** For the summaries in the Temporal UI. */
  siteName?: string;
  /** ISO 8601, milliseconds, UTC: also the date of the task's commit. */
  createdAt: string;
  publish: boolean;
  /**
   * Whether a task with `publish` holds its result back where there are notes. Absent: it publishes
   * all the same.
   */
  onWarnings?: 'hold';
  callbackUrl?: string;
  /**
   * The result of the task named by `baseTaskId`, to work on top of; without it on the production
   * branch.
   */
  onto?: TaskResult;
  /** Notes on that result, and on those below it, which go live with a task that publishes. */
  ontoNotes?: Note[];
  /** The X-Request-Id of the request that created the task, for the logs. */
  requestId?: string;
  /** The language model that does the work, as `<provider>/<model>`. Absent: the embedded rules. */
  model?: string;
  /**
   * The worker that has the site already, for the steps that need that. Absent: any worker will do.
   */
  home?: string;
  /** Those of the server that runs the task. Absent: a step without one for 10 s counts as dead. */
  heartbeats?: Heartbeats;
  /** Decided when the task is created. Absent: a prompt task has 60 turns, and no other limit. */
  budget?: Budget;
  work: TaskWork;
}

/** By what people tell tasks apart. */
export interface TaskAbout {
  title: string;
  createdBy: Maker;
  /** The task that this one publishes, tries again, or works on top of. */
  follows?: string;
  /** The page that its new pages are made like. */
  template?: string;
  /** When the version of the site that it puts live again went live. ISO 8601. */
  restores?: string;
  /** What tasks that were made from one table have in common: a UUID. */
  group?: string;
}

/** A page in an answer (specification: Page object). */
export interface Page {
  slug: string;
  previewUrl: string | null;
  editUrl: string | null;
  publishedUrl: string | null;
  externalId?: string;
}

/** Tokens of one call of a language model, or of several. */
export interface Usage {
  /** Tokens that the model read, the cached ones included. */
  inputTokens: number;
  /** Those of them that the provider had in its cache. */
  cachedInputTokens: number;
  /** Tokens that the model wrote, its reasoning included. */
  outputTokens: number;
}

/** What a language model used for a task. `turns` counts its calls. */
export type TaskUsage = Usage & { turns: number; model: string };

/**
 * Specification: Task output. Notes stand only when there are any; `output.warnings` is made of
 * them. `summary` and `usage` are there for tasks that a language model did.
 */
export interface TaskOutput {
  notes?: Note[];
  pagesCreated: Page[];
  pagesModified: Page[];
  pagesDeleted: Page[];
  /** What was done, in the model's words: plain text. */
  summary?: string;
  usage?: TaskUsage;
}

/** The slugs of all pages that a task created, modified or deleted. */
export const slugsOf = ({ pagesCreated, pagesModified, pagesDeleted }: TaskOutput) =>
  [...pagesCreated, ...pagesModified, ...pagesDeleted].map(({ slug }) => slug);

export type TaskPhase =
  | 'reading'
  | 'working'
  | 'committing'
  | 'deploying'
  | 'publishing'
  | 'finishing';

/**
 * How far a running task is. `pages` is there for generate_pages, `steps` (finished model turns)
 * for prompt tasks.
 */
export interface TaskProgress {
  phase: TaskPhase;
  pages?: { done: number; total: number };
  steps?: number;
}

/** One event of a running task, in order: `id` counts from 1. */
export type TaskEvent = { id: number; /** ISO 8601 */ at: string } & (
  | { type: 'status'; status: TaskStatus }
  | { type: 'progress'; progress: TaskProgress }
  /** A page whose preview can be opened. */
  | { type: 'page'; page: Pick<Page, 'slug' | 'previewUrl' | 'editUrl'> }
);

/** The decided end of a task, kept in the workflow's memo: it never changes. */
export type FinishedView =
  | {
      status: 'completed';
      output: TaskOutput;
      finishedAt: string;
      /** None where nothing changed. */
      result?: TaskResult;
      /** Whether the result went live with this task. */
      published?: boolean;
    }
  | { status: 'failed'; errorMessage: string; finishedAt: string };

/** The status view (specification: Task (status view)). */
export type TaskView =
  | { taskId: string; status: 'running'; progress?: TaskProgress }
  | { taskId: string; status: 'completed'; output: TaskOutput }
  | { taskId: string; status: 'failed'; errorMessage: string };

/** The status view of a task: of its decided end, or of one that runs. */
export function viewOf(taskId: string, finished?: FinishedView, progress?: TaskProgress): TaskView {
  if (finished?.status === 'completed')
    return { taskId, status: finished.status, output: finished.output };
  if (finished) return { taskId, status: finished.status, errorMessage: finished.errorMessage };
  return { taskId, status: 'running', ...(progress && { progress }) };
}

/**
 * Limits of the specification, and of this service. Sizes are in characters unless the name says
 * bytes.
 */
export const limits = {
  itemsPerTask: 10,
  pagesPerTask: 500,
  promptLength: 20_000,
  contextLength: 100_000,
  contextsBytes: 1_000_000,
  slugLength: 200,
  urlLength: 2_000,
  bodyBytes: 2_000_000,
  pageBytes: 2_000_000,
  taskBytes: 20_000_000,
  pageSlots: 3_000,
  pageTextsBytes: 128 * 1024,
  turnsBytes: 512 * 1024,
  siteBytes: 1024 ** 3,
  siteFiles: 50_000,
  /** Of one file that is read or served whole. */
  fileBytes: 100 * 1024 ** 2,
  /** Files and folders. */
  siteEntries: 150_000,
  /** Folders that a file lies in. */
  siteDepth: 64,
  pathBytes: 4_000,
  /** Paths of all files and folders together. */
  sitePathsBytes: 16_000_000,
  sitemapBytes: 20_000_000,
} as const;

/** `bg-` and 22 characters that a host name can hold, since the id names the preview's host. */
export const isTaskId = (text: string) => /^bg-[a-z0-9]{22}$/.test(text);

export const TASK_WORKFLOW = 'taskWorkflow';
export const REDELIVER_WORKFLOW = 'redeliverWorkflow';
export const CLEAN_UP_WORKFLOW = 'cleanUpWorkflow';
export const TURNS_QUERY = 'turns';
export const CONTEXTS_QUERY = 'contexts';

/** The queue of the workflows. */
export const TASK_QUEUE = 'agent-tasks';
/** The queues of a task's steps, by what they wait for. */
export const stepQueues = {
  sites: 'agent-tasks-sites',
  models: 'agent-tasks-models',
  /** Calls of language models, which take turns: only so many are made at once and in a minute. */
  languageModels: 'agent-tasks-language-models',
  callbacks: 'agent-tasks-callbacks',
} as const;

/**
 * The queue of one worker, for steps on sites that it has.
 * @param buildId of its code, so that no other code runs them; absent for workers without versions
 */
export const homeQueue = (home: string, buildId?: string) =>
  ['agent-tasks-home', home, ...(buildId === undefined ? [] : [buildId.slice(0, 8)])].join('-');
