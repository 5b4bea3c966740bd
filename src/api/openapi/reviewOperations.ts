import * as reviews from '../../contract/responses/reviews.ts';
import { batchMarksBody, taskMarksBody } from '../routes/reviews/reviews.schema.ts';
import { type ApiOperation, requestBody } from './operation.ts';

const markExamples = {
  fine: { mark: 'fine', pages: [{ slug: '/locations/porto', version: 'c0'.repeat(20) }] },
};
const reviewDescription =
  'Compares each page with its template, and says how it differs from its siblings. Contains the marks of all people.';
const marksDescription =
  'Replaces your own marks on these pages. A mark counts for the version of the page that you saw.';

/** Operations on the review of the pages of tasks and batches. */
export const reviewOperations = {
  reviewBatch: {
    route: 'GET /agent/batches/{batchId}/reviews',
    tag: 'Batches',
    summary: 'Review the pages of a batch',
    description: `${reviewDescription} Lists the pages that are in the preview and not live.`,
    answer: reviews.PageReviews,
    errors: ['SITE_WITHOUT_REPOSITORY', 'CONFLICT', 'UNAVAILABLE'],
  },
  markBatchPages: {
    route: 'PATCH /agent/batches/{batchId}/reviews',
    tag: 'Batches',
    summary: 'Mark pages of a batch',
    description: marksDescription,
    body: requestBody('MarkBatchPages', batchMarksBody, markExamples),
    answer: reviews.MarkedPages,
    errors: [],
  },
  reviewTask: {
    route: 'GET /agent/tasks/{taskId}/reviews',
    tag: 'Follow-ups',
    summary: 'Review the pages of a task',
    description: reviewDescription,
    answer: reviews.PageReviews,
    errors: ['SITE_WITHOUT_REPOSITORY', 'CONFLICT', 'UNAVAILABLE'],
  },
  markTaskPages: {
    route: 'PATCH /agent/tasks/{taskId}/reviews',
    tag: 'Follow-ups',
    summary: 'Mark pages of a task',
    description: marksDescription,
    body: requestBody('MarkTaskPages', taskMarksBody, markExamples),
    answer: reviews.MarkedPages,
    errors: ['CONFLICT'],
  },
} satisfies Record<string, ApiOperation>;
