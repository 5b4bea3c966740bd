import type Joi from 'joi';
import { DomainError } from '../errors.ts';
import type { OperatorCommand } from './operatorCommand.ts';
import { keyCommands } from './keyCommands.ts';
import { organizationCommands } from './organizationCommands.ts';
import { secretsCommands } from './secretsCommands.ts';
import { siteCommands } from './siteCommands.ts';
import { userCommands } from './userCommands.ts';
import { temporalCommands } from './temporalCommands.ts';

/**
 * The operator commands of `npm run cli`, such as `site create --organization <id> --name <name>`.
 * A command that needs the database runs in the service if that holds the embedded database,
 * otherwise in the process of the command line:
 *
 * - `main.ts` and `program.ts`: the command line: parsing, help, output, exit code.
 * - `operatorCommand.ts`: what a command consists of. `…Commands.ts`: the commands, by their noun.
 * - `executeCommand.ts`: decides where a command runs. `askService.ts` sends it to the service.
 * - `operatorChannel.ts`: the socket on which the service receives commands (`socketPath.ts`).
 *
 * In:  `key create --organization 7d1f… --role member`
 * Out: `{"keyId":"0b9e…","apiKey":"ak_…"}`, and the exit code 0
 */

/** The commands that need the service's database. */
export const dataCommands: readonly OperatorCommand[] = [
  ...organizationCommands,
  ...userCommands,
  ...keyCommands,
  ...siteCommands,
  ...secretsCommands,
];

/** All operator commands, for the command line and its help. The type hides what runs them. */
export const commandTable: readonly Omit<OperatorCommand, 'run'>[] = [
  ...dataCommands,
  ...temporalCommands,
];

const optionMessages = {
  'object.unknown': '{#label} is not an option of this command',
  'object.with': '{#mainWithLabel} is only allowed together with {#peerWithLabel}',
};

/**
 * Runs the command with this name, and returns the result to print.
 * @throws DomainError INVALID_INPUT for an unknown command or invalid options; as the command does
 */
export type CommandRunner = (name: string, options: unknown) => Promise<object>;

/**
 * Creates a runner of commands, for the command line or for the running service.
 * @param deps what the commands use, such as the database
 * @returns a function that validates a command's options, and runs it
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
