import { Joi } from '../../../boundedJoi.ts';
import { pageMarks } from '../../../contract/reviews/reviewKinds.ts';
import { reviewLimits } from '../../../contract/reviews/pageReviews.ts';
import type { MarkRequest } from '../../../tasks/reviews/markPages.ts';
import { pageSlug } from '../../slugSchemas.ts';

const markedPage = Joi.object({
  slug: pageSlug().required().description('The path of the page.'),
  version: Joi.string().hex().min(40).max(64).required().description('The version that you saw.'),
}).meta({ schemaName: 'MarkedPage' });

/** The body of PATCH …/reviews. */
export const marksBody = Joi.object<MarkRequest>({
  mark: Joi.valid(...pageMarks, null)
    .required()
    .description(
      '`fine`: the page may go live. `left-out`: it must not. Null removes your marks from the pages.',
    ),
  pages: Joi.array()
    .items(markedPage)
    .min(1)
    .max(reviewLimits.pages)
    .required()
    .description('The pages to mark.'),
})
  .required()
  .label('body');
