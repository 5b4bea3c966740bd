import type { Static } from 'typebox';
import * as t from './schemas.ts';
import { CheckedNote, NamedCreator, PageResponse, TaskId, taskTypes } from './tasks.ts';

export const CheckProblem = t.object('CheckProblem', {
  code: t.text('For programs, such as `TEMPLATE_NOT_FOUND` or `PAGE_EXISTS`.', 'INVALID_INPUT'),
  message: t.text('What is wrong, and what was expected.'),
});
export type CheckProblem = Static<typeof CheckProblem>;

export const CarriedOverText = t.object('CarriedText', {
  slot: t.text('The text on the template, by the id that the editor uses.', 's41'),
  label: t.text('What it is: `headline`, `paragraph`.', 'paragraph'),
  text: t.text('At most 200 characters.', 'Projects start at $4,800.'),
});
export type CarriedOverText = Static<typeof CarriedOverText>;

export const ContextRemark = t.object('ContextRemark', {
  label: t.text('The key that the value stands under, in lower case. Empty for running text.'),
  value: t.text('At most 200 characters.', '#REF!'),
  fills: t.text('What it would fill: `telephone number`, `e-mail address`, `headline`, `text`.'),
  code: t.text('For programs, such as `spreadsheet-error` or `placeholder`.', 'spreadsheet-error'),
  message: t.text('What is wrong with it, and what becomes of it.'),
  severity: t.oneOf(['error', 'warning'], '`error`: the value is not used. `warning`: it is.'),
});
export type ContextRemark = Static<typeof ContextRemark>;

export const CheckedItemResponse = t.object('CheckedItem', {
  targetPageSlug: t.orNull(t.slug('null: what the item has is none.')),
  problems: t.list(CheckProblem, 'Why this page, and with it the task, would fail.'),
  unused: t.texts('Parts of the context that would find no place.'),
  stays: t.list(CarriedOverText, "Texts that would stay the template's: the first 200."),
  remarks: t.list(ContextRemark, 'Values that do not fit what they would fill: the first 100.'),
  notes: t.list(CheckedNote, 'What the task would warn of.'),
});
export type CheckedItemResponse = Static<typeof CheckedItemResponse>;

export const CheckedTemplate = t.object('CheckedTemplate', {
  language: t.orNull(t.text('BCP 47 tag of the template (`lang`).', 'en')),
  home: t.orNull(t.text("The site's host and folder, by the template's canonical URL.")),
});

export const TriedChanges = t.object(
  'TriedChanges',
  {
    pagesCreated: t.list(t.slug(), 'Pages that it would create, by their slugs.'),
    pagesModified: t.list(t.slug(), 'Pages that it would change.'),
    pagesDeleted: t.list(t.slug(), 'Pages that it would delete.'),
  },
  'What a prompt would change. Absent if it was not tried.',
);
export type TriedChanges = Static<typeof TriedChanges>;

export const TaskCheckResponse = t.object('TaskCheck', {
  ok: t.flag('Whether there are no problems.'),
  agent: t.text('Who would do the work: `rules`, or a language model as `<provider>/<model>`.'),
  problems: t.list(CheckProblem, 'Why the whole task would fail.'),
  items: t.list(CheckedItemResponse, 'In the order of the request. None for a prompt.'),
  template: t.nullable(CheckedTemplate, 'What the template says of itself. Null: not read.'),
  changes: t.optional(TriedChanges),
  notes: t.optional(
    t.list(CheckedNote, 'Of a prompt that was tried: what the task would warn of.'),
  ),
});
export type TaskCheckResponse = Static<typeof TaskCheckResponse>;

export const TextDiff = t.object('TextDiff', {
  role: t.text('What the text is: `title`, `heading`, `paragraph`, `image-alt` …', 'heading'),
  section: t.orNull(t.text('The nearest heading above.')),
  before: t.orNull(t.text('null: there was none.', 'Simple prices')),
  after: t.orNull(t.text('null: it is gone.', 'Prices that fit on one page')),
});

export const PageDiffResponse = t.object('PageDiff', {
  slug: t.slug(),
  change: t.oneOf(['created', 'modified', 'deleted']),
  texts: t.list(TextDiff, 'The texts that differ, in the order of the page.'),
});
export type PageDiffResponse = Static<typeof PageDiffResponse>;

export const TaskDiffResponse = t.object('TaskDiff', {
  taskId: TaskId,
  base: t.orNull(t.commit('null where the task changed nothing.')),
  commit: t.orNull(t.commit('null where the task changed nothing.')),
  patch: t.orNull(t.text('A unified diff, without binary files. Null: over 2,000,000 bytes.')),
  pages: t.list(PageDiffResponse, 'Created pages, then modified ones, then deleted ones.'),
  warnings: t.optional(t.nonEmptyList(t.text(), 'What is left out, and why.')),
});
export type TaskDiffResponse = Static<typeof TaskDiffResponse>;

export const TaskRun = t.object('TaskRun', {
  taskId: TaskId,
  runUrl: t.orNull(t.url('Null: the operator has not set `TEMPORAL_UI_URL`.')),
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
  'What the task might use up: as it was asked for, or as the service was set.',
);

export const TaskRequestItem = t.object('TaskRequestItem', {
  targetPageSlug: t.slug('Path of the new page.'),
  context: t.text('Content or data for the page.'),
  externalId: t.optional(t.text('A name of yours.')),
  facts: t.optional(t.oneOf(['keep', 'drop'])),
});

export const TaskRequestResponse = t.object('TaskRequest', {
  taskId: TaskId,
  siteId: t.uuid(),
  command: t.oneOf(taskTypes),
  baseTaskId: t.nullable(TaskId, 'The task that it builds on or publishes. Null: the live site.'),
  publish: t.flag(),
  onWarnings: t.oneOf(['publish', 'hold']),
  ask: t.oneOf(['allowed', 'never']),
  prompt: t.optional(t.text('Of prompt tasks.', 'Make the headline of /pricing friendlier')),
  templatePageSlug: t.optional(t.slug('Of generate_pages.')),
  items: t.optional(t.list(TaskRequestItem, 'Of generate_pages: 1 to 10.')),
  linkFrom: t.optional(t.slug('Of generate_pages: the page that was to link to the new ones.')),
  model: t.optional(t.text('`rules`, or a language model as `<provider>/<model>`.', 'rules')),
  budget: t.optional(TaskBudget),
  callbackOrigin: t.optional(t.url('Where its callback goes, without a path.')),
});
export type TaskRequestResponse = Static<typeof TaskRequestResponse>;

export const PageNames = t.object('PageNames', {
  count: t.count(),
  slugs: t.list(t.slug(), 'The first 100 of them.'),
});
export type PageNames = Static<typeof PageNames>;

export const UnpublishedTask = t.object('UnpublishedTask', {
  taskId: TaskId,
  title: t.text(undefined, '2 pages from /locations/austin'),
  pages: PageNames,
});

export const PushedPages = t.object('PushedPages', {
  created: t.described(PageNames, 'New pages.'),
  modified: t.described(PageNames, 'Changed pages.'),
  deleted: t.described(PageNames, 'Pages that are gone.'),
});
export type PushedPages = Static<typeof PushedPages>;

export const PublishCheckResponse = t.object('PublishCheck', {
  taskId: TaskId,
  pages: t.described(PageNames, "The task's own."),
  tasks: t.list(
    UnpublishedTask,
    'Base tasks that are not live yet: they go live too. The nearest first.',
  ),
  pushed: t.nullable(PushedPages, 'What others pushed since the last deployment. Null: unknown.'),
});
export type PublishCheckResponse = Static<typeof PublishCheckResponse>;

export const RestoreCheckResponse = t.object('RestoreCheck', {
  deploymentId: t.text(),
  name: t.text(undefined, '3 pages from /locations/austin'),
  at: t.time('When it went live.'),
  created: t.described(PageNames, 'Pages that come back.'),
  modified: t.described(PageNames, 'Pages that change back.'),
  deleted: t.described(PageNames, 'Pages that would be gone.'),
});
export type RestoreCheckResponse = Static<typeof RestoreCheckResponse>;

export const CallbackRequest = t.object('CallbackRequest', {
  method: t.constant('POST'),
  origin: t.text('Of the `callbackUrl`. The rest of it may be a secret.'),
  headers: t.record(t.text(), 'Those of every attempt, without `webhook-signature`.'),
  body: t.text('The same bytes at every attempt.'),
});

export const CallbackAttemptResponse = t.object('CallbackAttempt', {
  at: t.time('When it began.'),
  timestamp: t.integer('The `webhook-timestamp` that was sent, in seconds.'),
  status: t.optional(t.integer("The receiver's.", { minimum: 100, maximum: 999 })),
  error: t.optional(
    t.text('Why the attempt failed. Without `status` and `error` it is under way.'),
  ),
});
export type CallbackAttemptResponse = Static<typeof CallbackAttemptResponse>;

export const CallbackDeliveryResponse = t.object('CallbackDelivery', {
  state: t.oneOf(['pending', 'delivered', 'failed']),
  requestedAt: t.optional(t.time('When it was asked for. The first delivery has none.')),
  requestedBy: t.optional(NamedCreator),
  attempts: t.list(
    CallbackAttemptResponse,
    'In the order in which they began. One under way is the last.',
  ),
  nextAttemptAt: t.optional(t.time('When the next attempt is due, if one is.')),
});
export type CallbackDeliveryResponse = Static<typeof CallbackDeliveryResponse>;

export const CallbackResponse = t.object('Callback', {
  taskId: TaskId,
  request: t.nullable(CallbackRequest, 'Null while the task runs.'),
  deliveries: t.list(CallbackDeliveryResponse, 'In the order in which they began.'),
});
export type CallbackResponse = Static<typeof CallbackResponse>;

export const TaskReference = t.object('TaskReference', { taskId: TaskId });

export const CallbackTest = t.object('CallbackTest', {
  delivered: t.flag(),
  status: t.orNull(t.integer("The receiver's.")),
  error: t.orNull(t.text('Why it was not delivered.')),
  ms: t.count('Milliseconds until the answer.'),
});

export const EditLink = t.object('EditLink', {
  url: t.url('Opens the editor, in a browser.'),
  expiresAt: t.time('Until when the link can be opened: ISO 8601 with milliseconds, UTC.'),
});

export const SucceededCallback = t.object('SucceededCallback', {
  taskId: TaskId,
  status: t.constant('succeeded'),
  pages: t.list(PageResponse, 'Those created, then those modified.'),
  timestamp: t.time('When the task was done: the same on every attempt.'),
  test: t.optional(t.flag('True in a test callback only.')),
});

export const FailedCallback = t.object('FailedCallback', {
  taskId: TaskId,
  status: t.constant('failed'),
  error: t.text('What went wrong.'),
  timestamp: t.time('When the task was done: the same on every attempt.'),
});

export const CallbackPayload = t.union('CallbackPayload', 'status', [
  SucceededCallback,
  FailedCallback,
]);
