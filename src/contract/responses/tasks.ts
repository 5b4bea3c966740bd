import { type Static, type TObject, type TProperties, Type } from 'typebox';
import { noteKinds, noteStates } from '../notes/noteKinds.ts';
import * as t from './schemas.ts';

type StaticFields<Properties extends TProperties> = Static<TObject<Properties>>;

/** See docs/contract.md, section 4. */
export const TaskId = t.withName('TaskId', Type.String({ pattern: '^bg-[a-z0-9]{22}$' }));

export const taskTypes = ['prompt', 'generate_pages', 'publish', 'restore', 'edit'] as const;
export type TaskType = (typeof taskTypes)[number];
const taskStatuses = ['running', 'completed', 'failed'] as const;
export type TaskStatus = (typeof taskStatuses)[number];

export const PersonCreator = t.object('PersonMaker', {
  userId: t.uuid(),
  name: t.orNull(t.text(undefined, 'Ada')),
});

export const KeyCreator = t.object('KeyMaker', {
  keyId: t.text(undefined, '7d1f1c1e-4f5b-4b39-9d0b-6a1f6f3a2b11'),
  name: t.orNull(t.text(undefined, 'Nightly import')),
});

export const NamedCreator = t.eitherOf(
  'Maker',
  [PersonCreator, KeyCreator],
  'The person or API key that created it. `name` is null if the person or key has no name or no longer exists.',
);
export type NamedCreator = Static<typeof NamedCreator>;

export const StartedTaskResponse = t.object('TaskCreated', {
  taskId: TaskId,
  status: t.constant('running'),
  createdAt: t.time(),
});
export type StartedTaskResponse = Static<typeof StartedTaskResponse>;

export const TaskState = t.object('TaskStatus', { taskId: TaskId, status: t.constant('running') });

export const PageProgress = t.object('PageProgress', {
  done: t.count(),
  total: t.integer(undefined, { minimum: 1 }),
});

export const HostWait = t.object(
  'HostWait',
  {
    what: t.text(
      'What the task waits for, in words, such as the build of a host or the merge of a pull request.',
    ),
    url: t.url('The page on which you can watch it.'),
    since: t.time('When the task started to wait.'),
  },
  'An external host or a forge that the task waits for.',
);
export type HostWait = Static<typeof HostWait>;

export const TaskQuestion = t.object(
  'Question',
  {
    question: t.text('The question in plain text. The options are plain text too.'),
    options: t.texts('The suggested answers. Any other text is accepted too.'),
    questionId: t.text('The id of the question, which is unique within the task.'),
    pages: t.optional(
      t.list(
        t.slug('The path of a page.'),
        'The new pages that the question is about. Only for generate_pages tasks.',
      ),
    ),
    since: t.time('When the task asked the question.'),
  },
  'A question that the task has asked. The task waits for the answer.',
);
export type TaskQuestion = Static<typeof TaskQuestion>;

export const TaskWait = t.eitherOf('TaskWait', [HostWait, TaskQuestion]);

export const TaskProgress = t.object('TaskProgress', {
  phase: t.oneOf(['reading', 'working', 'committing', 'deploying', 'publishing', 'finishing']),
  pages: t.optional(
    t.described(PageProgress, 'The progress in pages. Only for generate_pages tasks.'),
  ),
  steps: t.optional(
    t.count('The number of turns that the agent has taken so far. Only for prompt tasks.'),
  ),
  waitingFor: t.optional(t.described(TaskWait, 'What the task waits for outside the service.')),
});
export type TaskProgress = Static<typeof TaskProgress>;
export type TaskPhase = TaskProgress['phase'];

export const PageResponse = t.object('Page', {
  slug: t.slug('The path of the page.'),
  previewUrl: t.orNull(
    t.url('The preview of the page. Null for a deleted page, and after the preview has ended.'),
  ),
  editUrl: t.orNull(
    t.url(
      'Opens the page in the editor. Null if there is no preview, and for pages of earlier tasks.',
    ),
  ),
  publishedUrl: t.orNull(
    t.url('The live page. Null unless this task itself has put the page live.'),
  ),
  externalId: t.optional(
    t.text("The `externalId` of the page's item. Absent if the item has none."),
  ),
});
export type PageResponse = Static<typeof PageResponse>;
/** A page whose preview can be opened while its task runs. */
export type PreviewedPage = Pick<PageResponse, 'slug' | 'previewUrl' | 'editUrl'>;

export const CheckedNote = t.object('CheckedNote', {
  page: t.optional(
    t.slug('The page that the note is about. Absent if the note is about the whole task.'),
  ),
  linkFrom: t.optional(
    t.slug(
      'The page with the block for `page` that the note is about, such as a card with a link.',
    ),
  ),
  kind: t.oneOf(noteKinds, 'The subject of the note. Later versions may add kinds.'),
  slot: t.optional(t.text('The slot of the text on the page, by the id that the editor uses.')),
  slots: t.optional(t.texts('The slots of the texts on the page, if they are known.')),
  text: t.text('The note as a sentence. `warnings` contains the same text.'),
  value: t.optional(
    t.text('The value that the note is about, such as a price or a text of the context.'),
  ),
  values: t.optional(t.texts('The values that the note is about, if there is more than one.')),
  keys: t.optional(
    t.texts(
      'The keys of the context whose values the page does not use, such as columns of a table. `places` can give each a place.',
    ),
  ),
});
export type CheckedNote = Static<typeof CheckedNote>;

export const NoteResponse = t.object('Note', {
  id: t.text('The id of the note, which is unique within its task.', '0f1e2d3c4b5a6978'),
  state: t.oneOf(noteStates, '`open`, or how the note was resolved.'),
  by: t.optional(
    t.nullable(
      NamedCreator,
      'Who resolved the note. Null if it was a person with a share link, or if it is unknown.',
    ),
  ),
  at: t.optional(t.time('When the note was resolved.')),
  droppedIn: t.optional(
    t.described(
      TaskId,
      'The task whose version removed the fact from the page, if it is not the task that has the note.',
    ),
  ),
  task: t.optional(t.described(TaskId, 'The task that has the note, if it is not this task.')),
  ...CheckedNote.properties,
});
export type NoteResponse = Static<typeof NoteResponse>;

export const NoteList = t.object('NoteList', {
  notes: t.list(NoteResponse, 'The notes that the request selected.'),
});

export const Cost = t.object('Cost', {
  amount: t.text('A decimal number with two to six decimals.', '0.36'),
  currency: t.text('ISO 4217 code.', 'USD'),
});
export type Cost = Static<typeof Cost>;

const modelUsage = Type.Object({
  model: t.text('The language model, as `<provider>/<model>`.'),
  turns: t.count('The number of language model calls.'),
  inputTokens: t.count('The number of tokens that the model read, including cached ones.'),
  cachedInputTokens: t.count("The number of tokens read that came from the provider's cache."),
  outputTokens: t.count('The number of tokens that the model wrote, including its reasoning.'),
  cost: t.nullable(
    Cost,
    "The cost at the operator's current prices. Null if the model has no price.",
  ),
});
type PricedUsage = Static<typeof modelUsage>;

/** What a task used: of a language model, and of builds at an external host. */
export type TaskUsageResponse =
  | (PricedUsage & { builds?: number })
  | ({ builds: number } & { [Name in keyof PricedUsage]?: never });
export const TaskUsageResponse = Type.Unsafe<TaskUsageResponse>(
  t.object(
    'TaskUsage',
    {
      ...Type.Partial(modelUsage).properties,
      builds: t.optional(
        t.count(
          'The number of builds at the external host. A build that several tasks share counts once.',
        ),
      ),
    },
    "The task's usage of a language model and of the external host.",
  ),
);

export const TaskOutputResponse = t.object('TaskOutput', {
  pagesCreated: t.list(PageResponse, 'Pages newly created.'),
  pagesModified: t.list(PageResponse, 'Existing pages updated.'),
  pagesDeleted: t.list(PageResponse, 'Pages removed.'),
  warnings: t.optional(
    t.nonEmptyList(t.text(), 'What a person should check: the texts of the open notes.'),
  ),
  notes: t.optional(
    t.nonEmptyList(
      NoteResponse,
      'The notes of the task: the warnings as objects, the resolved notes, and what was changed as the request asked.',
    ),
  ),
  summary: t.optional(
    t.text('What the task did, in plain text. Language models describe it in their own words.'),
  ),
  usage: t.optional(TaskUsageResponse),
  pullRequestUrl: t.optional(
    t.url('The pull request of the task, if the site publishes by pull request.'),
  ),
});
export type TaskOutputResponse = Static<typeof TaskOutputResponse>;

export const PublicationResponse = t.object('PublicationSummary', {
  state: t.oneOf(
    ['live', 'partly-live', 'replaced'],
    "Whether all, some or none of the task's pages are still live as it published them.",
  ),
  publishedAt: t.time('When the pages went live.'),
  publishedBy: t.described(
    TaskId,
    'The task that published the pages: the task itself, or a later one.',
  ),
  deploymentId: t.text('The deployment with which the pages went live.'),
  replacedAt: t.orNull(t.time('When a page was last replaced. Null while all pages are live.')),
  replacedBy: t.orNull(
    t.text('The task that last replaced a page. Null if no task did, or while all pages are live.'),
  ),
});
export type PublicationResponse = Static<typeof PublicationResponse>;

export const TaskPublication = t.object('TaskPublication', {
  ...PublicationResponse.properties,
  livePages: t.list(t.slug(), 'The slugs of the pages that are still live as they were published.'),
  leftOutPages: t.list(
    t.slug(),
    'The slugs of the pages that did not go live: they were left out.',
  ),
  isEdited: t.flag(
    'Whether a person has edited the pages since, so that the task can be published again.',
  ),
});

export const BaseTask = t.object('BaseTask', {
  taskId: TaskId,
  previewUrl: t.orNull(
    t.url("The origin of the base task's preview. Null after that preview has ended."),
  ),
});

/** The fields by which people tell tasks apart. */
const aboutFields = {
  title: t.text('The title, in at most 200 characters.', '3 pages from /locations/austin'),
  createdBy: t.described(NamedCreator, 'The person or API key that created the task.'),
  follows: t.orNull(
    t.text('The task that this one publishes, retries or builds on. Null if there is none.'),
  ),
};
export type TaskIdentityResponse = StaticFields<typeof aboutFields>;

/** Fields that a task's view has besides its status. */
const taskFields = {
  ...aboutFields,
  siteId: t.uuid(),
  type: t.oneOf(taskTypes),
  createdAt: t.time(),
  template: t.optional(t.text('The slug of the template page. Only for generate_pages tasks.')),
  restores: t.optional(
    t.time('When the restored version first went live. Only for restore tasks.'),
  ),
};
export type TaskMetadataResponse = StaticFields<typeof taskFields>;

const liveFields = {
  live: t.flag('Whether all pages of the task are live as the task created them.'),
  publication: t.nullable(TaskPublication, 'How the task is live. Null if it was never live.'),
  base: t.nullable(BaseTask, 'The base task. Null if there is none, or if it is live.'),
};
export type LiveStatusResponse = StaticFields<typeof liveFields>;

const runningFields = {
  taskId: TaskId,
  status: t.constant('running'),
  progress: t.optional(TaskProgress),
};
const completedFields = {
  taskId: TaskId,
  status: t.constant('completed'),
  output: TaskOutputResponse,
};
const failedFields = {
  taskId: TaskId,
  status: t.constant('failed'),
  errorMessage: t.text(
    'A description of what went wrong.',
    'Template page not found: /locations/paris',
  ),
  usage: t.optional(TaskUsageResponse),
};
/** A variant of the status view. The fields of the other variants are absent in it. */
type StatusVariant<Variant extends TProperties> = StaticFields<Variant> & {
  [Name in Exclude<'progress' | 'output' | 'errorMessage', keyof Variant>]?: never;
};
/** The status view (docs/contract.md, section 4.2). */
export type TaskStatusResponse =
  | StatusVariant<typeof runningFields>
  | StatusVariant<typeof completedFields>
  | StatusVariant<typeof failedFields>;

const viewFields = { ...taskFields, ...liveFields };
export const RunningTask = t.object('RunningTask', { ...runningFields, ...viewFields });
export const CompletedTask = t.object('CompletedTask', { ...completedFields, ...viewFields });
export const FailedTask = t.object('FailedTask', { ...failedFields, ...viewFields });
export const Task = t.union('TaskView', 'status', [RunningTask, CompletedTask, FailedTask]);
export type Task = TaskStatusResponse & TaskMetadataResponse & LiveStatusResponse;

export const CallbackState = t.withName(
  'CallbackState',
  t.oneOf(['pending', 'accepted', 'failed']),
);

export const TaskSummaryResponse = t.object('TaskSummary', {
  taskId: TaskId,
  type: t.oneOf(taskTypes),
  siteId: t.uuid(),
  status: t.oneOf(taskStatuses),
  publish: t.flag('Whether the task was created with `publish` true.'),
  createdAt: t.time(),
  finishedAt: t.optional(t.time('When the task finished. Absent while it runs.')),
  callback: t.nullable(
    CallbackState,
    "The state of the callback's latest delivery. Null if there is none.",
  ),
  ...aboutFields,
  restores: t.optional(
    t.time('When the restored version first went live. Only for restore tasks.'),
  ),
  live: t.flag('Whether all pages of the task are live as the task created them.'),
  publication: t.nullable(PublicationResponse, 'How the task is live. Null if it was never live.'),
  pages: t.optional(
    t.count(
      'The number of pages that the task changed. Absent until the task is completed, and if it is unknown.',
    ),
  ),
  asks: t.optional(
    t.flag('True while the task waits for an answer to a question. Absent otherwise.'),
  ),
});
export type TaskSummaryResponse = Static<typeof TaskSummaryResponse>;
/** Whether a listed task's result is live. */
export type ListedLiveStatus = Pick<TaskSummaryResponse, 'live' | 'publication' | 'pages'>;

export const TaskList = t.object('TaskList', {
  tasks: t.list(TaskSummaryResponse, 'The running tasks, then the finished ones, newest first.'),
  nextCursor: t.nextCursor,
});
