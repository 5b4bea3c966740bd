import { schemaRef } from '../openapi/schemas.ts';

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
