import Joi from 'joi';
import { accesses, type NewShare, shareDays } from '../../organizations/shares.ts';

/** The body of POST /agent/tasks/{taskId}/shares. */
export type ShareBody = Pick<NewShare, 'access' | 'days'>;

export const shareBody = Joi.object<ShareBody>({
  access: Joi.string()
    .valid(...accesses)
    .required()
    .description('`view`: look at the previews. `edit`: change the pages by hand too.'),
  days: Joi.number()
    .valid(...shareDays)
    .empty(null)
    .default(7)
    .description('How long the link works.'),
})
  .required()
  .label('body');

/** The body of POST /shared/{shareId}. */
export const openShareBody = Joi.object<{ key: string }>({
  key: Joi.string().max(200).required().description("What stands after `#key=` in the link's address."),
})
  .required()
  .label('body');
