import { expect } from 'chai';
import { DomainError } from '../../../../../src/errors.ts';
import { checkRepositoryUrl } from '../../../../../src/sites/git/remote/repositoryUrl.ts';

const refusal = (url: string, allowLocal: boolean) => {
  try {
    return `accepted as ${checkRepositoryUrl(url, { allowLocal })}`;
  } catch (error) {
    return error instanceof DomainError ? error.code : `${error}`;
  }
};

describe('checkRepositoryUrl', () => {
  for (const [given, stored] of [
    ['https://github.com/acme/site.git', 'https://github.com/acme/site.git'],
    ['HTTPS://GitHub.com/acme/site/', 'https://github.com/acme/site'],
    ['https://git.example.com:8443/a%20b/site', 'https://git.example.com:8443/a%20b/site'],
    ['ssh://git@github.com/acme/site.git', 'ssh://git@github.com/acme/site.git'],
    ['ssh://git.example.com:2222/acme/site.git', 'ssh://git.example.com:2222/acme/site.git'],
    ['git@github.com:acme/site.git', 'git@github.com:acme/site.git'],
    ['git.example.com:acme/site.git', 'git.example.com:acme/site.git'],
  ] as const)
    it(`accepts ${given}`, () => {
      expect(checkRepositoryUrl(given, { allowLocal: false })).to.equal(stored);
    });

  for (const [given, stored] of [
    ['/srv/git/a b%.git', 'file:///srv/git/a%20b%25.git'],
    ['file:///srv/git/site.git/', 'file:///srv/git/site.git'],
    ['./site', new URL(`file://${process.cwd()}/site`).href],
  ] as const) {
    it(`accepts ${given} from an operator only`, () => {
      expect(checkRepositoryUrl(given, { allowLocal: true })).to.equal(stored);
      expect(refusal(given, false)).to.equal('INVALID_INPUT');
    });
  }

  for (const url of [
    '',
    ' https://github.com/acme/site',
    'http://github.com/acme/site',
    'git://github.com/acme/site',
    'ftp://github.com/acme/site',
    'https://user@github.com/acme/site',
    'https://user:secret@github.com/acme/site',
    'ssh://git:secret@github.com/acme/site',
    'https://github.com',
    'https://github.com//',
    'https://github.com/acme/site?x=1',
    'https://github.com/acme/site#main',
    'https://github.com/acme/site\nx',
    'https://github.com/acme/%0asite',
    'https://github.com/acme\\site',
    '-oProxyCommand=touch /tmp/x',
    '--upload-pack=touch /tmp/x',
    'ssh://-oProxyCommand=touch/x',
    'ssh://git@-oProxyCommand=x/y',
    'ssh://host/-x',
    '-x@host:y',
    'host:-x',
    'git@host:',
    'ext::sh -c touch% /tmp/x',
    'fd::17',
    'https::https://github.com/acme/site',
    'C:\\site',
    'c:/site',
    'file://host/srv/site',
    'file:site',
    'site',
    `https://github.com/${'a'.repeat(2_000)}`,
  ])
    it(`rejects ${JSON.stringify(url.slice(0, 60))}, also from operators`, () => {
      expect(refusal(url, true)).to.equal('INVALID_INPUT');
      expect(refusal(url, false)).to.equal('INVALID_INPUT');
    });

  it('says what is expected and repeats no password', () => {
    expect(() =>
      checkRepositoryUrl('https://user:secret@github.com/acme/site', { allowLocal: false }),
    ).to.throw(/^(?!.*secret).*\bpassword\b/);
  });
});
