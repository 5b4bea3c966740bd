import { type Static, type TObject, type TProperties, Type } from 'typebox';
import { noteKinds, noteStates } from '../notes/noteKinds.ts';
import * as t from './schemas.ts';

type StaticFields<Properties extends TProperties> = Static<TObject<Properties>>;

/** See docs/contract.md, section 4. */
export const TaskId = t.withName('TaskId', Type.String({ pattern: '^bg-[a-z0-9]{22}$' }));

export const taskTypes = ['prompt', 'generate_pages', 'publish', 'restore', 'drop'] as const;
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
  'Who made it. `name` is null where it has none, or is gone.',
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
    what: t.text('In words, such as the build of a host, or the merge of a pull request.'),
    url: t.url('Where to watch it.'),
    since: t.time('When the wait began.'),
  },
  'A host or forge that the task waits for.',
);
export type HostWait = Static<typeof HostWait>;

export const TaskQuestion = t.object(
  'Question',
  {
    question: t.text('Plain text, as the options.'),
    options: t.texts('Answers to choose from. Others are possible too.'),
    questionId: t.text('Unique in the task.'),
    pages: t.optional(
      t.list(t.slug('Path of a page.'), 'Of generate_pages: the new pages that it is about.'),
    ),
    since: t.time('When it was asked.'),
  },
  'A question that the task asks, and waits for the answer to.',
);
export type TaskQuestion = Static<typeof TaskQuestion>;

export const TaskWait = t.eitherOf('TaskWait', [HostWait, TaskQuestion]);

export const TaskProgress = t.object('TaskProgress', {
  phase: t.oneOf(['reading', 'working', 'committing', 'deploying', 'publishing', 'finishing']),
  pages: t.optional(t.described(PageProgress, 'Of generate_pages.')),
  steps: t.optional(t.count('Of prompt tasks: turns of the agent so far.')),
  waitingFor: t.optional(t.described(TaskWait, 'What the task waits for outside of the service.')),
});
export type TaskProgress = Static<typeof TaskProgress>;
export type TaskPhase = TaskProgress['phase'];

export const PageResponse = t.object('Page', {
  slug: t.slug('Path of the page.'),
  previewUrl: t.orNull(
    t.url('The preview. Null for a deleted page, and once the preview has ended.'),
  ),
  editUrl: t.orNull(
    t.url("Opens the editor. Null without a preview, and for earlier tasks' pages."),
  ),
  publishedUrl: t.orNull(t.url('The live page. Null until the production deployment succeeds.')),
  externalId: t.optional(t.text('The `externalId` of its item; absent where that had none.')),
});
export type PageResponse = Static<typeof PageResponse>;
/** A page whose preview can be opened while its task runs. */
export type PreviewedPage = Pick<PageResponse, 'slug' | 'previewUrl' | 'editUrl'>;

export const CheckedNote = t.object('CheckedNote', {
  page: t.optional(t.slug('The page; absent where it is about the whole task.')),
  kind: t.oneOf(noteKinds, 'What it is about. There may be more kinds later.'),
  slot: t.optional(t.text('The text on the page, by the id that the editor uses.')),
  slots: t.optional(t.texts('The texts, where it is known which ones.')),
  text: t.text('The sentence, as in `warnings`.'),
  value: t.optional(t.text('The value it is about: a price, a text of the context.')),
  values: t.optional(t.texts('The values one by one, where there are several.')),
});
export type CheckedNote = Static<typeof CheckedNote>;

export const NoteResponse = t.object('Note', {
  id: t.text('Names it among the notes of its task.', '0f1e2d3c4b5a6978'),
  state: t.oneOf(noteStates, 'Open, or what became of it.'),
  by: t.optional(
    t.nullable(NamedCreator, 'Who settled it. Null: a person with a share link, or unknown.'),
  ),
  at: t.optional(t.time('When it was settled.')),
  droppedIn: t.optional(t.described(TaskId, 'The task that removed the fact.')),
  task: t.optional(t.described(TaskId, 'The task that it is a note of, if that is another one.')),
  ...CheckedNote.properties,
});
export type NoteResponse = Static<typeof NoteResponse>;

export const NoteList = t.object('NoteList', {
  notes: t.list(NoteResponse, 'The notes that are meant.'),
});

export const Cost = t.object('Cost', {
  amount: t.text('A decimal number with two to six decimals.', '0.36'),
  currency: t.text('ISO 4217 code.', 'USD'),
});
export type Cost = Static<typeof Cost>;

const modelUsage = Type.Object({
  model: t.text('The model, as `<provider>/<model>`.'),
  turns: t.count('Calls of the model.'),
  inputTokens: t.count('Tokens that it read, the cached ones included.'),
  cachedInputTokens: t.count("Those of them from the provider's cache."),
  outputTokens: t.count('Tokens that it wrote, its reasoning included.'),
  cost: t.nullable(Cost, "By the operator's current prices. Null: the model has no price."),
});
type PricedUsage = Static<typeof modelUsage>;

/** What a task used: of a language model, and of builds at a host of the team's own. */
export type TaskUsageResponse =
  | (PricedUsage & { builds?: number })
  | ({ builds: number } & { [Name in keyof PricedUsage]?: never });
export const TaskUsageResponse = Type.Unsafe<TaskUsageResponse>(
  t.object(
    'TaskUsage',
    {
      ...Type.Partial(modelUsage).properties,
      builds: t.optional(t.count("Builds at the team's own host. A shared build counts once.")),
    },
    "What the task used of a language model, and of the team's own host.",
  ),
);

export const TaskOutputResponse = t.object('TaskOutput', {
  pagesCreated: t.list(PageResponse, 'Pages newly created.'),
  pagesModified: t.list(PageResponse, 'Existing pages updated.'),
  pagesDeleted: t.list(PageResponse, 'Pages removed.'),
  warnings: t.optional(t.nonEmptyList(t.text(), 'What is worth a look: open notes.')),
  notes: t.optional(
    t.nonEmptyList(NoteResponse, 'The warnings as objects, and the notes that are settled.'),
  ),
  summary: t.optional(t.text("The language model's own description of what it did: plain text.")),
  usage: t.optional(TaskUsageResponse),
  pullRequestUrl: t.optional(t.url('Of sites that publish by pull requests.')),
});
export type TaskOutputResponse = Static<typeof TaskOutputResponse>;

export const PublicationResponse = t.object('PublicationSummary', {
  state: t.oneOf(
    ['live', 'partly-live', 'replaced'],
    'How many of its pages are live as it published them.',
  ),
  publishedAt: t.time('When they went live.'),
  publishedBy: t.described(TaskId, 'The task that put the pages live: itself, or a later one.'),
  deploymentId: t.text('The deployment that they went live with.'),
  replacedAt: t.orNull(t.time('When a page was last replaced. Null while all are live.')),
  replacedBy: t.orNull(t.text('The task that replaced it. Null: none did, or all are live.')),
});
export type PublicationResponse = Static<typeof PublicationResponse>;

export const TaskPublication = t.object('TaskPublication', {
  ...PublicationResponse.properties,
  livePages: t.list(t.slug(), 'Slugs of the pages that are still live as they were published.'),
  isEdited: t.flag('Whether it was edited by hand since, so that it can be published again.'),
});

export const BaseTask = t.object('BaseTask', {
  taskId: TaskId,
  previewUrl: t.orNull(t.url('The origin of its preview. Null once that has ended.')),
});

/** The fields by which people tell tasks apart. */
const aboutFields = {
  title: t.text('At most 200 characters.', '3 pages from /locations/austin'),
  createdBy: t.described(NamedCreator, 'The person, or the API key.'),
  follows: t.orNull(t.text('The task that this one publishes, tries again, or works on top of.')),
};
export type TaskIdentityResponse = StaticFields<typeof aboutFields>;

/** Fields that a task's view has besides its status. */
const taskFields = {
  ...aboutFields,
  siteId: t.uuid(),
  type: t.oneOf(taskTypes),
  createdAt: t.time(),
  template: t.optional(t.text('Of generate_pages: slug of the page that new ones are made like.')),
  restores: t.optional(t.time('Of restore: when the version that it puts live again went live.')),
};
export type TaskMetadataResponse = StaticFields<typeof taskFields>;

const liveFields = {
  live: t.flag('Whether all of its pages are live as it made them.'),
  publication: t.nullable(TaskPublication, 'How it is live. Null if it never was.'),
  base: t.nullable(BaseTask, 'The task that it is built on, if that is not live.'),
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
  errorMessage: t.text('What went wrong.', 'Template page not found: /locations/paris'),
  usage: t.optional(TaskUsageResponse),
};
/** A variant of the status view. It says of the other variants' fields that they are absent. */
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
  publish: t.flag('Whether it was created to go live.'),
  createdAt: t.time(),
  finishedAt: t.optional(t.time('Absent while it runs.')),
  callback: t.nullable(CallbackState, "The state of the callback's latest delivery. Null: none."),
  ...aboutFields,
  restores: t.optional(t.time('Of restore: when the version that it puts live again went live.')),
  live: t.flag('Whether all of its pages are live as it made them.'),
  publication: t.nullable(PublicationResponse, 'How it is live. Null if it never was.'),
  pages: t.optional(
    t.count('How many pages it changed. Absent until it is completed, and if unknown.'),
  ),
  asks: t.optional(t.flag('True while it waits for an answer to a question. Otherwise absent.')),
});
export type TaskSummaryResponse = Static<typeof TaskSummaryResponse>;
/** Whether a listed task's result is live. */
export type ListedLiveStatus = Pick<TaskSummaryResponse, 'live' | 'publication' | 'pages'>;

export const TaskList = t.object('TaskList', {
  tasks: t.list(TaskSummaryResponse, 'Running ones first, then the latest finished.'),
  nextCursor: t.nextCursor,
});
