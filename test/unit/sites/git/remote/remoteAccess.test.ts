import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import tls from 'node:tls';
import { expect } from 'chai';
import type { GitCredential } from '../../../../../src/contract/site.ts';
import { repositoryAddresses } from '../../../../../src/callbacks/repositoryHosts.ts';
import { fingerprintOf, newDeployKey } from '../../../../../src/organizations/deployKey.ts';
import {
  type RemoteAccess,
  parseRemoteHost,
} from '../../../../../src/sites/git/remote/remoteAccess.ts';
import { createRepositories } from '../../../../../src/sites/git/repositories.ts';
import { createAuthority } from '../../../../helpers/certificates.ts';
import { temporaryFolder } from '../../../../helpers/database.ts';
import { testLauncher } from '../../../../helpers/launcher.ts';
import { serveSsh, type SshServer } from '../../../../helpers/sshServer.ts';
import { serveHttps } from '../../../../helpers/team/httpsRemote.ts';
import { failureOf, publishTask, Workplace } from '../../../../helpers/team/workplace.ts';

const HOST = 'git.team.example';
const policy = {
  allowPrivate: false,
  ownHosts: [],
  resolve: () => Promise.resolve(['127.0.0.1']),
  isAllowedAddress: (address: string) => address === '127.0.0.1',
};

describe('access to repositories that were added over HTTP', () => {
  let place: Workplace;
  let ssh: SshServer;
  const closes: (() => Promise<unknown>)[] = [];
  const key = newDeployKey('site');
  const access = (
    credential: GitCredential | null,
    more: Partial<RemoteAccess> = {},
  ): RemoteAccess => ({
    isGuarded: true,
    credential: () => Promise.resolve(credential),
    knownHosts: '',
    ...more,
  });
  const open = (url: string, given: RemoteAccess, resolve = policy.resolve) => {
    const repositories = createRepositories({
      dataDir: join(place.folder, `data with space %h ${closes.length}`),
      launcher: testLauncher,
      allowed: (host) => repositoryAddresses(host, { ...policy, resolve }),
    });
    closes.push(() => repositories.close());
    const site = {
      siteId: 'site',
      organizationId: 'organization',
      repository: { url, branch: 'main', root: '' },
    };
    return repositories.open(site, given);
  };

  before(async () => {
    place = new Workplace();
    place.push({ 'index.html': 'home' });
    ssh = await serveSsh(place.folder);
  });
  afterEach(async () => {
    ssh.readers.clear();
    ssh.writers.clear();
    await Promise.all(closes.splice(0).map((close) => close()));
  });
  after(async () => {
    await ssh.close();
    await place.remove();
  });
  const deployKey: GitCredential = { kind: 'deploy-key', privateKey: key.privateKey };
  const sshUrl = () => `ssh://git@${HOST}:${ssh.port}/team site.git`;

  it('fetches and publishes over ssh with a deploy key, at the address that was checked', async () => {
    ssh.writers.add(key.publicKey);
    const learned: string[] = [];
    const given = access(deployKey, { onKnownHosts: (lines) => void learned.push(lines) });
    const { commit } = await publishTask(open(sshUrl(), given), 'bg-1', { 'ssh.html': 'new' });
    expect(place.head()).to.equal(commit);
    expect(learned[0]).to.match(/^git\.team\.example ssh-ed25519 \S+\n$/);
    const again = open(sshUrl(), access(deployKey, { knownHosts: learned[0]! }));
    expect(await again.fetchHead()).to.equal(commit);
  });

  it('reports a deploy key that is not known, or that may not push', async () => {
    expect(await failureOf(open(sshUrl(), access(deployKey)).fetchHead())).to.deep.include({
      retryable: false,
      details: { reason: 'access-denied' },
    });
    ssh.readers.add(key.publicKey);
    const repository = open(sshUrl(), access(deployKey));
    await repository.fetchHead();
    const error = await failureOf(publishTask(repository, 'bg-2', { 'x.html': 'x' }));
    expect(error?.message).to.match(/^Pushing to /);
  });

  it('rejects a host whose key has changed, in plain words', async () => {
    ssh.writers.add(key.publicKey);
    let knownHosts = '';
    const given = access(deployKey, { onKnownHosts: (lines) => (knownHosts = lines) });
    await open(sshUrl(), given).fetchHead();
    await ssh.close();
    ssh = await serveSsh(place.folder, ssh.port);
    ssh.writers.add(key.publicKey);
    const error = await failureOf(open(sshUrl(), access(deployKey, { knownHosts })).fetchHead());
    expect(error).to.deep.include({
      code: 'GIT_FAILED',
      retryable: false,
      details: { reason: 'host-key' },
    });
    expect(error?.message).to.include(
      "the host's ssh key has changed since the repository was added",
    );
  });

  it('is not possible over ssh without a deploy key', async () => {
    ssh.writers.add(key.publicKey);
    const error = await failureOf(open(sshUrl(), access(null)).fetchHead());
    expect(error).to.deep.include({ details: { reason: 'access-denied' } });
  });

  it('does not connect to a host that has moved to a private address', async () => {
    ssh.writers.add(key.publicKey);
    let addresses = ['127.0.0.1'];
    const repository = open(sshUrl(), access(deployKey), () => Promise.resolve(addresses));
    await repository.fetchHead();
    const before = ssh.connections();
    for (const moved of [['10.0.0.1'], ['127.0.0.1', '::1'], ['169.254.169.254'], []]) {
      addresses = moved;
      expect(await failureOf(repository.fetchHead())).to.deep.include({
        retryable: false,
        details: { reason: 'address' },
      });
    }
    expect(ssh.connections()).to.equal(before);
  });

  describe('over https', () => {
    const token = 'tok3n:/+%&?@#-of-the-team';
    const trusted = tls.getCACertificates('default');
    let url: string;
    let close: () => Promise<void>;
    let seen: string[] = [];
    let redirect: string | undefined;
    before(async () => {
      const authority = await createAuthority();
      tls.setDefaultCACertificates([authority.ca]); // git reads all of them at each command
      const server = await serveHttps(
        place.folder,
        await authority.issue({ dns: [HOST] }),
        (request, response) => {
          const given = Buffer.from(
            request.headers.authorization?.slice(6) ?? '',
            'base64',
          ).toString();
          seen.push(given);
          seen.push(...spies());
          if (redirect !== undefined) response.writeHead(302, { location: redirect }).end();
          else if (given === `me:${token}`) return false;
          else response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end();
          return true;
        },
      );
      url = `https://${HOST}:${new URL(server.url).port}/team%20site.git`;
      close = server.close;
    });
    beforeEach(() => ((seen = []), (redirect = undefined)));
    after(async () => {
      tls.setDefaultCACertificates(trusted);
      await close();
    });
    const given = access({ kind: 'token', username: 'me', token });
    /**
     * What everybody on this machine sees of its processes, and what their owner sees of their
     * environments.
     */
    const spies = () =>
      readdirSync('/proc')
        .filter((name) => /^\d+$/.test(name))
        .flatMap((pid) => ['cmdline', 'environ'].map((file) => read(`/proc/${pid}/${file}`)))
        .filter((text) => text.includes(token) || text.includes(encodeURIComponent(token)));
    const read = (file: string) => {
      try {
        return readFileSync(file, 'utf8');
      } catch {
        return ''; // it has ended, or is somebody else's
      }
    };

    it('gives the token to the host, but to no process list, environment or error, and leaves nothing', async () => {
      const repository = open(url, given);
      const { commit } = await publishTask(repository, 'bg-3', { 'https.html': 'new' });
      expect(place.head()).to.equal(commit);
      expect(new Set(seen)).to.deep.equal(new Set(['', `me:${token}`]));
      const wanted = ['-e', token, '-e', encodeURIComponent(token)];
      const left = spawnSync('grep', ['-rlF', ...wanted, place.folder], {
        encoding: 'utf8',
      }).stdout;
      expect(left).to.equal('');
    });

    it('does not follow a redirect with the token', async () => {
      redirect = `https://${HOST}:1/elsewhere`;
      const error = await failureOf(open(url, given).fetchHead());
      expect(error).to.deep.include({ details: { reason: 'redirect' } });
      expect(JSON.stringify([error?.message, error?.stack])).to.not.include(token);
    });

    it('reports a wrong token without showing it', async () => {
      const wrong = access({ kind: 'token', username: 'me', token: 'not-the-token' });
      const error = await failureOf(open(url, wrong).fetchHead());
      expect(error).to.deep.include({ retryable: false, details: { reason: 'access-denied' } });
      expect(JSON.stringify([error?.message, error?.stack])).to.not.include('not-the-token');
    });

    it('connects to the address that was checked, and asks no resolver of its own', async () => {
      let asked = 0;
      const rebinding = () => Promise.resolve(asked++ % 2 === 0 ? ['127.0.0.1'] : ['10.0.0.1']);
      const repository = open(url, given, rebinding);
      await repository.fetchHead();
      expect(await failureOf(repository.fetchHead())).to.deep.include({
        details: { reason: 'address' },
      });
      expect(asked).to.equal(2);
    });
  });
});

describe('parseRemoteHost(url)', () => {
  for (const [url, host, port] of [
    ['https://git.example/x.git', 'git.example', '443'],
    ['https://[::1]/x.git', '::1', '443'],
    ['ssh://git@git.example:2222/x.git', 'git.example', '2222'],
    ['git@GIT.example:team/x.git', 'git.example', '22'],
    ['git@017700000001:x.git', '127.0.0.1', '22'],
  ] as const)
    it(`finds ${host}:${port} in ${url}`, () => {
      expect(parseRemoteHost(url)).to.deep.include({ host, port });
    });

  it('finds no host in a local URL', () => {
    expect(parseRemoteHost('file:///srv/x.git')).to.equal(null);
  });
});

describe('newDeployKey(comment)', () => {
  it('has a public half that OpenSSH reads, with the same fingerprint', () => {
    const folder = temporaryFolder();
    const { publicKey } = newDeployKey('agent-tasks-x');
    const file = join(folder.path, 'key.pub');
    writeFileSync(file, publicKey);
    const shown = execFileSync('ssh-keygen', ['-l', '-f', file], { encoding: 'utf8' });
    expect(shown).to.include(`${fingerprintOf(publicKey)} agent-tasks-x`);
    folder.remove();
  });
});
