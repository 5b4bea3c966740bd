import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import tls from 'node:tls';
import { inspect } from 'node:util';
import { expect } from 'chai';
import type { OpenableSite, SiteProblem } from '../../../../src/contract/site.ts';
import type { RemoteAccess } from '../../../../src/sites/git/remote/remoteAccess.ts';
import { createRepositories } from '../../../../src/sites/git/repositories.ts';
import type { GitRepositories, GitRepository } from '../../../../src/sites/git/repository.ts';
import { casesIn } from '../../../helpers/cases.ts';
import { testLauncher } from '../../../helpers/launcher.ts';
import {
  type PrivateRepository,
  startPrivateRepository,
} from '../../../helpers/team/privateRepository.ts';
import { formsOf, sentencesWith } from '../../../helpers/secretForms.ts';
import { failureOf, git, publishTask } from '../../../helpers/team/workplace.ts';

const token = 'to/k+%41=&<4711>';
const username = 'x-access-token';
const header = `Basic ${Buffer.from(`${username}:${token}`).toString('base64')}`;
const sentences = casesIn(sentencesWith(token, username));
const forms = [...formsOf(token, username), header];

type Answer = (request: IncomingMessage, response: ServerResponse, said: string) => boolean;
const packet = (text: string) => (text.length + 4).toString(16).padStart(4, '0') + text;
const advertised = (text: string) => `${packet('# service=git-upload-pack\n')}0000${packet(text)}`;
const isAsked = ({ url = '' }: IncomingMessage) => url.includes('/info/refs');

/** Ways in which an https remote speaks to a fetch. */
const answers: Record<string, Answer> = {
  'an ERR line': (_, response, said) => {
    response.writeHead(200, { 'content-type': 'application/x-git-upload-pack-advertisement' });
    return !!response.end(advertised(`ERR ${said}\n`));
  },
  'the body of a 500': (_, response, said) =>
    !!response.writeHead(500, { 'content-type': 'text/plain' }).end(`fatal: ${said}\n`),
  'a redirect': (_, response, said) =>
    !!response
      .writeHead(302, { location: `https://127.0.0.1:1/${encodeURIComponent(said)}/info/refs` })
      .end(),
};

const access: RemoteAccess = {
  isGuarded: false,
  knownHosts: '',
  credential: () => Promise.resolve({ kind: 'token', username, token }),
};

describe('a remote that repeats its credential', () => {
  const trusted = tls.getCACertificates('default');
  let remote: PrivateRepository;
  let answer: Answer | undefined;
  let said = '';
  let repositories: GitRepositories;
  let site: OpenableSite;
  let repository: GitRepository;
  const problems: SiteProblem[] = [];

  before(async () => {
    remote = await startPrivateRepository(token, '', (request, response) =>
      isAsked(request) && answer !== undefined ? answer(request, response, said) : false,
    );
    tls.setDefaultCACertificates([readFileSync(remote.env['NODE_EXTRA_CA_CERTS']!, 'utf8')]);
    repositories = createRepositories({
      dataDir: join(remote.place.folder, 'data'),
      launcher: testLauncher,
      openCredential: () => Promise.resolve({ kind: 'token', username, token }),
      onProblem: (_, problem) => Promise.resolve(void (problem && problems.push(problem))),
    });
  });
  beforeEach(() => {
    [answer, said] = [undefined, ''];
    problems.length = 0;
    const credential = { credentialId: randomUUID(), kind: 'token' as const };
    site = {
      siteId: randomUUID(),
      organizationId: 'team',
      repository: { url: remote.url, branch: 'main', root: '', credential },
    };
    repository = repositories.open(site);
  });
  after(async () => {
    tls.setDefaultCACertificates(trusted);
    await repositories.close();
    await remote.close();
  });

  /** All that may be shown, logged or kept of an error, and what is kept of the site's problems. */
  const expectNone = (...shown: unknown[]) => {
    const text = [
      inspect(shown, { depth: 10 }),
      JSON.stringify([shown, problems]),
      ...shown.map(String),
    ].join('\n');
    const found = forms.filter((form) => text.toLowerCase().includes(form.toLowerCase()));
    expect(found, text.slice(0, 2_000)).to.deep.equal([]);
  };

  for (const [how, given] of Object.entries(answers))
    it(`does not show it in an error by ${how}`, async () => {
      answer = given;
      for (said of sentences) {
        const error = await failureOf(repository.fetchHead());
        expect(error).to.include({ code: 'GIT_FAILED' });
        expectNone(error);
        expectNone(await failureOf(repositories.listBranches(site, access)));
      }
    });

  for (const hook of ['pre-receive', 'update'])
    it(`does not show it in a rejection by its hook ${hook}`, async () => {
      remote.place.hook(hook, `cat '${remote.place.folder}/said' >&2; exit 1`);
      try {
        for (const sentence of sentences) {
          writeFileSync(join(remote.place.folder, 'said'), sentence);
          const error = await failureOf(
            publishTask(repository, `bg-${randomUUID()}`, { 'x.html': sentence }),
          );
          expect(error).to.include({ code: 'PUSH_REFUSED' });
          expect(error?.message).to.include('[credential]');
          expectNone(error);
        }
        expect(problems).to.have.length.above(0);
      } finally {
        remote.place.hook(hook, 'exit 0');
      }
    });

  it('does not show it in the names of its branches', async () => {
    const names = forms.filter((form) => /^[\w+=.&-]+$/.test(form));
    for (const name of names) git(remote.place.remote, 'branch', `x-${name}`, 'main');
    git(remote.place.remote, 'symbolic-ref', 'HEAD', `refs/heads/x-${names[0]}`);
    try {
      const found = await repositories.listBranches(site, access);
      expect(found).to.deep.equal({ head: null, branches: ['main'] });
    } finally {
      git(remote.place.remote, 'symbolic-ref', 'HEAD', 'refs/heads/main');
      for (const name of names) git(remote.place.remote, 'branch', '-D', `x-${name}`);
    }
  });
});
