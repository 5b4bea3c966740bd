import Joi from 'joi';
import type { Command } from './command.ts';
import { organization, organizationName } from './options.ts';

const create: Command<{ name: string }> = {
  name: 'organization create',
  summary: 'make an organization',
  options: Joi.object({
    name: organizationName.required().description('its name').example('name'),
  }),
  makesData: true,
  async run({ organizations }, options) {
    const { organizationId } = await organizations.create(options);
    return { organizationId };
  },
};

const list: Command<object> = {
  name: 'organization list',
  summary: 'list all organizations',
  options: Joi.object({}),
  run: async ({ organizations }) => ({ organizations: await organizations.list() }),
};

const callbackSecret: Command<{ organization: string }> = {
  name: 'organization callback-secret',
  summary: 'show the secret by which receivers verify callbacks',
  options: Joi.object({ organization: organization.required() }),
  run: async ({ organizations }, options) => ({
    callbackSecret: await organizations.callbackSecret(options.organization),
  }),
};

export const organizationCommands = [create, list, callbackSecret];
