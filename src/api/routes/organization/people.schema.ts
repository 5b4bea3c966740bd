import { Joi } from '../../../boundedJoi.ts';
import { type Role, roles } from '../../../contract/roles.ts';
import { createCursor, cursorSchema, limitSchema } from '../../cursors.ts';
import { email, organizationName } from '../account/account.schema.ts';

export const addressCursor = createCursor<string>(
  (address) => address,
  (cursorText) => (cursorText.includes('@') && !cursorText.includes('\0') ? cursorText : null),
);

/** The query of GET /members and GET /invitations. */
export interface PeopleQuery {
  limit: number;
  /** The e-mail address after which the list goes on. */
  cursor?: string;
}

export const peopleQuery = Joi.object<PeopleQuery>({
  limit: limitSchema('people', { usual: 50 }).description('How many at most.'),
  cursor: cursorSchema(addressCursor, 1_000),
});

const role = Joi.string()
  .valid(...roles)
  .required()
  .description('What the person may do.');

/** The body of PATCH /members/{memberId}. */
export interface RoleBody {
  role: Role;
  endKeys: boolean;
}

/** The query of DELETE /members/{memberId}. */
export type RemovalQuery = Pick<RoleBody, 'endKeys'>;

const endKeys = Joi.boolean().default(false);
const listed = 'GET /keys lists them, by `createdBy`.';

export const roleBody = Joi.object<RoleBody>({
  role,
  endKeys: endKeys
    .empty(null)
    .description(
      'Whether the API keys end that the person made and that are of a role above the new one; of a viewer, all that ' +
        `the person made. ${listed}`,
    ),
});
export const removalQuery = Joi.object<RemovalQuery>({
  endKeys: endKeys.description(`Whether the API keys end that the person made. ${listed}`),
});
export const invitationBody = Joi.object<{ email: string; role: Role }>({
  email: email.required(),
  role,
});

/** The body of PATCH /organization. */
export interface OrganizationChangeBody {
  name?: string;
  tokensPerMonth?: number | null;
}

export const organizationChangeBody = Joi.object<OrganizationChangeBody>({
  name: organizationName,
  tokensPerMonth: Joi.number()
    .integer()
    .min(0)
    .max(Number.MAX_SAFE_INTEGER)
    .allow(null)
    .description(
      "Tokens of language models that the organization's tasks may use in a month (UTC), at most as many as the " +
        'operator allows. Null: as many as that.',
    ),
})
  .or('name', 'tokensPerMonth')
  .label('body');
