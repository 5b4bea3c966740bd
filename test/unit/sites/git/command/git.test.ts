import { expect } from 'chai';
import { createGit } from '../../../../../src/sites/git/command/git.ts';
import { checkGit } from '../../../../../src/sites/git/command/checkGit.ts';
import { failureOf, isAlive, Workplace } from '../../../../helpers/team/workplace.ts';
import { testLauncher } from '../../../../helpers/launcher.ts';

/**
 * `git -c alias.x='!…' x` runs a shell command as git's child: a git that does what a test needs.
 */
const shell = (script: string) => ['-c', `alias.x=!${script}`, 'x'];
describe('createGit', () => {
  const git = createGit({ launcher: testLauncher });

  it('returns output, messages and the exit code, whatever it is', async () => {
    const result = await git.run({
      args: shell('cat; echo problem >&2; exit 3; :'),
      input: 'hello',
    });
    expect(result).to.deep.equal({ code: 3, stdout: Buffer.from('hello'), stderr: 'problem\n' });
  });

  it('passes only named variables on', async () => {
    process.env.SECRET_OF_OURS = 'secret';
    process.env.GIT_TRACE = '1';
    try {
      const { stdout, stderr } = await git.run({ args: shell('env; :') });
      expect(stdout.toString()).to.include('GIT_CONFIG_GLOBAL=/dev/null').and.not.include('secret');
      expect(stderr).to.equal('');
    } finally {
      delete process.env.SECRET_OF_OURS;
      delete process.env.GIT_TRACE;
    }
  });

  it('ends the whole process group when the signal aborts, and throws its reason', async () => {
    const place = new Workplace();
    const controller = new AbortController();
    const work = git.run({
      args: shell(`echo $$ > '${place.folder}/pid'; sleep 60; :`),
      signal: controller.signal,
    });
    const pid = Number(await place.eventually('pid'));
    controller.abort(new Error('cancelled'));
    expect(await failureOf(work)).to.have.property('message', 'cancelled');
    expect(isAlive(pid)).to.equal(false);
    await place.remove();
  });

  it('stops reading at its output limit', async () => {
    expect(await failureOf(git.run({ args: shell('yes; :'), maxBytes: 10_000 }))).to.include({
      code: 'LIMIT_EXCEEDED',
    });
  });

  it('uses no transport that is not requested', async () => {
    const { code, stderr } = await git.run({
      args: ['ls-remote', '--', 'file:///'],
      protocol: 'https',
    });
    expect(code).to.not.equal(0);
    expect(stderr).to.include("transport 'file' not allowed");
  });

  it('starts nothing after it was closed, and ends what runs', async () => {
    const closing = createGit({ launcher: testLauncher });
    const work = failureOf(closing.run({ args: shell('sleep 60; :') }));
    await closing.close();
    expect(await work).to.include({ code: 'GIT_FAILED', retryable: true });
    expect(await failureOf(closing.run({ args: ['version'] }))).to.include({ code: 'GIT_FAILED' });
    expect(() => closing.start(['cat-file', '--batch'], '/')).to.throw('stopping');
  });
});

describe('checkGit', () => {
  it('returns the version', async () => {
    expect(await checkGit(testLauncher)).to.match(/^\d+\.\d+/);
  });

  it('says what to install if there is no git', async () => {
    const error = await failureOf(checkGit(testLauncher, '/nowhere/git'));
    expect(error).to.include({ code: 'CONFIGURATION' });
    expect(error?.message).to.match(/\b2\.32\b.*\bPATH\b/);
  });
});
