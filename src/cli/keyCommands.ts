import Joi from 'joi';
import type { Role } from '../contract/roles.ts';
import type { Command } from './command.ts';
import { duration, name, organization, role, uuid } from './options.ts';

interface CreateOptions {
  organization: string;
  role: Role;
  name?: string;
  /** Milliseconds from now. */
  expires?: number;
}

const create: Command<CreateOptions> = {
  name: 'key create',
  summary: 'make an API key; it is shown this once',
  options: Joi.object({
    organization: organization.required(),
    role: role
      .required()
      .description('what the key may do: viewer, member, admin or owner')
      .example('role'),
    name: name.description('what it is for').example('name'),
    expires: duration
      .description('how long it is valid, such as 12h or 90d; without it, until it is revoked')
      .example('time'),
  }),
  async run({ keys }, { organization, expires, ...key }) {
    const { keyId, apiKey } = await keys.create({
      ...key,
      organizationId: organization,
      expires: expires === undefined ? undefined : new Date(Date.now() + expires),
    });
    return { keyId, apiKey };
  },
};

const list: Command<{ organization?: string }> = {
  name: 'key list',
  summary: 'list API keys, without the keys themselves',
  options: Joi.object({ organization }),
  run: async ({ keys }, options) => ({ keys: await keys.list(options.organization) }),
};

const revoke: Command<{ key: string }> = {
  name: 'key revoke',
  summary: 'end an API key at once',
  options: Joi.object({ key: uuid.required().description('keyId of the key').example('id') }),
  async run({ keys }, options) {
    const { keyId, revokedAt } = await keys.revoke(options.key);
    return { keyId, revokedAt };
  },
};

export const keyCommands = [create, list, revoke];
