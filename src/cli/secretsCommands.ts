import Joi from 'joi';
import type { OperatorCommand } from './operatorCommand.ts';

const rotateSecretsCommand: OperatorCommand<object> = {
  name: 'secrets rotate',
  summary: 'encrypt all credentials again, with the first key in SECRETS_KEYS',
  options: Joi.object({}),
  async run({ secretStores }) {
    const rotatedCounts = await Promise.all(secretStores.map((store) => store.reseal()));
    return { rotated: rotatedCounts.reduce((sum, count) => sum + count, 0) };
  },
};

export const secretsCommands = [rotateSecretsCommand];
