import { Joi } from '../../../boundedJoi.ts';

/** The body of POST …/approvals. */
export const approvalBody = Joi.object<{ version: string }>({
  version: Joi.string()
    .max(64)
    .required()
    .description('The version that you looked at, as `GET` returns it.'),
})
  .required()
  .label('body');
