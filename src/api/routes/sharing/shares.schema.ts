import { Joi } from '../../../boundedJoi.ts';
import {
  type ShareAccess,
  accesses,
  type NewShareLink,
  shareDays,
} from '../../../organizations/shareLinks.ts';
import { timeListQuery, type TimeListQuery } from '../organization/keys.schema.ts';
import { taskIdText, uuidText } from '../tasks/tasks.schema.ts';

/** The body of POST /agent/tasks/{taskId}/shares. */
export type ShareBody = Pick<NewShareLink, 'access' | 'days'>;

export const shareBody = Joi.object<ShareBody>({
  access: Joi.string()
    .valid(...accesses)
    .required()
    .description('`view`: look at the previews. `edit`: change the pages by hand too.'),
  days: Joi.number()
    .valid(...shareDays)
    .empty(null)
    .default(7)
    .description('How long the link works.')
    .meta({ schemaName: 'ShareDays' }),
})
  .required()
  .label('body');

/** The query of GET /shares. */
export interface ShareListQuery extends TimeListQuery {
  taskId?: string;
  access?: ShareAccess;
  createdBy?: string;
}

export const shareListQuery = timeListQuery<ShareListQuery>('links', {
  taskId: taskIdText().description('Only links to the pages of this task.'),
  access: Joi.string()
    .valid(...accesses)
    .description('Only links that let people do this.'),
  createdBy: uuidText().lowercase().description('Only links that this person made: a `userId`.'),
});

/** The query of GET /account/shared. */
export interface SharedQuery extends TimeListQuery {
  organizationId: string;
}

export const sharedQuery = timeListQuery<SharedQuery>('links', {
  organizationId: Joi.string().max(36).required().description('An organization of the person.'),
});

/** The body of POST /shared/{shareId}. */
export const openShareBody = Joi.object<{ key: string }>({
  key: Joi.string()
    .max(200)
    .required()
    .description("What stands after `#key=` in the link's address."),
})
  .required()
  .label('body');
