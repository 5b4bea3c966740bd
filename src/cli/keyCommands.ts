import Joi from 'joi';
import type { Role } from '../contract/roles.ts';
import type { OperatorCommand } from './operatorCommand.ts';
import {
  durationOption,
  nameOption,
  organizationOption,
  roleOption,
  uuidOption,
} from './commandOptions.ts';

interface CreateKeyOptions {
  organization: string;
  role: Role;
  name?: string;
  /** Milliseconds from now. */
  expires?: number;
}

const createKeyCommand: OperatorCommand<CreateKeyOptions> = {
  name: 'key create',
  summary: 'make an API key; it is shown this once',
  options: Joi.object({
    organization: organizationOption.required(),
    role: roleOption
      .required()
      .description('what the key may do: viewer, member, admin or owner')
      .example('role'),
    name: nameOption.description('what it is for').example('name'),
    expires: durationOption
      .description('how long it is valid, such as 12h or 90d; without it, until it is revoked')
      .example('time'),
  }),
  async run({ keys }, { organization, expires, ...keyFields }) {
    const { keyId, apiKey } = await keys.create({
      ...keyFields,
      organizationId: organization,
      expires: expires === undefined ? undefined : new Date(Date.now() + expires),
    });
    return { keyId, apiKey };
  },
};

const listKeysCommand: OperatorCommand<{ organization?: string }> = {
  name: 'key list',
  summary: 'list API keys, without the keys themselves',
  options: Joi.object({ organization: organizationOption }),
  run: async ({ keys }, options) => ({ keys: await keys.list(options.organization) }),
};

const revokeKeyCommand: OperatorCommand<{ key: string }> = {
  name: 'key revoke',
  summary: 'end an API key at once',
  options: Joi.object({ key: uuidOption.required().description('keyId of the key').example('id') }),
  async run({ keys }, options) {
    const { keyId, revokedAt } = await keys.revoke(options.key);
    return { keyId, revokedAt };
  },
};

export const keyCommands = [createKeyCommand, listKeysCommand, revokeKeyCommand];
