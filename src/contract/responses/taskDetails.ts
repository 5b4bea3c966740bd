import type { Static } from 'typebox';
import * as t from './schemas.ts';
import { CheckedNote, NamedCreator, PageResponse, TaskId, taskTypes } from './tasks.ts';

/**
 * Response bodies about tasks, apart from the status view: checks, diffs, requests and callbacks.
 * schemas.ts explains the form.
 */

export const CheckProblem = t.object('CheckProblem', {
  code: t.text(
    'A code for programs, such as `TEMPLATE_NOT_FOUND` or `PAGE_EXISTS`.',
    'INVALID_INPUT',
  ),
  message: t.text('What is wrong, and what was expected.'),
});
export type CheckProblem = Static<typeof CheckProblem>;

export const CarriedOverText = t.object('CarriedText', {
  slot: t.text('The slot of the text on the template, by the id that the editor uses.', 's41'),
  label: t.text('The kind of text: `headline`, `paragraph`.', 'paragraph'),
  text: t.text('The text, cut to 200 characters.', 'Projects start at $4,800.'),
});
export type CarriedOverText = Static<typeof CarriedOverText>;

export const ContextRemark = t.object('ContextRemark', {
  label: t.text('The key of the value in the context, in lower case. Empty for running text.'),
  value: t.text('The value, cut to 200 characters.', '#REF!'),
  fills: t.text(
    'What the value would fill: `telephone number`, `e-mail address`, `headline`, `text`.',
  ),
  code: t.text(
    'A code for programs, such as `spreadsheet-error` or `placeholder`.',
    'spreadsheet-error',
  ),
  message: t.text('What is wrong with the value, and what the task would do with it.'),
  severity: t.oneOf(
    ['error', 'warning'],
    '`error`: the value is not used. `warning`: the value is used.',
  ),
});
export type ContextRemark = Static<typeof ContextRemark>;

export const CheckedItemResponse = t.object('CheckedItem', {
  targetPageSlug: t.orNull(
    t.slug('The path of the new page. Null if the item does not contain a valid slug.'),
  ),
  problems: t.list(CheckProblem, 'The reasons why this page, and therefore the task, would fail.'),
  unused: t.texts('The parts of the context that would not appear on the page.'),
  stays: t.list(
    CarriedOverText,
    'The first 200 texts that the page would carry over from the template.',
  ),
  remarks: t.list(
    ContextRemark,
    'The first 100 values that do not fit the place that they would fill.',
  ),
  notes: t.list(CheckedNote, 'The notes that the task would have on this page.'),
});
export type CheckedItemResponse = Static<typeof CheckedItemResponse>;

export const CheckedTemplate = t.object('CheckedTemplate', {
  language: t.orNull(t.text('The language of the template (`lang`), as a BCP 47 tag.', 'en')),
  home: t.orNull(
    t.text("The host and folder of the site, according to the template's canonical URL."),
  ),
});

export const TriedChanges = t.object(
  'TriedChanges',
  {
    pagesCreated: t.list(t.slug(), 'The slugs of the pages that the task would create.'),
    pagesModified: t.list(t.slug(), 'The slugs of the pages that the task would change.'),
    pagesDeleted: t.list(t.slug(), 'The slugs of the pages that the task would delete.'),
  },
  'What the prompt would change. Absent if the prompt was not tried.',
);
export type TriedChanges = Static<typeof TriedChanges>;

export const TaskCheckResponse = t.object('TaskCheck', {
  ok: t.flag('Whether neither the task nor any of its items has a problem.'),
  agent: t.text('What would do the work: `rules`, or a language model as `<provider>/<model>`.'),
  problems: t.list(CheckProblem, 'The reasons why the whole task would fail.'),
  items: t.list(
    CheckedItemResponse,
    'The items, in the order of the request. Empty for a prompt task.',
  ),
  template: t.nullable(
    CheckedTemplate,
    'What the template states about itself. Null if the template was not read.',
  ),
  changes: t.optional(TriedChanges),
  notes: t.optional(
    t.list(CheckedNote, 'The notes that the task would have. Only for a prompt that was tried.'),
  ),
});
export type TaskCheckResponse = Static<typeof TaskCheckResponse>;

export const TextDiff = t.object('TextDiff', {
  role: t.text('The kind of text: `title`, `heading`, `paragraph`, `image-alt` …', 'heading'),
  section: t.orNull(t.text('The nearest heading above the text. Null if there is none.')),
  before: t.orNull(t.text('The text before the task. Null if the text is new.', 'Simple prices')),
  after: t.orNull(
    t.text('The text after the task. Null if the text was removed.', 'Prices that fit on one page'),
  ),
});

export const PageDiffResponse = t.object('PageDiff', {
  slug: t.slug(),
  change: t.oneOf(['created', 'modified', 'deleted']),
  template: t.optional(
    t.slug('The template of a created page. `before` of its texts is from the template.'),
  ),
  texts: t.list(TextDiff, 'The texts that changed, in the order of the page.'),
});
export type PageDiffResponse = Static<typeof PageDiffResponse>;

export const TaskDiffResponse = t.object('TaskDiff', {
  taskId: TaskId,
  base: t.orNull(
    t.commit('The commit that the task started from. Null if the task changed nothing.'),
  ),
  commit: t.orNull(t.commit("The commit of the task's result. Null if the task changed nothing.")),
  patch: t.orNull(
    t.text('A unified diff without binary files. Null if it is larger than 2,000,000 bytes.'),
  ),
  pages: t.list(
    PageDiffResponse,
    'The created pages, then the modified ones, then the deleted ones.',
  ),
  warnings: t.optional(t.nonEmptyList(t.text(), 'What the response omits, and why.')),
});
export type TaskDiffResponse = Static<typeof TaskDiffResponse>;

export const TaskRun = t.object('TaskRun', {
  taskId: TaskId,
  runUrl: t.orNull(
    t.url(
      "The task's run in Temporal's web UI. Null if the operator has not set `TEMPORAL_UI_URL`.",
    ),
  ),
});
export type TaskRun = Static<typeof TaskRun>;

export const TaskBudget = t.object(
  'TaskBudget',
  {
    turns: t.count(),
    tokens: t.count(),
    minutes: t.count(),
    pagesChanged: t.count(),
    pagesDeleted: t.count(),
  },
  "The usage limits of the task: those of its request, and otherwise the service's defaults.",
);

export const TaskRequestItem = t.object('TaskRequestItem', {
  targetPageSlug: t.slug('The path of the new page.'),
  context: t.text('The content or data for the page.'),
  externalId: t.optional(t.text('Your own name for the item.')),
  facts: t.optional(t.oneOf(['keep', 'drop'])),
});

export const TaskRequestResponse = t.object('TaskRequest', {
  taskId: TaskId,
  siteId: t.uuid(),
  command: t.oneOf(taskTypes),
  baseTaskId: t.nullable(
    TaskId,
    'The base task, or the task that this one publishes. Null if the task builds on the live site.',
  ),
  publish: t.flag(),
  onWarnings: t.oneOf(['publish', 'hold']),
  ask: t.oneOf(['allowed', 'never']),
  prompt: t.optional(
    t.text('The prompt. Only for prompt tasks.', 'Make the headline of /pricing friendlier'),
  ),
  templatePageSlug: t.optional(t.slug('The template page. Only for generate_pages tasks.')),
  items: t.optional(t.list(TaskRequestItem, 'The 1 to 10 items. Only for generate_pages tasks.')),
  linkFrom: t.optional(
    t.slug('The page that should link to the new pages. Only for generate_pages tasks.'),
  ),
  model: t.optional(t.text('`rules`, or a language model as `<provider>/<model>`.', 'rules')),
  budget: t.optional(TaskBudget),
  callbackOrigin: t.optional(t.url('The origin of the callback URL.')),
});
export type TaskRequestResponse = Static<typeof TaskRequestResponse>;

export const PageNames = t.object('PageNames', {
  count: t.count(),
  slugs: t.list(t.slug(), 'The first 100 slugs.'),
});
export type PageNames = Static<typeof PageNames>;

export const UnpublishedTask = t.object('UnpublishedTask', {
  taskId: TaskId,
  title: t.text(undefined, '2 pages from /locations/austin'),
  pages: PageNames,
});

export const PushedPages = t.object('PushedPages', {
  created: t.described(PageNames, 'The pages that were created.'),
  modified: t.described(PageNames, 'The pages that were modified.'),
  deleted: t.described(PageNames, 'The pages that were deleted.'),
});
export type PushedPages = Static<typeof PushedPages>;

export const UpdateConflictResponse = t.object('UpdateConflict', {
  taskId: t.described(TaskId, 'The task to update: this one, or one of its base tasks.'),
  baseTaskId: t.nullable(
    TaskId,
    'The base task that changed the pages too. Null if others changed them on the production branch.',
  ),
  pages: PageNames,
});

export const PublishCheckResponse = t.object('PublishCheck', {
  taskId: TaskId,
  pages: t.described(PageNames, 'The pages of the task itself.'),
  leftOut: t.described(
    PageNames,
    'The pages of the task that do not go live, because somebody left them out.',
  ),
  tasks: t.list(
    UnpublishedTask,
    'The base tasks that are not live yet. They go live with the task. The nearest base task comes first.',
  ),
  pushed: t.nullable(
    PushedPages,
    'What others have pushed since the last deployment. Null if it is unknown.',
  ),
  conflicts: t.list(
    UpdateConflictResponse,
    'Pages that were changed on both sides, so that the task cannot go live yet. `POST …/versions/update` decides whose pages win.',
  ),
});
export type PublishCheckResponse = Static<typeof PublishCheckResponse>;

export const RestoreCheckResponse = t.object('RestoreCheck', {
  deploymentId: t.text(),
  name: t.text(undefined, '3 pages from /locations/austin'),
  at: t.time('When the deployment went live.'),
  created: t.described(PageNames, 'The pages that the restore would bring back.'),
  modified: t.described(PageNames, 'The pages that the restore would change back.'),
  deleted: t.described(PageNames, 'The pages that the restore would remove.'),
});
export type RestoreCheckResponse = Static<typeof RestoreCheckResponse>;

export const CallbackRequest = t.object('CallbackRequest', {
  method: t.constant('POST'),
  origin: t.text(
    'The origin of the `callbackUrl`. The rest of the URL may be a secret and is not returned.',
  ),
  headers: t.record(t.text(), 'The header fields of every attempt, without `webhook-signature`.'),
  body: t.text('The body. Every attempt sends the same bytes.'),
});

export const CallbackAttemptResponse = t.object('CallbackAttempt', {
  at: t.time('When the attempt started.'),
  timestamp: t.integer('The `webhook-timestamp` of the attempt, in seconds since 1970.'),
  status: t.optional(
    t.integer("The HTTP status of the receiver's response.", { minimum: 100, maximum: 999 }),
  ),
  error: t.optional(
    t.text(
      'Why the attempt failed. If both `status` and `error` are absent, the attempt is still in progress.',
    ),
  ),
});
export type CallbackAttemptResponse = Static<typeof CallbackAttemptResponse>;

export const CallbackDeliveryResponse = t.object('CallbackDelivery', {
  state: t.oneOf(['pending', 'delivered', 'failed']),
  requestedAt: t.optional(
    t.time('When the redelivery was requested. Absent for the first delivery.'),
  ),
  requestedBy: t.optional(NamedCreator),
  attempts: t.list(
    CallbackAttemptResponse,
    'The attempts, oldest first. An attempt in progress is the last one.',
  ),
  nextAttemptAt: t.optional(t.time('When the next attempt is due. Absent if none is due.')),
});
export type CallbackDeliveryResponse = Static<typeof CallbackDeliveryResponse>;

export const CallbackResponse = t.object('Callback', {
  taskId: TaskId,
  request: t.nullable(CallbackRequest, 'The request that was sent. Null while the task runs.'),
  deliveries: t.list(CallbackDeliveryResponse, 'The deliveries, oldest first.'),
});
export type CallbackResponse = Static<typeof CallbackResponse>;

export const TaskReference = t.object('TaskReference', { taskId: TaskId });

export const CallbackTest = t.object('CallbackTest', {
  delivered: t.flag(),
  status: t.orNull(t.integer("The HTTP status of the receiver's response.")),
  error: t.orNull(t.text('Why the callback was not delivered.')),
  ms: t.count('The number of milliseconds until the response.'),
});

export const EditLink = t.object('EditLink', {
  url: t.url('The link that opens the editor in a browser.'),
  expiresAt: t.time('Until when the link can be opened, in ISO 8601 with milliseconds, in UTC.'),
});

export const SucceededCallback = t.object('SucceededCallback', {
  taskId: TaskId,
  status: t.constant('succeeded'),
  pages: t.list(PageResponse, 'The created pages, then the modified ones.'),
  timestamp: t.time('When the task finished. Every attempt has the same time.'),
  test: t.optional(t.flag('True only in a test callback.')),
});

export const FailedCallback = t.object('FailedCallback', {
  taskId: TaskId,
  status: t.constant('failed'),
  error: t.text('A description of what went wrong.'),
  timestamp: t.time('When the task finished. Every attempt has the same time.'),
});

export const CallbackPayload = t.union('CallbackPayload', 'status', [
  SucceededCallback,
  FailedCallback,
]);
