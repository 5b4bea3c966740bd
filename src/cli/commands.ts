import type Joi from 'joi';
import { DomainError } from '../errors.ts';
import type { OperatorCommand } from './operatorCommand.ts';
import { keyCommands } from './keyCommands.ts';
import { organizationCommands } from './organizationCommands.ts';
import { secretsCommands } from './secretsCommands.ts';
import { siteCommands } from './siteCommands.ts';
import { userCommands } from './userCommands.ts';
import { temporalCommands } from './temporalCommands.ts';

/** The commands that need the service's database. */
export const dataCommands: readonly OperatorCommand[] = [
  ...organizationCommands,
  ...userCommands,
  ...keyCommands,
  ...siteCommands,
  ...secretsCommands,
];

/** All operator commands without their implementation, for the command line and its help. */
export const commandTable: readonly Omit<OperatorCommand, 'run'>[] = [
  ...dataCommands,
  ...temporalCommands,
];

const optionMessages = {
  'object.unknown': '{#label} is not an option of this command',
  'object.with': '{#mainWithLabel} is only allowed together with {#peerWithLabel}',
};

/**
 * Runs the command with this name. Throws INVALID_INPUT for an unknown command or wrong options.
 */
export type CommandRunner = (name: string, options: unknown) => Promise<object>;

/**
 * Binds commands to the services that they use. The command line and the running service share it.
 * @returns a function that checks a command's options, runs it, and returns the result to print
 */
export function createCommandRunner<Deps>(
  commands: readonly OperatorCommand<unknown, Deps>[],
  deps: Deps,
): CommandRunner {
  return async (commandName, options) => {
    const command = commands.find((candidate) => candidate.name === commandName);
    if (!command) throw new DomainError('INVALID_INPUT', `Unknown command: ${commandName}`);
    return command.run(deps, checkOptions(command.options, options));
  };
}

function checkOptions(schema: Joi.ObjectSchema, options: unknown): unknown {
  const checkedOptions = schema
    .required()
    .messages(optionMessages)
    .validate(options, { abortEarly: false });
  if (!checkedOptions.error) return checkedOptions.value as unknown;
  throw new DomainError(
    'INVALID_INPUT',
    checkedOptions.error.details.map(({ message }) => message).join('; '),
  );
}
