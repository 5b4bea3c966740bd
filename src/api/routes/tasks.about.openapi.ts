import { schemaRef, timeSchema } from '../openapi/schemas.ts';

/** The fields of `PresentedAbout`. */
export const aboutFields = {
  title: { type: ['string', 'null'], description: 'At most 200 characters.' },
  createdBy: {
    oneOf: [schemaRef('Maker'), { type: 'null' }],
    description: 'The person, or the API key. Null: nobody knows any more.',
  },
  follows: {
    oneOf: [schemaRef('TaskId'), { type: 'null' }],
    description: 'The task that this one publishes, tries again, or works on top of.',
  },
};

/** And what else the view of one task has. */
export const viewFields = {
  ...aboutFields,
  siteId: { type: 'string', format: 'uuid' },
  type: { type: 'string', enum: ['prompt', 'generate_pages', 'publish', 'restore'] },
  createdAt: timeSchema('ISO 8601 with milliseconds, UTC.'),
  template: { type: 'string', description: 'Slug of the page that new ones are made like.' },
};
/** The view at the end of a stream of events is without them. */
export const optionalFields = ['title', 'createdBy', 'follows', 'siteId', 'type', 'createdAt', 'template'];
