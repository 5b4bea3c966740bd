import { Joi } from '../../../boundedJoi.ts';
import { guestLimits } from '../../../contract/reviews/guestComments.ts';
import type { MarkRequest } from '../../../tasks/reviews/markPages.ts';
import { textSchema } from '../../textSchema.ts';
import { pageSlug } from '../../slugSchemas.ts';
import { markedPages } from '../reviews/reviews.schema.ts';

const key = Joi.string().max(200).required().description('The text after `#key=` in the link.');
const name = textSchema()
  .name({ limit: guestLimits.nameLength })
  .required()
  .description('The name that the guest gave.');

/** The body of POST /shared/{shareId}/reviews. */
export const guestReviewBody = Joi.object<{ key: string }>({ key }).required().label('body');

/** The body of POST /shared/{shareId}/marks. */
export const guestMarksBody = Joi.object<MarkRequest & { key: string; name: string }>({
  mark: Joi.valid('fine', 'none')
    .required()
    .description('`fine`: you looked at the page. `none` removes your marks from the pages.'),
  pages: markedPages,
  key,
  name,
})
  .required()
  .label('body');

/** The body of POST /shared/{shareId}/comments. */
export const guestCommentBody = Joi.object<{
  key: string;
  name: string;
  slug: string;
  text: string;
}>({
  key,
  name,
  slug: pageSlug().required().description('The path of the page.'),
  text: textSchema()
    .printable(guestLimits.commentLength)
    .required()
    .description('What is wrong with the page. It becomes an open note on it.'),
})
  .required()
  .label('body');
