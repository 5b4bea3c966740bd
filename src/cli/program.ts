import { Command as Program } from 'commander';
import type { OperatorCommand } from './operatorCommand.ts';

interface OptionDescription {
  flags?: { description?: string; presence?: string };
  examples?: string[];
}

const DESCRIPTION = 'Operator commands of the Agent Tasks Service. Each prints one JSON object.';

type DescribedCommand = Pick<OperatorCommand, 'name' | 'summary' | 'options'>;

/**
 * Builds the command line from the table of commands: a noun, its verbs, and `--help` for each.
 * @param execute called for a valid command line
 * @returns the program. It throws commander's CommanderError for wrong usage, and after a help text
 */
export function createProgram(
  commands: readonly DescribedCommand[],
  execute: (name: string, options: object) => Promise<void>,
): Program {
  const program = new Program('cli').description(DESCRIPTION).exitOverride();
  for (const command of commands) {
    const [noun = '', verb = ''] = command.name.split(' ');
    const nounCommand =
      program.commands.find((knownCommand) => knownCommand.name() === noun) ??
      program.command(noun);
    nounCommand.description(
      nounCommand.description() ? `${nounCommand.description()}, ${verb}` : verb,
    );
    const verbCommand = nounCommand
      .command(verb)
      .description(command.summary)
      .allowExcessArguments(false);
    addOptions(verbCommand, command);
    verbCommand.action((options: object) => execute(command.name, options));
  }
  return program;
}

function addOptions(program: Program, command: DescribedCommand): void {
  const { keys = {} } = command.options.describe() as { keys?: Record<string, OptionDescription> };
  for (const [optionName, { flags = {}, examples = [] }] of Object.entries(keys)) {
    const optionFlags = `--${kebabCase(optionName)} <${examples[0]}>`;
    if (flags.presence === 'required')
      program.requiredOption(optionFlags, `${flags.description} (required)`);
    else program.option(optionFlags, flags.description);
  }
}

function kebabCase(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
