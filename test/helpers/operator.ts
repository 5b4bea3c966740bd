import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));

/** How an operator command ended. */
export interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs an operator command on a data folder, as a process of its own. */
export async function operate(dataDir: string, ...words: string[]): Promise<Outcome> {
  const env = { PATH: process.env.PATH, DATA_DIR: dataDir };
  try {
    return { code: 0, ...(await run(process.execPath, ['src/cli.ts', ...words], { cwd: root, env })) };
  } catch (error) {
    return error as Outcome;
  }
}

/** The object that a command prints; throws with its messages where it fails. */
export async function answerOf(dataDir: string, ...words: string[]): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await operate(dataDir, ...words);
  if (code !== 0) throw new Error(`cli ${words.join(' ')} ended with ${code}: ${stderr}`);
  return JSON.parse(stdout) as Record<string, unknown>;
}
