import { batchLimits, batchStatuses, rowStates } from '../../contract/batch.ts';
import { answer, body, optionalBody } from '../openapi/bodies.ts';
import {
  startErrors,
  unreadableRepository,
  wrongBody,
  wrongQuery,
} from '../openapi/commonErrors.ts';
import { jsonSchemaOf, namedSchemas, queryParametersOf } from '../openapi/jsonSchema.ts';
import type { Errors, JsonSchema, Operation, RoutesDescription } from '../openapi/operation.ts';
import {
  exampleBatchId,
  exampleSiteId,
  idempotencyKeyParameter,
  siteNotFound,
} from '../openapi/parameters.ts';
import {
  arrayOf,
  booleanSchema,
  countSchema,
  enumSchema,
  nextCursor,
  nullable,
  objectSchema,
  orNull,
  schemaRef,
  textSchema,
  time,
  timeSchema,
  urlSchema,
  uuidSchema,
} from '../openapi/schemas.ts';
import {
  batchBody,
  batchListQuery,
  batchQuery,
  batchRow,
  rowListQuery,
  skipBody,
  someRowsBody,
} from './batches.schema.ts';
import { aboutExample } from './tasks.examples.ts';

const numberSchema = { type: 'integer', minimum: 1 };
const share = { type: 'number', minimum: 0, maximum: 1 };

const { properties, ...request } = jsonSchemaOf(batchBody) as {
  properties: Record<'rows', JsonSchema> & Record<string, JsonSchema>;
};

const schemas: Record<string, JsonSchema> = {
  BatchRequest: {
    ...request,
    properties: {
      ...properties,
      rows: { ...properties.rows, items: schemaRef('BatchRowRequest') },
    },
  },
  ...namedSchemas(batchRow),
  BatchCreated: objectSchema({
    batchId: schemaRef('TaskId'),
    createdAt: time,
    rows: { ...numberSchema, description: 'How many there are.' },
    failed: countSchema('How many of them are wrong, and so have failed.'),
  }),
  BatchCheck: objectSchema({
    ok: booleanSchema('Whether there are no problems.'),
    agent: textSchema(
      'Who would do the work: `rules`, or a language model as `<provider>/<model>`.',
    ),
    problems: arrayOf(schemaRef('CheckProblem'), 'Why the whole batch would fail.'),
    rows: arrayOf(schemaRef('CheckedRow'), 'The rows with problems.'),
    make: countSchema('How many rows would be made.'),
    fail: countSchema('How many would fail.'),
    'estimate?': {
      ...schemaRef('BatchEstimate'),
      description: 'What the language model would use, roughly. Absent for `rules`.',
    },
  }),
  CheckedRow: objectSchema({
    number: numberSchema,
    targetPageSlug: textSchema('As it was given, if it is no slug.'),
    problems: arrayOf(schemaRef('CheckProblem'), 'Why the row would fail.'),
  }),
  BatchEstimate: objectSchema({
    inputTokens: countSchema(),
    outputTokens: countSchema(),
    cost: nullable(schemaRef('BatchCost'), "Null where the model's price is not known."),
  }),
  BatchCost: objectSchema({
    amount: textSchema('A decimal number.'),
    currency: textSchema('ISO 4217 code.'),
  }),
  Batch: objectSchema({
    batchId: schemaRef('TaskId'),
    siteId: uuidSchema(),
    status: enumSchema(
      batchStatuses,
      '`waiting`: for an approval of the rows after the canary. `completed`: no row is left to do, though some may have failed or be held.',
    ),
    'errorMessage?': textSchema('Why it failed.'),
    rows: schemaRef('BatchRowCounts'),
    title: textSchema('What people tell it apart by.'),
    createdBy: schemaRef('Maker'),
    createdAt: time,
    finishedAt: orNull(timeSchema('Null until it ends.')),
    publish: booleanSchema('Whether its pages go live.'),
    onWarnings: enumSchema(['publish', 'hold']),
    'holdBelow?': share,
    'linkFrom?': textSchema('The page that gets links to the new ones.'),
    'canary?': numberSchema,
    'canaryApproved?': booleanSchema('Whether the rows after the canary may be made.'),
    model: textSchema('`rules`, or a language model.'),
    'callbackOrigin?': textSchema('The origin of `callbackUrl`.'),
    previewUrl: orNull(
      urlSchema('The origin of the preview. Null before there is one, and once it is gone.'),
    ),
    'pullRequestUrl?': urlSchema('Of sites that publish by pull requests.'),
    'usage?': schemaRef('BatchUsage'),
  }),
  BatchRowCounts: {
    ...objectSchema(Object.fromEntries(rowStates.map((state) => [state, countSchema()]))),
    description: 'How many rows are in each state.',
  },
  BatchUsage: objectSchema({ builds: countSchema("Builds at the team's own host.") }),
  BatchRow: objectSchema({
    number: { ...numberSchema, description: 'Its place in the request.' },
    targetPageSlug: textSchema('Path of its page; as it was given, if it is no slug.'),
    'externalId?': textSchema('The `externalId` of the row.'),
    state: enumSchema(
      rowStates,
      '`written`: in no commit yet. `held`: in the preview, and not to be published before it is approved. `skipped`: taken out.',
    ),
    'error?': textSchema('Why it failed.'),
    'notes?': arrayOf(schemaRef('Note'), 'What is worth a look.'),
    'ownShare?': {
      ...share,
      description: "The share of the page's words that neither its template nor its siblings have.",
    },
    previewUrl: orNull(urlSchema('Where to look at the page.')),
    editUrl: orNull(
      urlSchema("Opens the page in the editor, for members. Null while it can't be edited."),
    ),
    publishedUrl: orNull(urlSchema('The live page.')),
  }),
  BatchList: objectSchema({
    batches: arrayOf(schemaRef('Batch'), 'The latest first.'),
    nextCursor,
  }),
  BatchRows: objectSchema({
    rows: arrayOf(schemaRef('BatchRow'), 'In the order of the request.'),
    nextCursor,
  }),
  SkipRows: jsonSchemaOf(skipBody),
  SomeRows: jsonSchemaOf(someRowsBody),
};

const requestExample = {
  siteId: exampleSiteId,
  templatePageSlug: '/locations/austin',
  rows: [
    { targetPageSlug: '/locations/porto', context: 'City: Porto', externalId: 'row-17' },
    { targetPageSlug: '/locations/faro', context: 'City: Faro' },
  ],
  publish: true,
  canary: 1,
};
const csvExample = 'targetPageSlug,City\n/locations/porto,Porto\n/locations/faro,Faro\n';
const batchExample = {
  batchId: exampleBatchId,
  siteId: exampleSiteId,
  status: 'waiting',
  rows: { ...Object.fromEntries(rowStates.map((state) => [state, 0])), waiting: 1, published: 1 },
  title: '2 pages from /locations/austin',
  createdBy: aboutExample.createdBy,
  createdAt: '2026-11-21T07:00:16.667Z',
  finishedAt: null,
  publish: true,
  onWarnings: 'publish',
  canary: 1,
  canaryApproved: false,
  model: 'rules',
  previewUrl: `http://${exampleBatchId}--northwind.preview.localhost:3000`,
};
const rowExample = {
  number: 1,
  targetPageSlug: '/locations/porto',
  externalId: 'row-17',
  state: 'published',
  previewUrl: `http://${exampleBatchId}--northwind.preview.localhost:3000/locations/porto`,
  editUrl: `http://localhost:3000/edit/${exampleBatchId}/locations/porto`,
  publishedUrl: 'http://northwind.sites.localhost:3000/locations/porto',
};
const problem = { code: 'PAGE_EXISTS', message: 'Page already exists: /locations/faro' };

const requestBody = {
  ...body('BatchRequest', { batch: requestExample }),
  others: {
    'text/csv': {
      schema: {
        type: 'string',
        description:
          'A header and a line for each row, in UTF-8 (or UTF-16 with a byte order mark), with commas, semicolons or tabs: `targetPageSlug`, `context`, `externalId`, `templatePageSlug`, `facts`. Without `context`, every other column is a line `Column: value` of it. A row has 2,000,000 characters at most, and a table 50,000 lines.',
      },
      examples: { table: { value: csvExample } },
    },
  },
};
const queryOfCsv = queryParametersOf(batchQuery).map(({ required: _, ...parameter }) => ({
  ...parameter,
  description: `Of CSV: ${parameter.description}`,
}));

const requestErrors: Errors = {
  400: {
    ...wrongBody('rows must contain 1 to 5000 rows'),
    'Invalid query: siteId is required': 'The options of CSV are in the query.',
    'Invalid request body: no row can be used: row 1: context is required':
      'The first twenty rows are named.',
    'Request body is not valid CSV: two columns are called "City"':
      'It is no table with a header, in UTF-8 or UTF-16.',
    'Request body takes more than 2 s of CPU time to read': 'It is no usual table.',
    'Invalid callback URL': startErrors[400]['Invalid callback URL'],
    'Site is missing repository information':
      startErrors[400]['Site is missing repository information'],
  },
  404: siteNotFound,
  413: {
    [`Request body must not be over ${batchLimits.bodyBytes} bytes`]: 'The body is too large.',
  },
  415: {
    'Content-Type must be application/json or text/csv':
      'The body is of another media type or charset.',
  },
};

const create: Operation = {
  method: 'post',
  path: '/agent/batches',
  operationId: 'createBatch',
  summary: 'Make a page for each row of a table',
  description: [
    'Up to 5,000 rows and 20 MB, as JSON, or as CSV with the options in the query. A row that is wrong, or whose page',
    "can't be made, fails alone. All pages have one preview, and with `publish` they go live together. One callback tells",
    'the end.',
  ].join('\n'),
  parameters: [idempotencyKeyParameter, ...queryOfCsv],
  body: requestBody,
  webhook: 'batchEnded',
  answers: {
    200: answer('The batch is running.', 'BatchCreated', {
      created: { batchId: exampleBatchId, createdAt: batchExample.createdAt, rows: 2, failed: 0 },
    }),
  },
  errors: {
    ...startErrors,
    ...requestErrors,
    400: { ...requestErrors[400], ...startErrors[400] },
  },
};

const check: Operation = {
  method: 'post',
  path: '/agent/batches/check',
  operationId: 'checkBatch',
  summary: 'Say which rows of a batch would fail, and what the others would cost',
  description: [
    'Takes the body of `POST /agent/batches`, and starts nothing. Where all rows are wrong it says so too. No page is',
    'written for it: `POST /agent/tasks/check` tells of ten rows how their pages come out.',
  ].join('\n'),
  parameters: queryOfCsv,
  body: requestBody,
  answers: {
    200: answer('The answer. The site may change before a batch begins.', 'BatchCheck', {
      checked: {
        ok: false,
        agent: 'openai/gpt-5',
        problems: [],
        rows: [{ number: 2, targetPageSlug: '/locations/faro', problems: [problem] }],
        make: 1,
        fail: 1,
        estimate: {
          inputTokens: 3_120,
          outputTokens: 940,
          cost: { amount: '0.0133', currency: 'USD' },
        },
      },
    }),
  },
  errors: { ...unreadableRepository, ...requestErrors },
};

const read: Operation = {
  method: 'get',
  path: '/agent/batches/{batchId}',
  operationId: 'getBatch',
  summary: 'Read the status of a batch',
  answers: { 200: answer('The batch as it is now.', 'Batch', { batch: batchExample }) },
};

const list: Operation = {
  method: 'get',
  path: '/agent/batches',
  operationId: 'listBatches',
  summary: "List your organization's batches",
  parameters: queryParametersOf(batchListQuery),
  answers: {
    200: answer('A part of the list.', 'BatchList', {
      batches: { batches: [batchExample], nextCursor: null },
    }),
  },
  errors: { 400: wrongQuery('siteId must be a UUID') },
};

const rows: Operation = {
  method: 'get',
  path: '/agent/batches/{batchId}/rows',
  operationId: 'listBatchRows',
  summary: 'List the rows of a batch',
  parameters: queryParametersOf(rowListQuery),
  answers: {
    200: answer('A part of the rows.', 'BatchRows', {
      rows: { rows: [rowExample], nextCursor: null },
    }),
  },
  errors: { 400: wrongQuery('state must be one of [waiting, written, committed]') },
};

const wrongState = (text: string, when: string): Errors => ({ 409: { [text]: when } });
const { 403: outOfTokens, 429: inFlight, 500: notStarted, 503: full } = startErrors;
/** Errors of a command after which the batch runs. */
const running: Errors = {
  403: outOfTokens,
  404: siteNotFound,
  429: inFlight,
  500: notStarted,
  503: full,
};
const untold = { 'Service Unavailable': 'The batch could not be told just now.' };

type Command = Pick<Operation, 'operationId' | 'summary' | 'description' | 'errors' | 'body'>;
const command = (name: string, described: Command): Operation => ({
  method: 'post',
  path: `/agent/batches/{batchId}/${name}`,
  answers: { 200: answer('The batch as it is now.', 'Batch', { batch: batchExample }) },
  ...described,
});

const commands = [
  command('pause', {
    operationId: 'pauseBatch',
    summary: 'Pause a batch',
    description: 'The pages that are being made are finished first.',
    errors: {
      409: {
        "Batch can't be paused: it is completed": 'Only what runs can be paused.',
        "Batch can't be paused: it is being published": 'It is about to end.',
      },
      503: untold,
    },
  }),
  command('resume', {
    operationId: 'resumeBatch',
    summary: 'Go on with a batch that is paused or has failed',
    errors: {
      ...running,
      ...wrongState("Batch can't be resumed: it is running", 'It is neither paused nor failed.'),
    },
  }),
  command('cancel', {
    operationId: 'cancelBatch',
    summary: 'Cancel a batch',
    description:
      'Nothing more is made or published, and the callback is told. What is published stays.',
    errors: {
      409: {
        "Batch can't be cancelled: it is completed": 'It has ended.',
        "Batch can't be cancelled: it is being published": 'It is too late.',
      },
      503: untold,
    },
  }),
  command('publish', {
    operationId: 'publishBatch',
    summary: 'Publish a batch that was made without `publish`, or edited since',
    description:
      'Its committed pages go live, and from now on also those of rows that are made or approved later. A live page that was edited by hand is committed. Held pages stay held.',
    errors: {
      ...running,
      409: {
        "Batch can't be published: it is running": 'It has not ended.',
        "Batch can't be published: no row is committed": 'There is nothing to do.',
      },
    },
  }),
  command('retry', {
    operationId: 'retryBatch',
    summary: 'Make failed rows again',
    description: 'All of them, or those of the body. A row whose request is wrong stays failed.',
    body: optionalBody('SomeRows', { rows: { rows: [2] } }),
    errors: {
      400: wrongBody('rows must be an array'),
      ...running,
      409: {
        "Rows can't be retried: row 3 is published": 'No row was changed.',
        "Rows can't be retried: none has failed, or the requests of those that did are wrong":
          'There is nothing to do.',
        "Batch can't retry rows: it was cancelled": 'Make another batch.',
      },
    },
  }),
  command('skip', {
    operationId: 'skipBatchRows',
    summary: 'Take rows out of a batch',
    description: 'Rows that wait, failed or are held.',
    body: body('SkipRows', { rows: { rows: [2] } }),
    errors: {
      400: wrongBody('rows is required'),
      409: {
        "Rows can't be skipped: row 3 is published": 'No row was changed.',
        "Rows can't be skipped: all are published or committed": 'There is nothing to do.',
      },
    },
  }),
  command('approve', {
    operationId: 'approveBatch',
    summary: 'Approve held pages, and the rows after the canary',
    description:
      'With `rows`: these held pages. Without: all of them, and the rows after the canary.',
    body: optionalBody('SomeRows', { rows: { rows: [2] } }),
    errors: {
      400: wrongBody('rows must be an array'),
      ...running,
      409: {
        "Rows can't be approved: row 3 is published": 'No row was changed.',
        "Rows can't be approved: none is held": 'There is nothing to do.',
        "Batch can't approve rows: it was cancelled": 'Make another batch.',
      },
    },
  }),
];

export const batches: RoutesDescription = {
  tag: { name: 'Batches', description: 'A page for each row of a table.' },
  schemas,
  operations: [create, check, list, read, rows, ...commands],
};
