import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { type Lockfile, problemsOf, readAudit } from './dependencies.ts';

const read = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8'));
const lockfile = read('package-lock.json') as Lockfile;
const { allowScripts } = read('package.json') as { allowScripts: Record<string, boolean> };

const problems = problemsOf(lockfile, allowScripts);
const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], {
  encoding: 'utf8',
  timeout: 60_000,
});
const audit = readAudit(stdout ?? '');
if ('vulnerable' in audit)
  problems.push(
    ...audit.vulnerable.map((name) => `${name} has a known vulnerability: see npm audit`),
  );

if (problems.length > 0) {
  console.error(`Dependencies:\n${problems.map((problem) => `- ${problem}`).join('\n')}`);
  process.exitCode = 1;
} else
  console.log(
    `Dependencies: ${Object.keys(lockfile.packages).length - 1} packages of the lockfile are as they should be`,
  );
if ('unasked' in audit)
  console.error(
    `NOT CHECKED for known vulnerabilities: the registry can't be asked (${audit.unasked}). Run \`npm audit\` where it can.`,
  );
