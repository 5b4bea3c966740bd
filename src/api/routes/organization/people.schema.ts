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
  /** The e-mail address after which the list continues. */
  cursor?: string;
}

export const peopleQuery = Joi.object<PeopleQuery>({
  limit: limitSchema('people', { usual: 50 }).description(
    'The maximum number of entries to return.',
  ),
  cursor: cursorSchema(addressCursor, 1_000),
});

const role = Joi.string()
  .valid(...roles)
  .required()
  .description('The role of the person.');

/** The body of PATCH /members/{memberId}. */
export interface RoleBody {
  role: Role;
  endKeys: boolean;
}

/** The query of DELETE /members/{memberId}. */
export type RemovalQuery = Pick<RoleBody, 'endKeys'>;

const endKeys = Joi.boolean().default(false);
const listed = '`GET /keys?createdBy=…` lists them.';

export const roleBody = Joi.object<RoleBody>({
  role,
  endKeys: endKeys
    .empty(null)
    .description(
      'Whether to revoke the API keys that the person created and that have a role above the new one, or ' +
        `all keys that the person created if the new role is viewer. ${listed}`,
    ),
});
export const removalQuery = Joi.object<RemovalQuery>({
  endKeys: endKeys.description(`Whether to revoke the API keys that the person created. ${listed}`),
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
      "The number of language model tokens that the organization's tasks may use in a month (UTC). It must not be above " +
        "the operator's limit. Null: the operator's limit applies.",
    ),
})
  .or('name', 'tokensPerMonth')
  .label('body');
