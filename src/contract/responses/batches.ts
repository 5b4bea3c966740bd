import type { Static } from 'typebox';
import { batchStatuses, rowStates } from '../batches/batch.ts';
import * as t from './schemas.ts';
import { CheckProblem } from './taskDetails.ts';
import { NamedCreator, NoteResponse, TaskId } from './tasks.ts';

export const BatchCreated = t.object('BatchCreated', {
  batchId: TaskId,
  createdAt: t.time(),
  rows: t.integer('How many there are.', { minimum: 1 }),
  failed: t.count('How many of them are wrong, and so have failed.'),
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
  'How many rows are in each state.',
);

export const BatchUsage = t.object('BatchUsage', {
  builds: t.count("Builds at the team's own host."),
});

export const BatchResponse = t.object('Batch', {
  batchId: TaskId,
  siteId: t.uuid(),
  status: t.oneOf(batchStatuses, '`waiting`: for an approval of the rows after the canary.'),
  errorMessage: t.optional(t.text('Why it failed.')),
  rows: BatchRowCounts,
  title: t.text('What people tell it apart by.', '2 pages from /locations/austin'),
  createdBy: NamedCreator,
  createdAt: t.time(),
  finishedAt: t.orNull(t.time('Null until it ends.')),
  publish: t.flag('Whether its pages go live.'),
  onWarnings: t.oneOf(['publish', 'hold']),
  holdBelow: t.optional(t.fraction()),
  linkFrom: t.optional(t.text('The page that gets links to the new ones.')),
  canary: t.optional(t.integer(undefined, { minimum: 1 })),
  canaryApproved: t.optional(t.flag('Whether the rows after the canary may be made.')),
  model: t.text('`rules`, or a language model.', 'rules'),
  callbackOrigin: t.optional(t.text('The origin of `callbackUrl`.')),
  previewUrl: t.orNull(t.url('The origin of the preview. Null while there is none.')),
  pullRequestUrl: t.optional(t.url('Of sites that publish by pull requests.')),
  usage: t.optional(BatchUsage),
});
export type BatchResponse = Static<typeof BatchResponse>;

export const BatchList = t.object('BatchList', {
  batches: t.list(BatchResponse, 'The latest first.'),
  nextCursor: t.nextCursor,
});

export const BatchRowCheck = t.object('CheckedRow', {
  number: t.integer(undefined, { minimum: 1 }),
  targetPageSlug: t.text('As it was given, if it is no slug.', '/locations/faro'),
  problems: t.list(CheckProblem, 'Why the row would fail.'),
});

export const BatchCost = t.object('BatchCost', {
  amount: t.text('A decimal number.', '0.0133'),
  currency: t.text('ISO 4217 code.', 'USD'),
});

export const BatchEstimate = t.object('BatchEstimate', {
  inputTokens: t.count(),
  outputTokens: t.count(),
  cost: t.nullable(BatchCost, "Null where the model's price is not known."),
});

export const BatchCheckResponse = t.object('BatchCheck', {
  ok: t.flag('Whether there are no problems.'),
  agent: t.text('Who would do the work: `rules`, or a language model as `<provider>/<model>`.'),
  problems: t.list(CheckProblem, 'Why the whole batch would fail.'),
  rows: t.list(BatchRowCheck, 'The rows with problems.'),
  make: t.count('How many rows would be made.'),
  fail: t.count('How many would fail.'),
  estimate: t.optional(t.described(BatchEstimate, 'What the language model would use, roughly.')),
});
export type BatchCheckResponse = Static<typeof BatchCheckResponse>;

export const BatchRowResponse = t.object('BatchRow', {
  number: t.integer('Its place in the request.', { minimum: 1 }),
  targetPageSlug: t.text('Path of its page; as it was given, if it is no slug.'),
  externalId: t.optional(t.text('The `externalId` of the row.', 'row-17')),
  state: t.oneOf(rowStates, '`held`: in the preview, and not published before it is approved.'),
  error: t.optional(t.text('Why it failed.')),
  notes: t.optional(t.list(NoteResponse, 'What is worth a look.')),
  ownShare: t.optional(
    t.fraction('The share of words that neither its template nor siblings have.'),
  ),
  previewUrl: t.orNull(t.url('Where to look at the page.')),
  editUrl: t.orNull(t.url("Opens the page in the editor. Null while it can't be edited.")),
  publishedUrl: t.orNull(t.url('The live page.')),
});
export type BatchRowResponse = Static<typeof BatchRowResponse>;

export const BatchRows = t.object('BatchRows', {
  rows: t.list(BatchRowResponse, 'In the order of the request.'),
  nextCursor: t.nextCursor,
});

export const BatchCallback = t.object('BatchCallback', {
  batchId: TaskId,
  status: t.oneOf(['paused', 'waiting', 'completed', 'failed', 'cancelled']),
  error: t.optional(t.text('Why it failed.')),
  rows: BatchRowCounts,
  url: t.url('Where the batch is read.'),
  timestamp: t.time('When it ended: the same on every attempt.'),
});
