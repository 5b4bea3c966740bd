import { Readable } from 'node:stream';
import type { ObjectSchema } from 'joi';
import { Joi } from '../../../boundedJoi.ts';
import { batchLimits } from '../../../contract/batches/batch.ts';
import { isTaskId } from '../../../contract/task.ts';
import { invalidInputError, notFoundError } from '../../../errors.ts';
import { batchBody, someRowsBody } from '../../../api/routes/batches/batches.schema.ts';
import type { BatchRequest } from '../../../tasks/batches/create.ts';
import type { BatchView } from '../../../tasks/batches/read.ts';
import { pickFields, siteId, textField, toolAnswer } from '../../schemas.ts';
import type { AssistantCall } from '../../tool.ts';

/** The arguments, and the parts of results, that the tools for batches have in common. */

export const batchId = Joi.string()
  .max(200)
  .required()
  .description('The id of the batch, which make_batch returns.');

export const rowNumbers = pickFields(someRowsBody as ObjectSchema, 'rows')['rows']!;

/** Characters. Larger tables are for the REST API and the console. */
const MAX_CSV_LENGTH = 1_000_000;

/** The arguments of a table: `rows`, or `csv` as text. */
export interface TableArgs {
  siteId: string;
  rows?: object[];
  csv?: string;
}

/** The arguments with the rows of a table, in one of two forms, and what checks of them need. */
export const tableFields = {
  siteId,
  ...pickFields(
    batchBody as ObjectSchema,
    'templatePageSlug',
    'facts',
    'linkFrom',
    'holdBelow',
    'model',
  ),
  // each row is validated on its own, so that a wrong one fails alone
  rows: Joi.array()
    .items(Joi.object().unknown())
    .min(1)
    .max(batchLimits.rows)
    .empty(null)
    .description(
      'The rows, one page each. A row has the fields of an item of generate_pages, such as `targetPageSlug` and `context`, and may have its own `templatePageSlug`. Give either rows or csv.',
    ),
  csv: Joi.string()
    .max(MAX_CSV_LENGTH)
    .empty(null)
    .description(
      'The rows as CSV. The first line names the columns: `targetPageSlug`, and the keys of the context.',
    ),
};

/** The options of a batch that only count once it is made. */
export const optionFields = pickFields(
  batchBody as ObjectSchema,
  'title',
  'publish',
  'onWarnings',
  'canary',
);

/**
 * Reads the rows of a call as the REST API reads those of a request.
 * @throws DomainError INVALID_INPUT if the call has no table, two, or one that can't be read
 */
export function readTableArgs(
  { deps, jobOwner }: Pick<AssistantCall, 'deps' | 'jobOwner'>,
  { rows, csv, ...options }: TableArgs,
): Promise<BatchRequest> {
  if ((rows === undefined) === (csv === undefined))
    throw invalidInputError('Give either rows or csv');
  if (csv === undefined)
    return deps.readBatch({ json: Buffer.from(JSON.stringify({ ...options, rows })) }, jobOwner);
  return deps.readBatch(
    { parts: Readable.from([Buffer.from(csv)]), options: options as never },
    jobOwner,
  );
}

/**
 * Checks the form of a batch's id, and adds it to the log lines of the request.
 * @throws DomainError NOT_FOUND if it is malformed
 */
export function requireBatchId(
  { caller }: Pick<AssistantCall, 'caller'>,
  batchIdText: string,
): string {
  if (!isTaskId(batchIdText)) throw notFoundError('Batch not found');
  caller.logContext.batchId = batchIdText;
  return batchIdText;
}

/** The result of a tool that changed a batch. */
export const changedBatchAnswer = toolAnswer({
  batchId: textField('The batch.').required(),
  status: textField('Its status.').required(),
});

export const presentChangedBatch = ({ batch: { batchId: id, status } }: BatchView) => ({
  batchId: id,
  status,
  next: nextReading(id),
});

/** What the assistant should do after a tool has changed a batch. */
export const nextReading = (id: string): string =>
  `Call get_batch with batchId ${id}. It waits up to 45 seconds while the batch runs.`;
