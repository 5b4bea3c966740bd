import { DomainError } from '../errors.ts';
import type { Command, OperatorDeps } from './command.ts';
import { keyCommands } from './keyCommands.ts';
import { organizationCommands } from './organizationCommands.ts';
import { siteCommands } from './siteCommands.ts';
import { temporalCommands } from './temporalCommands.ts';

/** Every operator command (design.md, Operator commands). */
export const commandTable: readonly Command[] = [
  ...organizationCommands,
  ...keyCommands,
  ...siteCommands,
  ...temporalCommands,
];

const messages = {
  'object.unknown': '{#label} is no option of this command',
  'object.with': '{#mainWithLabel} is only for a site with {#peerWithLabel}',
};

/** Runs the command of this name. Throws INVALID_INPUT for an unknown command and for wrong options. */
export type RunCommand = (name: string, options: unknown) => Promise<object>;

/**
 * The operator commands over these stores, the same ones for the command line and for the running service.
 * @returns a function that checks the options, then does the work, and answers with what is to be printed
 */
export function operatorCommands(deps: OperatorDeps): RunCommand {
  return async (name, options) => {
    const command = commandTable.find((candidate) => candidate.name === name);
    if (!command) throw new DomainError('INVALID_INPUT', `Unknown command: ${name}`);
    return command.run(deps, checkOptions(command, options));
  };
}

function checkOptions(command: Command, options: unknown): unknown {
  const schema = command.options.required().messages(messages);
  const checked = schema.validate(options, { abortEarly: false });
  if (!checked.error) return checked.value as unknown;
  throw new DomainError('INVALID_INPUT', checked.error.details.map(({ message }) => message).join('; '));
}
