import { Joi } from '../../../boundedJoi.ts';
import { pageMarks } from '../../../contract/reviews/reviewKinds.ts';
import { reviewLimits } from '../../../contract/reviews/pageReviews.ts';
import type { MarkRequest } from '../../../tasks/reviews/markPages.ts';
import { pageSlug } from '../../slugSchemas.ts';

const markedPage = Joi.object({
  slug: pageSlug().required().description('The path of the page.'),
  version: Joi.string().min(40).max(64).required().description('The version that you saw.'),
}).meta({ schemaName: 'MarkedPage' });

const pages = Joi.array()
  .items(markedPage)
  .min(1)
  .max(reviewLimits.pages)
  .required()
  .description('The pages to mark.');

/** The body of PATCH /agent/batches/{batchId}/reviews. */
export const batchMarksBody = Joi.object<MarkRequest>({
  mark: Joi.valid(...pageMarks, 'none')
    .required()
    .description(
      '`fine`: the page may go live. `left-out`: it must not. `none` removes your marks from the pages.',
    ),
  pages,
})
  .required()
  .label('body');

/** The body of PATCH /agent/tasks/{taskId}/reviews. The pages of a task go live together. */
export const taskMarksBody = Joi.object<MarkRequest>({
  mark: Joi.valid('fine', 'none')
    .required()
    .description('`fine`: you looked at the page. `none` removes your marks from the pages.'),
  pages,
})
  .required()
  .label('body');
