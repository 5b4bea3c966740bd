import Joi from 'joi';
import type { OperatorCommand } from './operatorCommand.ts';

const rotateSecretsCommand: OperatorCommand<object> = {
  name: 'secrets rotate',
  summary: 'encrypt all credentials again, with the first key in SECRETS_KEYS',
  options: Joi.object({}),
  run: async ({ credentials }) => ({ rotated: await credentials.reseal() }),
};

export const secretsCommands = [rotateSecretsCommand];
