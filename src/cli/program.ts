import { Command as Program } from 'commander';
import type { Command } from './command.ts';

interface KeyDescription {
  flags?: { description?: string; presence?: string };
  examples?: string[];
}

const DESCRIPTION = 'Operator commands of the Agent Tasks Service. Each prints one JSON object.';

type Described = Pick<Command, 'name' | 'summary' | 'options'>;

/**
 * Builds the command line from the table of commands: a noun, its verbs, and `--help` for each.
 * @param execute called for a valid command line
 * @returns the program. It throws commander's CommanderError for wrong usage, and after a help text
 */
export function createProgram(
  commands: readonly Described[],
  execute: (name: string, options: object) => Promise<void>,
): Program {
  const program = new Program('cli').description(DESCRIPTION).exitOverride();
  for (const command of commands) {
    const [noun = '', verb = ''] = command.name.split(' ');
    const verbs = program.commands.find((known) => known.name() === noun) ?? program.command(noun);
    verbs.description(verbs.description() ? `${verbs.description()}, ${verb}` : verb);
    const child = verbs.command(verb).description(command.summary).allowExcessArguments(false);
    addOptions(child, command);
    child.action((options: object) => execute(command.name, options));
  }
  return program;
}

function addOptions(program: Program, command: Described): void {
  const { keys = {} } = command.options.describe() as { keys?: Record<string, KeyDescription> };
  for (const [key, { flags = {}, examples = [] }] of Object.entries(keys)) {
    const option = `--${kebab(key)} <${examples[0]}>`;
    if (flags.presence === 'required')
      program.requiredOption(option, `${flags.description} (required)`);
    else program.option(option, flags.description);
  }
}

function kebab(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
