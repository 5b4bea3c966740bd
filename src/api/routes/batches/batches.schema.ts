import type { AnySchema } from 'joi';
import { Joi } from '../../../boundedJoi.ts';
import { batchLimits, type RowState, rowStates } from '../../../contract/batches/batch.ts';
import { isTaskId, type PageItem } from '../../../contract/task.ts';
import type { RequestedBatchOptions } from '../../../tasks/batches/create.ts';
import { createCursor, cursorSchema, limitSchema } from '../../cursors.ts';
import { linkingSlug, newPageSlug, pageSlug } from '../../slugSchemas.ts';
import {
  callbackUrl,
  itemFields,
  onWarnings,
  publish,
  TARGET_DESCRIPTION,
  title,
  uuidText,
} from '../tasks/tasks.schema.ts';

const { rows: MOST_ROWS } = batchLimits;
/** What is wrong with a batch without rows or with too many, as the end of a sentence. */
export const ROW_COUNT_PROBLEM = `must contain 1 to ${MOST_ROWS} rows`;
const countProblem = `{{#label}} ${ROW_COUNT_PROBLEM}`;

/** The options of a batch, and the defaults for rows that do not have their own. */
export interface BatchBody extends RequestedBatchOptions {
  templatePageSlug?: string;
  facts?: PageItem['facts'];
}

const fields = {
  siteId: uuidText().required().description('The site to modify.'),
  templatePageSlug: pageSlug()
    .empty(null)
    .description(
      'The path of an existing page of the site, which is the template for rows that do not name one.',
    ),
  title,
  publish,
  onWarnings: onWarnings.description(
    '`hold`: pages with a warning are held. They are in the preview until a person publishes them.',
  ),
  facts: itemFields.facts.description(
    'What to do with facts of the template that the context does not mention, for rows that do not set `facts`.',
  ),
  linkFrom: linkingSlug()
    .empty(null)
    .description(
      'The path of a page that links to the template. Its card, list item or table row is repeated for each new page.',
    ),
  canary: Joi.number()
    .integer()
    .min(1)
    .max(MOST_ROWS)
    .empty(null)
    .description(
      'The number of pages to create first. The batch creates them from the first valid rows, publishes them if `publish` is true, and waits for a person to approve the other rows.',
    ),
  holdBelow: Joi.number()
    .min(0)
    .max(1)
    .empty(null)
    .description('Holds pages if the share of their own text (`ownShare`) is below this value.'),
  callbackUrl,
  model: Joi.string()
    .max(200)
    .empty(null)
    .description(
      'The language model that writes the pages: one of the models that the service offers, or `rules`.',
    ),
};

/** The query of a request whose body is CSV. */
export const batchQuery = Joi.object<BatchBody>(fields);

/** The JSON body. Its rows are validated one by one, so that an invalid row fails alone. */
export const batchBody: AnySchema<BatchBody & { rows: unknown[] }> = Joi.object({
  ...fields,
  rows: Joi.array()
    .min(1)
    .max(MOST_ROWS)
    .messages({ 'array.min': countProblem, 'array.max': countProblem })
    .required()
    .description(
      'The rows. An invalid row fails, and the batch still creates the pages of the other rows.',
    ),
}).label('body');

/** A row as it was sent, which may lack fields that the options of the batch have. */
type BatchRowBody = PageItem & { templatePageSlug?: string };

export const batchRow = Joi.object<BatchRowBody>({
  targetPageSlug: newPageSlug().required().description(TARGET_DESCRIPTION),
  ...itemFields,
  templatePageSlug: pageSlug().empty(null).description('The path of the template of this row.'),
})
  .required()
  .label('row')
  .meta({ schemaName: 'BatchRowRequest' });

/** The query of GET /agent/batches. */
export interface BatchListQuery {
  siteId?: string;
  limit: number;
  cursor?: { createdAt: string; batchId: string };
}

const batchPosition = /^(?<createdAt>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) (?<batchId>bg-\w+)$/;

export const batchCursor = createCursor<{ createdAt: string; batchId: string }>(
  ({ createdAt, batchId }) => `${createdAt} ${batchId}`,
  (cursorText) => {
    const { createdAt = '', batchId = '' } = batchPosition.exec(cursorText)?.groups ?? {};
    const isTime = Date.parse(createdAt) > 0 && new Date(createdAt).toISOString() === createdAt;
    return isTime && isTaskId(batchId) ? { createdAt, batchId } : null;
  },
);

export const batchListQuery = Joi.object<BatchListQuery>({
  siteId: uuidText().lowercase().description('Return only batches of this site.'),
  limit: limitSchema('batches'),
  cursor: cursorSchema(batchCursor, 100),
});

/** The query of GET /agent/batches/{batchId}/rows. */
export interface RowListQuery {
  state?: RowState;
  limit: number;
  /** The number of the last row of the previous part. */
  cursor?: number;
}

export const rowCursor = createCursor<number>(
  (rowNumber) => `row ${rowNumber}`,
  (cursorText) => {
    const rowNumber = Number(/^row (\d{1,4})$/.exec(cursorText)?.[1]);
    return rowNumber >= 1 && rowNumber <= MOST_ROWS ? rowNumber : null;
  },
);

export const rowListQuery = Joi.object<RowListQuery>({
  state: Joi.string()
    .valid(...rowStates)
    .description('Return only rows in this state.'),
  limit: limitSchema('rows', { usual: 100, most: 500 }),
  cursor: cursorSchema(rowCursor, 20),
});

/** The query of GET /agent/batches/{batchId}/notes. */
export interface BatchNotesQuery {
  limit: number;
  /** The number of notes of the previous parts. */
  cursor?: number;
}

export const batchNoteCursor = createCursor<number>(
  (shownCount) => `note ${shownCount}`,
  (cursorText) => {
    const shownCount = Number(/^note (\d{1,6})$/.exec(cursorText)?.[1]);
    return shownCount >= 1 ? shownCount : null;
  },
);

export const batchNotesQuery = Joi.object<BatchNotesQuery>({
  limit: limitSchema('notes', { usual: 100, most: 500 }),
  cursor: cursorSchema(batchNoteCursor, 20),
});

const rowNumbers = Joi.array()
  .items(Joi.number().integer().min(1).max(MOST_ROWS))
  .min(1)
  .max(MOST_ROWS)
  .unique()
  .description('The numbers of the rows.');

/** The body of POST …/skip. */
export const skipBody = Joi.object<{ rows: number[] }>({ rows: rowNumbers.required() }).label(
  'body',
);

/** The body of POST …/retry, …/approve and …/publish. */
export const someRowsBody = Joi.object<{ rows?: number[] }>({
  rows: rowNumbers.empty(null),
}).label('body');
