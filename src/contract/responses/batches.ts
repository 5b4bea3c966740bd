import type { Static } from 'typebox';
import { batchStatuses, rowStates } from '../batches/batch.ts';
import { noteKinds, noteStates } from '../notes/noteKinds.ts';
import * as t from './schemas.ts';
import { CheckProblem } from './taskDetails.ts';
import { NamedCreator, NoteResponse, TaskId } from './tasks.ts';

/** Response bodies about batches and their rows. schemas.ts explains the form. */

export const BatchCreated = t.object('BatchCreated', {
  batchId: TaskId,
  createdAt: t.time(),
  rows: t.integer('The number of rows in the request.', { minimum: 1 }),
  failed: t.count('The number of rows that failed at once because their request is invalid.'),
});

export const BatchRowCounts = t.object(
  'BatchRowCounts',
  {
    waiting: t.count(),
    written: t.count(),
    committed: t.count(),
    published: t.count(),
    held: t.count(),
    failed: t.count(),
    skipped: t.count(),
  },
  'The number of rows in each state.',
);

export const BatchUsage = t.object('BatchUsage', {
  builds: t.count('The number of builds at the external host.'),
});

export const BatchDecision = t.object('BatchDecision', {
  resolved: t.count('The number of notes with the new state, counted on each page.'),
  remaining: t.count(
    'The number of notes that stay open, because their facts cannot be changed by themselves.',
  ),
  messages: t.texts('What could not be changed, and why, as up to 50 sentences.'),
});

export const BatchResponse = t.object('Batch', {
  batchId: TaskId,
  siteId: t.uuid(),
  status: t.oneOf(
    batchStatuses,
    '`waiting`: the batch waits for a person to approve the rows after the canary.',
  ),
  errorMessage: t.optional(t.text('Why the batch failed.')),
  rows: BatchRowCounts,
  title: t.text('The title, which people read in lists.', '2 pages from /locations/austin'),
  createdBy: NamedCreator,
  createdAt: t.time(),
  finishedAt: t.orNull(t.time('When the batch ended. Null until then.')),
  publish: t.flag('Whether the pages of the batch go live.'),
  onWarnings: t.oneOf(['publish', 'hold']),
  holdBelow: t.optional(t.fraction()),
  linkFrom: t.optional(t.text('The page that gets links to the new pages.')),
  canary: t.optional(t.integer(undefined, { minimum: 1 })),
  canaryApproved: t.optional(t.flag('Whether a person has approved the rows after the canary.')),
  model: t.text('`rules`, or a language model as `<provider>/<model>`.', 'rules'),
  callbackOrigin: t.optional(t.text('The origin of `callbackUrl`.')),
  previewUrl: t.orNull(t.url('The origin of the preview. Null if the batch has no preview.')),
  pullRequestUrl: t.optional(
    t.url('The pull request of the batch, if the site publishes by pull request.'),
  ),
  usage: t.optional(BatchUsage),
  decision: t.optional(
    t.described(BatchDecision, 'What became of the notes. Only in the response to a decision.'),
  ),
});
export type BatchResponse = Static<typeof BatchResponse>;

export const BatchList = t.object('BatchList', {
  batches: t.list(BatchResponse, 'The batches, newest first.'),
  nextCursor: t.nextCursor,
});

export const BatchRowCheck = t.object('CheckedRow', {
  number: t.integer(undefined, { minimum: 1 }),
  targetPageSlug: t.text(
    "The path of the row's page, or the text that the request has if that is not a valid slug.",
    '/locations/faro',
  ),
  problems: t.list(CheckProblem, 'The reasons why the row would fail.'),
});

export const BatchCost = t.object('BatchCost', {
  amount: t.text('A decimal number.', '0.0133'),
  currency: t.text('ISO 4217 code.', 'USD'),
});

export const BatchEstimate = t.object('BatchEstimate', {
  inputTokens: t.count(),
  outputTokens: t.count(),
  cost: t.nullable(BatchCost, 'Null if the price of the model is not configured.'),
});

export const BatchCheckResponse = t.object('BatchCheck', {
  ok: t.flag('Whether neither the batch nor any of its rows has a problem.'),
  agent: t.text(
    'What would write the pages: `rules`, or a language model as `<provider>/<model>`.',
  ),
  problems: t.list(CheckProblem, 'The reasons why the whole batch would fail.'),
  rows: t.list(BatchRowCheck, 'The rows that have problems.'),
  make: t.count('The number of rows that would become pages.'),
  fail: t.count('The number of rows that would fail.'),
  estimate: t.optional(
    t.described(BatchEstimate, 'A rough estimate of what the language model would use.'),
  ),
});
export type BatchCheckResponse = Static<typeof BatchCheckResponse>;

export const BatchRowResponse = t.object('BatchRow', {
  number: t.integer('The position of the row in the request.', { minimum: 1 }),
  targetPageSlug: t.text(
    "The path of the row's page, or the text that the request has if that is not a valid slug.",
  ),
  externalId: t.optional(t.text('The `externalId` of the row.', 'row-17')),
  state: t.oneOf(rowStates, '`held`: the page is in the preview until a person publishes it.'),
  error: t.optional(t.text('Why the row failed.')),
  notes: t.optional(t.list(NoteResponse, 'What a person should check on the page.')),
  ownShare: t.optional(
    t.fraction(
      "The share of the page's words that neither its template nor its sibling pages have.",
    ),
  ),
  previewUrl: t.orNull(t.url('The preview of the page.')),
  editUrl: t.orNull(t.url('Opens the page in the editor. Null while the page cannot be edited.')),
  publishedUrl: t.orNull(t.url('The live page. Null until the page is published.')),
});
export type BatchRowResponse = Static<typeof BatchRowResponse>;

export const BatchRows = t.object('BatchRows', {
  rows: t.list(BatchRowResponse, 'The rows, in the order of the request.'),
  nextCursor: t.nextCursor,
});

export const BatchNote = t.object('BatchNote', {
  noteId: t.text('The id of the note on one of its pages. It selects the note on all of them.'),
  kind: t.oneOf(noteKinds),
  text: t.text('What a person should check, without the page.'),
  values: t.texts('What the note names, such as prices of the template.'),
  linkFrom: t.optional(
    t.slug(
      'The page with the blocks that the note is about, such as cards with links to the pages.',
    ),
  ),
  keys: t.texts('The columns whose values are not used on a page. `places` can give each a place.'),
  state: t.oneOf(noteStates, '`open` if the note is open on any page.'),
  changed: t.flag(
    'Whether a version of the pages resolved the note. Undoing this version opens it again.',
  ),
  count: t.count('The number of pages that have the note.'),
  open: t.count('The number of pages on which the note is open.'),
  pages: t.list(
    t.object('BatchNotePage', {
      slug: t.text('The path of the page.'),
      previewUrl: t.orNull(t.url('The preview of the page.')),
      editUrl: t.orNull(t.url('Opens the page in the editor.')),
    }),
    'Up to three pages that have the note.',
  ),
});
export type BatchNote = Static<typeof BatchNote>;

export const BatchNotes = t.object('BatchNotes', {
  notes: t.list(BatchNote, 'Each different note once: open ones first.'),
  nextCursor: t.nextCursor,
});

export const BatchCallback = t.object('BatchCallback', {
  batchId: TaskId,
  status: t.oneOf(['paused', 'waiting', 'completed', 'failed', 'cancelled']),
  error: t.optional(t.text('Why the batch failed.')),
  rows: BatchRowCounts,
  url: t.url('The endpoint that returns the batch.'),
  timestamp: t.time(
    'When the batch ended or began to wait. Every delivery attempt has the same time.',
  ),
});
