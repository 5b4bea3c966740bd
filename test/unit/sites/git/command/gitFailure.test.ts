import { expect } from 'chai';
import {
  sanitizeMessage,
  gitFailure,
  remoteWords,
} from '../../../../../src/sites/git/command/gitFailure.ts';

const failure = (stderr: string) =>
  gitFailure('Fetching', { code: 128, stdout: Buffer.of(), stderr });

describe('gitFailure', () => {
  for (const [stderr, says, retryable] of [
    [
      "fatal: unable to access 'https://x/y/': Could not resolve host: x",
      'the remote cannot be reached',
      true,
    ],
    ['fatal: the remote end hung up unexpectedly', 'the remote cannot be reached', true],
    [
      'git@x: Permission denied (publickey).\nfatal: Could not read from remote repository.',
      'access denied',
      false,
    ],
    [
      "fatal: unable to access 'https://x/y/': The requested URL returned error: 403",
      'access denied',
      false,
    ],
    [
      'Host key verification failed.\nfatal: Could not read from remote repository.',
      'the ssh host key is not known',
      false,
    ],
    ['remote: Repository not found.\nfatal: repository not found', 'repository not found', false],
    [
      "fatal: unable to access 'https://x/y/': The requested URL returned error: 301",
      'the address redirects; register its final one',
      false,
    ],
    [
      "fatal: unable to access 'https://x/y/': server certificate verification failed. CAfile: none",
      'its certificate is not trusted',
      false,
    ],
    ["fatal: Unable to create '/data/x.lock': File exists.", 'the disk is full or locked', true],
    ['fatal: write error: No space left on device', 'the disk is full or locked', true],
    [
      'error: object 0123456789012345678901234567890123456789: treeNotSorted: not properly sorted\nfatal: fsck error in packed object',
      "git's check of its objects found treeNotSorted in 0123456789012345678901234567890123456789",
      false,
    ],
    [
      'error: rev-list died of signal 11\nerror: https://x/y did not send all necessary objects',
      'git broke down on its contents, as it does on folders that are nested too deeply',
      false,
    ],
    ['error: index-pack died of signal 9', 'index-pack died of signal 9', true],
    [
      'error: https://x/y did not send all necessary objects',
      'it is damaged: run `git fsck` in it',
      false,
    ],
    [
      "error: invalid path 'a/.git/config'",
      'it has a name that git does not allow: a/.git/config',
      false,
    ],
    [
      'fatal: attempting to allocate 943718401 over limit 134217728',
      'it needs too much memory: it has too many objects, or a very large one that is no plain file',
      false,
    ],
    [
      'remote: error: object 0123: hasDot: x\nfatal: early EOF',
      'the remote cannot be reached',
      true,
    ],
    ['fatal: something that nobody has seen', 'something that nobody has seen', true],
    ['', 'git ended with code 128', true],
  ] as const)
    it(`says "${says}" for: ${stderr.split('\n')[0]}`, () => {
      expect(failure(stderr)).to.include({
        code: 'GIT_FAILED',
        message: `Fetching failed: ${says}`,
        retryable,
      });
    });
});

describe('cleaned', () => {
  it('removes userinfo, local paths, escape sequences and line breaks from external texts', () => {
    expect(
      sanitizeMessage(
        "\u001b[31mbad\u001b[0m 'https://user:secret@host/x'\n in '/home/me/site.git' or file:///srv/y",
      ),
    ).to.equal("bad 'https://host/x' in '…' or …");
  });

  it('keeps at most 400 characters, and marks the cut', () => {
    expect(sanitizeMessage('x'.repeat(1_000))).to.equal(`${'x'.repeat(399)}…`);
    expect(sanitizeMessage('x'.repeat(400))).to.equal('x'.repeat(400));
  });
});

describe('remoteWords', () => {
  it('joins what the remote said', () => {
    expect(
      remoteWords(
        'remote: error: GH006: Protected branch.\nremote: \nremote: Use a pull request.\nTo x\n',
      ),
    ).to.equal('error: GH006: Protected branch.; Use a pull request.');
  });
});
