import Joi from 'joi';
import type { OperatorCommand } from './operatorCommand.ts';
import { organizationOption, organizationNameOption } from './commandOptions.ts';

const createOrganizationCommand: OperatorCommand<{ name: string }> = {
  name: 'organization create',
  summary: 'create an organization',
  options: Joi.object({
    name: organizationNameOption
      .required()
      .description('the name of the organization')
      .example('name'),
  }),
  makesData: true,
  async run({ organizations }, options) {
    const { organizationId } = await organizations.create(options);
    return { organizationId };
  },
};

const listOrganizationsCommand: OperatorCommand<object> = {
  name: 'organization list',
  summary: 'list the organizations',
  options: Joi.object({}),
  run: async ({ organizations }) => ({ organizations: await organizations.list() }),
};

/** Prints `{ "callbackSecret": "whsec_…" }`. */
const callbackSecretCommand: OperatorCommand<{ organization: string }> = {
  name: 'organization callback-secret',
  summary: 'show the secret with which receivers verify callbacks',
  options: Joi.object({ organization: organizationOption.required() }),
  run: async ({ organizations }, options) => ({
    callbackSecret: await organizations.callbackSecret(options.organization),
  }),
};

export const organizationCommands = [
  createOrganizationCommand,
  listOrganizationsCommand,
  callbackSecretCommand,
];
