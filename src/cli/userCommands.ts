import Joi from 'joi';
import type { Role } from '../contract/roles.ts';
import { emailAddress } from '../accounts/emailAddress.ts';
import type { OperatorCommand } from './operatorCommand.ts';
import { organizationOption, roleOption } from './commandOptions.ts';

interface LinkUserOptions {
  email: string;
  organization?: string;
  role?: Role;
}

/** `user link`: creates a sign-in link, e.g. for the first person of an organization. */
const signInLinkCommand: OperatorCommand<LinkUserOptions> = {
  name: 'user link',
  summary:
    'create a link that signs a person in once, within one hour, and optionally make the person a member',
  options: Joi.object({
    email: emailAddress.required().description('the e-mail address of the person').example('email'),
    organization: organizationOption.description(
      'the id of the organization that the person joins or gets a new role in',
    ),
    role: roleOption
      .description('the role of the person: viewer, member, admin or owner (default: member)')
      .example('role'),
  }).with('role', 'organization'),
  run: (
    { createSignInLink },
    { email, organization: organizationId, role: givenRole = 'member' },
  ) =>
    createSignInLink(
      email,
      organizationId === undefined ? undefined : { organizationId, role: givenRole },
    ),
};

export const userCommands = [signInLinkCommand];
