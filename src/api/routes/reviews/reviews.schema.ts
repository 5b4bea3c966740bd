import { Joi } from '../../../boundedJoi.ts';
import { pageMarks } from '../../../contract/reviews/reviewKinds.ts';
import { reviewLimits } from '../../../contract/reviews/pageReviews.ts';
import type { MarkRequest } from '../../../tasks/reviews/markPages.ts';
import { pageSlug } from '../../slugSchemas.ts';

const markedPage = Joi.object({
  slug: pageSlug().required().description('The path of the page.'),
  version: Joi.string().min(40).max(64).required().description('The version that you saw.'),
}).meta({ schemaName: 'MarkedPage' });

export const markedPages = Joi.array()
  .items(markedPage)
  .min(1)
  .max(reviewLimits.pages)
  .required()
  .description('The pages to mark.');

/** The body of PATCH /agent/batches/{batchId}/reviews and PATCH /agent/tasks/{taskId}/reviews. */
export const pageMarksBody = Joi.object<MarkRequest>({
  mark: Joi.valid(...pageMarks, 'none')
    .required()
    .description(
      '`fine`: the page may go live. `left-out`: it must not. `none` removes your marks from the pages.',
    ),
  pages: markedPages,
})
  .required()
  .label('body');
