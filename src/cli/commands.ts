import type Joi from 'joi';
import { DomainError } from '../errors.ts';
import type { Command } from './command.ts';
import { keyCommands } from './keyCommands.ts';
import { organizationCommands } from './organizationCommands.ts';
import { secretsCommands } from './secretsCommands.ts';
import { siteCommands } from './siteCommands.ts';
import { userCommands } from './userCommands.ts';
import { temporalCommands } from './temporalCommands.ts';

/** The commands that need the service's database. */
export const dataCommands: readonly Command[] = [
  ...organizationCommands,
  ...userCommands,
  ...keyCommands,
  ...siteCommands,
  ...secretsCommands,
];

/** All operator commands without their implementation, for the command line and its help. */
export const commandTable: readonly Omit<Command, 'run'>[] = [...dataCommands, ...temporalCommands];

const messages = {
  'object.unknown': '{#label} is no option of this command',
  'object.with': '{#mainWithLabel} is only for a site with {#peerWithLabel}',
};

/**
 * Runs the command with this name. Throws INVALID_INPUT for an unknown command or wrong options.
 */
export type RunCommand = (name: string, options: unknown) => Promise<object>;

/**
 * Binds commands to the services that they use. The command line and the running service share it.
 * @returns a function that checks a command's options, runs it, and returns the result to print
 */
export function runnerOf<Deps>(
  commands: readonly Command<unknown, Deps>[],
  deps: Deps,
): RunCommand {
  return async (name, options) => {
    const command = commands.find((candidate) => candidate.name === name);
    if (!command) throw new DomainError('INVALID_INPUT', `Unknown command: ${name}`);
    return command.run(deps, checkOptions(command.options, options));
  };
}

function checkOptions(schema: Joi.ObjectSchema, options: unknown): unknown {
  const checked = schema.required().messages(messages).validate(options, { abortEarly: false });
  if (!checked.error) return checked.value as unknown;
  throw new DomainError(
    'INVALID_INPUT',
    checked.error.details.map(({ message }) => message).join('; '),
  );
}
