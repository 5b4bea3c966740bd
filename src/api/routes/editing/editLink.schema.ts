import { Joi } from '../../../boundedJoi.ts';
import { pageSlug } from '../../slugSchemas.ts';

/** The body of POST /agent/tasks/{taskId}/edit-link. */
export interface EditLinkBody {
  slug?: string;
}

export const editLinkBody = Joi.object<EditLinkBody>({
  slug: pageSlug()
    .empty(null)
    .description(
      'The page to open, which must be one that the task created or modified. Default: the first of them.',
    ),
})
  .required()
  .label('body');

/** The body of POST /sites/{siteId}/edit-link. */
export const siteEditLinkBody = Joi.object<Required<EditLinkBody>>({
  slug: pageSlug().required().description('The page to open, which must be on the site.'),
})
  .required()
  .label('body');

/** The body of POST /agent/batches/{batchId}/edit-link. */
export const batchEditLinkBody = Joi.object<Required<EditLinkBody>>({
  slug: pageSlug().required().description('The page to open, which must be in the preview.'),
})
  .required()
  .label('body');
