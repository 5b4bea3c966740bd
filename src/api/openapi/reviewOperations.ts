import * as reviews from '../../contract/responses/reviews.ts';
import { pageMarksBody } from '../routes/reviews/reviews.schema.ts';
import { type ApiOperation, requestBody } from './operation.ts';

const pages = [{ slug: '/locations/porto', version: 'c0'.repeat(20) }];
const marksBody = requestBody('MarkPages', pageMarksBody, {
  fine: { mark: 'fine', pages },
  leftOut: { mark: 'left-out', pages },
});
const reviewDescription =
  'Compares each page with its template, and says how it differs from its siblings. Contains the marks of all people.';
const marksDescription =
  'Replaces your own marks on these pages. A mark needs the current version of the page, so that nobody marks what they did not see.';

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
    body: marksBody,
    answer: reviews.MarkedPages,
    errors: ['SITE_WITHOUT_REPOSITORY', 'CONFLICT', 'UNAVAILABLE'],
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
    body: marksBody,
    answer: reviews.MarkedPages,
    errors: ['SITE_WITHOUT_REPOSITORY', 'CONFLICT', 'UNAVAILABLE'],
  },
} satisfies Record<string, ApiOperation>;
