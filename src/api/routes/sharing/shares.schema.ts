import { Joi } from '../../../boundedJoi.ts';
import {
  type ShareAccess,
  accesses,
  type NewShareLink,
  shareDays,
} from '../../../organizations/shareLinks.ts';
import { createCursor, cursorSchema, limitSchema } from '../../cursors.ts';
import type { SharedPagesPart } from '../../../tasks/shareLinks.ts';
import { timeListQuery, type TimeListQuery } from '../organization/keys.schema.ts';
import { taskIdText, uuidText } from '../tasks/tasks.schema.ts';

/** The body of POST /agent/tasks/{taskId}/shares and POST /agent/batches/{batchId}/shares. */
export type ShareBody = Pick<NewShareLink, 'access' | 'days'>;

export const shareBody = Joi.object<ShareBody>({
  access: Joi.string()
    .valid(...accesses)
    .required()
    .description(
      '`view`: people can see the previews. `comment`: people can also say which pages are fine, which approves them, and what is wrong. `edit`: people can also edit the pages by hand.',
    ),
  days: Joi.number()
    .valid(...shareDays)
    .empty(null)
    .default(7)
    .description('The number of days for which the link is valid.')
    .meta({ schemaName: 'ShareDays' }),
})
  .required()
  .label('body');

/** The query of GET /shares. */
export interface ShareListQuery extends TimeListQuery {
  taskId?: string;
  batchId?: string;
  access?: ShareAccess;
  createdBy?: string;
}

export const shareListQuery = timeListQuery<ShareListQuery>('links', {
  taskId: taskIdText().description('Return only links to the pages of this task.'),
  batchId: taskIdText().description('Return only links to the pages of this batch.'),
  access: Joi.string()
    .valid(...accesses)
    .description('Return only links with this access.'),
  createdBy: uuidText()
    .lowercase()
    .description('Return only links that this person, by `userId`, created.'),
});

/** The query of GET /account/shared. */
export interface SharedQuery extends TimeListQuery {
  organizationId: string;
}

export const sharedQuery = timeListQuery<SharedQuery>('links', {
  organizationId: Joi.string()
    .max(36)
    .required()
    .description('An organization to which the person belongs.'),
});

/** The most pages of one answer. */
const MOST_PAGES = 500;

export const sharedPageCursor = createCursor<number>(
  (position) => `page ${position}`,
  (cursorText) => {
    const position = Number(cursorText.slice('page '.length));
    return Number.isInteger(position) && position >= 1 ? position : null;
  },
);

const sharedPageFields = {
  limit: limitSchema('pages', { usual: MOST_PAGES, most: MOST_PAGES }),
  cursor: cursorSchema(sharedPageCursor, 20),
};

/** The query of GET /account/shared/{shareId}. */
export const sharedPagesQuery = Joi.object<SharedPagesPart>(sharedPageFields);

/** The body of POST /shared/{shareId}. */
export const openShareBody = Joi.object<{ key: string } & SharedPagesPart>({
  key: Joi.string().max(200).required().description('The text after `#key=` in the link.'),
  ...sharedPageFields,
})
  .required()
  .label('body');
