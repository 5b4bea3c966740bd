import { schemaRef } from '../openapi/schemas.ts';

/** Names of the fields below. The view at the end of a stream of events is without them. */
export const aboutNames = ['title', 'createdBy', 'follows'];

/** The fields of `PresentedAbout`. */
export const aboutFields = {
  title: { type: ['string', 'null'], description: 'At most 200 characters. Null for tasks of earlier versions.' },
  createdBy: {
    oneOf: [schemaRef('Maker'), { type: 'null' }],
    description: 'The person, or the API key. Null for tasks of earlier versions.',
  },
  follows: {
    oneOf: [schemaRef('TaskId'), { type: 'null' }],
    description: 'The task that this one publishes, tries again, or works on top of.',
  },
};
