import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { getPriority } from 'node:os';
import {
  createLauncher,
  type CommandLauncher,
} from '../../../../../src/sites/git/launcher/launcher.ts';
import { Workplace } from '../../../../helpers/team/workplace.ts';

const launcherModule = new URL('../../../../../src/sites/git/launcher/launcher.ts', import.meta.url)
  .href;

const shell = (script: string) => ({
  program: '/bin/sh',
  args: ['-c', script],
  env: { PATH: process.env.PATH },
  timeout: 60_000,
  maxBytes: 1024 ** 2,
});
const parentOf = (pid: number) =>
  Number(/^PPid:\s(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);

describe('createLauncher', () => {
  let place: Workplace;
  let launcher: CommandLauncher;

  beforeEach(() => {
    place = new Workplace();
    launcher = createLauncher();
  });

  afterEach(async () => {
    await launcher.close();
    await place.remove();
  });

  /** A command that waits, with a helper of its own, and both their process ids. */
  async function waiting(signal?: AbortSignal) {
    const outcome = launcher.run(
      shell(`sleep 600 & echo "$$ $!" > '${place.folder}/pids'; wait`),
      signal,
    );
    const [pid = 0, helper = 0] = (await place.eventually('pids')).trim().split(' ').map(Number);
    await launcher.run(shell('')); // a command may run before the launcher has told of it
    return { outcome, pid, helper };
  }

  it('starts commands as children of another process', async () => {
    const { pid } = await waiting();
    expect(parentOf(pid)).not.to.equal(process.pid);
    expect(parentOf(parentOf(pid))).to.equal(process.pid);
  });

  it('passes nothing of our environment but the paths of programs', async () => {
    process.env.SECRET_OF_OURS = 'secret';
    try {
      const { pid } = await waiting();
      expect(readFileSync(`/proc/${parentOf(pid)}/environ`, 'utf8'))
        .to.include('PATH=')
        .and.not.include('SECRET');
    } finally {
      delete process.env.SECRET_OF_OURS;
    }
  });

  it('gives commands a lower priority than its own', async () => {
    const outcome = await launcher.run(shell('nice'));
    expect('stdout' in outcome && Number(outcome.stdout)).to.equal(Math.max(5, getPriority()));
  });

  it('answers many commands at once, each with its own output', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 30 }, (_, i) =>
        launcher.run({ ...shell('cat; echo $0 >&2'), input: `${i}\n`.repeat(i) }),
      ),
    );
    const texts = outcomes.map((outcome) =>
      'code' in outcome ? outcome.stdout.toString() : outcome,
    );
    expect(texts).to.deep.equal(Array.from({ length: 30 }, (_, i) => `${i}\n`.repeat(i)));
  });

  it('ends a command and its helpers on request', async () => {
    const end = new AbortController();
    const { outcome, pid, helper } = await waiting(end.signal);
    end.abort();
    expect(await outcome).to.deep.equal({ ended: 'request' });
    await place.gone(pid);
    await place.gone(helper);
  });

  it('ends commands and their helpers if it is killed, and starts again for the next command', async () => {
    const { outcome, pid, helper } = await waiting();
    process.kill(parentOf(pid), 'SIGKILL');
    expect(await outcome).to.deep.equal({ lost: true });
    await place.gone(pid);
    await place.gone(helper);
    expect(await launcher.run(shell('exit 7'))).to.include({ code: 7 });
  });

  it('ends commands and helpers when it is closed', async () => {
    const { outcome, pid, helper } = await waiting();
    await launcher.close();
    expect(await outcome)
      .to.be.an('object')
      .that.has.any.keys('ended', 'lost');
    await place.gone(pid);
    await place.gone(helper);
  });

  for (const signal of ['SIGKILL', 'SIGINT'] as const)
    it(`ends commands, helpers and itself when the service ends by ${signal}`, async () => {
      const command = shell(`sleep 600 & echo "$$ $!" > '${place.folder}/pids'; wait`);
      const service = start(`await createLauncher().run(${JSON.stringify(command)});`);
      const [pid = 0, helper = 0] = (await place.eventually('pids')).trim().split(' ').map(Number);
      const ownPid = parentOf(pid);
      service.kill(signal);
      for (const process of [pid, helper, ownPid]) await place.gone(process);
    });

  it('writes output of any size into a new file, and into no existing file', async () => {
    const output = `${place.folder}/output`;
    const command = { ...shell('head -c 5000000 /dev/zero; echo heard >&2'), output };
    const outcome = await launcher.run(command);
    expect(outcome).to.deep.include({ code: 0, stdout: Buffer.alloc(0), stderr: 'heard\n' });
    expect(statSync(output).size).to.equal(5_000_000);
    expect(await launcher.run({ ...command, ...shell('echo other'), output })).to.include({
      code: -1,
    });
    expect(statSync(output).size).to.equal(5_000_000);
    expect(await launcher.run(shell('exit 7'))).to.include({ code: 7 });
  });

  const start = (code: string) => {
    const program = `const { createLauncher } = await import(${JSON.stringify(launcherModule)});\n${code}`;
    return spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  };
});
