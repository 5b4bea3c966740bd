import Joi from 'joi';
import type { Role } from '../contract/roles.ts';
import { emailAddress } from '../accounts/emailAddress.ts';
import type { Command } from './command.ts';
import { organization, role } from './options.ts';

interface LinkOptions {
  email: string;
  organization?: string;
  role?: Role;
}

const link: Command<LinkOptions> = {
  name: 'user link',
  summary:
    'make a link that signs a person in once, within an hour; with an organization, make the person a member',
  options: Joi.object({
    email: emailAddress.required().description("the person's e-mail address").example('email'),
    organization: organization.description(
      'id of the organization that the person joins, or belongs to in a new role',
    ),
    role: role.description('viewer, member, admin or owner (default: member)').example('role'),
  }).with('role', 'organization'),
  run: ({ linkUser }, { email, organization: organizationId, role: given = 'member' }) =>
    linkUser(email, organizationId === undefined ? undefined : { organizationId, role: given }),
};

export const userCommands = [link];
