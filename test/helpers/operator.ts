import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { askService } from '../../src/cli/askService.ts';
import { commandTable } from '../../src/cli/commands.ts';
import { createProgram } from '../../src/cli/program.ts';
import { operatorSocketPath } from '../../src/cli/socketPath.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));

/** How an operator command ended. */
export interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs an operator command on a data folder, as a process of its own. */
export async function operateWith(
  settings: Record<string, string>,
  dataDir: string,
  ...words: string[]
): Promise<Outcome> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, DATA_DIR: dataDir, ...settings };
  try {
    return {
      code: 0,
      ...(await run(process.execPath, ['--liftoff-only', 'src/cli.ts', ...words], {
        cwd: root,
        env,
      })),
    };
  } catch (error) {
    return error as Outcome;
  }
}

/** What the running service answers to an operator command. Throws what the command throws. */
export async function answerOf(
  dataDir: string,
  ...words: string[]
): Promise<Record<string, unknown>> {
  let answer: object | null = null;
  const program = createProgram(commandTable, async (command, options) => {
    answer = await askService(operatorSocketPath(dataDir), { command, arguments: options });
  });
  await program.parseAsync(words, { from: 'user' });
  if (answer === null) throw new Error(`No service runs on ${dataDir}`);
  return answer;
}
