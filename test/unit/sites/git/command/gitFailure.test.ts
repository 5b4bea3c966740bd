import { expect } from 'chai';
import {
  sanitizeMessage,
  gitFailure,
  remoteWords,
} from '../../../../../src/sites/git/command/gitFailure.ts';

const failure = (stderr: string) =>
  gitFailure('Fetching', { code: 128, stdout: Buffer.of(), stderr });

describe('gitFailure', () => {
  for (const [stderr, reason, retryable, ...named] of [
    ["fatal: unable to access 'https://x/y/': Could not resolve host: x", 'unreachable', true],
    ['fatal: the remote end hung up unexpectedly', 'unreachable', true],
    [
      'git@x: Permission denied (publickey).\nfatal: Could not read from remote repository.',
      'access-denied',
      false,
    ],
    [
      "fatal: unable to access 'https://x/y/': The requested URL returned error: 403",
      'access-denied',
      false,
    ],
    [
      'Host key verification failed.\nfatal: Could not read from remote repository.',
      'host-key',
      false,
    ],
    ['remote: Repository not found.\nfatal: repository not found', 'not-found', false],
    [
      "fatal: unable to access 'https://x/y/': The requested URL returned error: 301",
      'redirect',
      false,
    ],
    [
      "fatal: unable to access 'https://x/y/': server certificate verification failed. CAfile: none",
      'certificate',
      false,
    ],
    ["fatal: Unable to create '/data/x.lock': File exists.", 'disk', true],
    ['fatal: write error: No space left on device', 'disk', true],
    [
      'error: object 0123456789012345678901234567890123456789: treeNotSorted: not properly sorted\nfatal: fsck error in packed object',
      'damaged',
      false,
      'treeNotSorted',
      '0123456789012345678901234567890123456789',
    ],
    [
      'error: rev-list died of signal 11\nerror: https://x/y did not send all necessary objects',
      'damaged',
      false,
    ],
    ['error: index-pack died of signal 9', undefined, true, 'index-pack died of signal 9'],
    ['error: https://x/y did not send all necessary objects', 'damaged', false],
    ["error: invalid path 'a/.git/config'", 'damaged', false, 'a/.git/config'],
    ['fatal: attempting to allocate 943718401 over limit 134217728', 'damaged', false],
    ['remote: error: object 0123: hasDot: x\nfatal: early EOF', 'unreachable', true],
    ['fatal: something that nobody has seen', undefined, true, 'something that nobody has seen'],
    ['', undefined, true, '128'],
  ] as const)
    it(`has the reason ${reason} for: ${stderr.split('\n')[0]}`, () => {
      const error = failure(stderr);
      expect(error).to.include({ code: 'GIT_FAILED', retryable });
      expect(error.details?.['reason']).to.equal(reason);
      expect(error.message).to.match(/^Fetching failed: ./);
      for (const value of named) expect(error.message).to.contain(value);
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
