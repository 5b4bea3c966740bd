import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, openSync, readFileSync, readSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const quoted = (word: string) => `'${word.replaceAll("'", String.raw`'\''`)}'`;

/**
 * Starts a shell that runs commands for this process, and ends with it, however that ends. A
 * process of tests is large: to start a command from there takes seven times as long.
 * @param env the commands' environment
 * @returns runs a command in a folder to its end, and gives what it printed. Throws with what it
 *   printed as errors where its exit code is not 0
 */
export function startShell(env: NodeJS.ProcessEnv): (cwd: string, ...words: string[]) => string {
  const folder = mkdtempSync(join(tmpdir(), 'test-shell-'));
  const [asked, answered, script, stdout, stderr] = [
    'asked',
    'answered',
    'script',
    'stdout',
    'stderr',
  ].map((name) => join(folder, name)) as [string, string, string, string, string];
  execFileSync('mkfifo', [asked, answered]);
  const loop =
    'while read -r _; do (. ./script) < /dev/null > stdout 2> stderr; echo "$?"; done < asked > answered';
  spawn('sh', ['-c', `${loop}; rm -r "$PWD"`], { cwd: folder, env, stdio: 'ignore' }).unref();
  const [requests, answers] = [openSync(asked, 'w'), openSync(answered, 'r')];

  return (cwd, ...words) => {
    writeFileSync(script, `cd ${quoted(cwd)} && exec ${words.map(quoted).join(' ')}`);
    writeSync(requests, '\n');
    const answer = Buffer.alloc(8);
    const code = answer.toString('utf8', 0, readSync(answers, answer)).trim();
    if (code !== '0')
      throw new Error(`${words.join(' ')} ended with ${code}: ${readFileSync(stderr, 'utf8')}`);
    return readFileSync(stdout, 'utf8');
  };
}
