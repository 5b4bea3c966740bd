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
  summary: 'create an API key, which is printed only once',
  options: Joi.object({
    organization: organizationOption.required(),
    role: roleOption
      .required()
      .description('the role of the key: viewer, member, admin or owner')
      .example('role'),
    name: nameOption.description('the name of the key, which says what it is for').example('name'),
    expires: durationOption
      .description('how long the key is valid, such as 12h or 90d (default: until it is revoked)')
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
  summary: 'list the API keys, without their secret values',
  options: Joi.object({ organization: organizationOption }),
  run: async ({ keys }, options) => ({ keys: await keys.list(options.organization) }),
};

const revokeKeyCommand: OperatorCommand<{ key: string }> = {
  name: 'key revoke',
  summary: 'revoke an API key',
  options: Joi.object({
    key: uuidOption.required().description('the keyId of the key').example('id'),
  }),
  async run({ keys }, options) {
    const { keyId, revokedAt } = await keys.revoke(options.key);
    return { keyId, revokedAt };
  },
};

export const keyCommands = [createKeyCommand, listKeysCommand, revokeKeyCommand];
