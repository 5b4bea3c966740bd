import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Says with `--check` whether Gitea is there or can be built. Without, builds it once. */
export const buildScript = join(import.meta.dirname, 'build.sh');

/**
 * Gitea's folder in `.cache`, where the first call builds it with Go, which takes minutes.
 * @throws where the build fails, with the last thing that Go said
 */
export async function builtGitea(): Promise<string> {
  const building = promisify(execFile)('bash', [buildScript], { maxBuffer: 1e8 });
  building.child.stderr?.on(
    'data',
    (text: string) => /^Building /.test(text) && console.log(`      ${text.trim()}`),
  );
  try {
    return (await building).stdout.trim();
  } catch (cause) {
    const { message, stderr } = cause as Error & { stderr?: string };
    const last = (stderr || message).trim().split('\n').at(-1);
    throw new Error(`Gitea could not be built: ${last}`, { cause });
  }
}
