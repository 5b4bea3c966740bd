import { expect } from 'chai';
import { createGuardedSender, type GuardedSender } from '../../../../src/callbacks/guardedSend.ts';
import type { DeploymentCheck } from '../../../../src/contract/deployment.ts';
import type { ExternalHost, Site } from '../../../../src/contract/site.ts';
import { createForgeRegistry, type ForgeRegistry } from '../../../../src/forges/forges.ts';
import { createExternalHost } from '../../../../src/hosting/external/external.ts';
import { type Certificate, createAuthority } from '../../../helpers/certificates.ts';
import { FakeForge, ownHost } from '../../../helpers/ownHost.ts';
import { type Receiver, startReceiver } from '../../callbacks/receiver.ts';

const commit = 'c'.repeat(40);
const never = new AbortController().signal;

/** A site whose forge and host are one server. `token` and `secret` are what it sends there. */
interface AccessInput {
  token: string;
  secret?: string;
}

describe('deployment checks of many tasks at the same time', () => {
  let certificate: Certificate;
  let sender: GuardedSender;
  let forges: ForgeRegistry;
  let receiver: Receiver;
  let origin: string;

  before(async () => {
    const authority = await createAuthority();
    certificate = await authority.issue({ dns: ['team.example.com'] });
    sender = createGuardedSender({
      allowPrivate: false,
      ownHosts: [],
      ca: authority.ca,
      resolve: () => Promise.resolve(['127.0.0.1']),
      isAllowedAddress: (address) => address === '127.0.0.1',
    });
    forges = createForgeRegistry(sender);
  });
  after(() => sender.close());

  beforeEach(async () => {
    receiver = await startReceiver(certificate, ({ url = '' }, answer) => {
      const creator = { login: 'bot' };
      const state = { id: 1, status: 'success', context: 'host', target_url: origin, creator };
      const page = '<h1>A heading that is new</h1>';
      answer.end(url.startsWith('/api/') ? JSON.stringify([state]) : page);
    });
    origin = `https://team.example.com:${receiver.port}`;
  });
  afterEach(() => receiver[Symbol.asyncDispose]());

  const look = (slug = '/x'): DeploymentCheck & { until: Date } => ({
    target: 'live',
    commit,
    what: 'the build',
    url: origin,
    branch: 'main',
    pages: [{ slug, paths: [slug], texts: ['A heading that is new'] }],
    until: new Date(Date.now() + 60_000),
  });

  const host = createExternalHost({
    ...new FakeForge('').options(),
    repositories: { open: () => expect.fail('a look opens no repository') },
    send: (...request) => sender.send(...request),
    secretOf: (credentialId) => Promise.resolve(credentialId),
    openForge: async ({ name: token, ownHost: place }: Site) =>
      Promise.resolve(forges.open(place!, { kind: 'token', username: '', token })),
  });

  function siteOf({ token, secret }: AccessInput) {
    const bypass = secret === undefined ? {} : { header: 'x-open', credentialId: secret };
    const settings: ExternalHost = {
      ...ownHost,
      apiUrl: `${origin}/api/v1`,
      hosts: [new URL(origin).host],
      ...(secret !== undefined && { bypass: bypass as ExternalHost['bypass'] & object }),
    };
    return { siteId: token, organizationId: 'o', name: token, ownHost: settings } as Site;
  }

  async function twenty(given: AccessInput, slug?: string) {
    const site = siteOf(given);
    const looks = Array.from({ length: 20 }, () => host.checkDeployment(site, look(slug), never));
    for (const { pages } of await Promise.all(looks))
      expect(pages[0]?.url).to.equal(origin + (slug ?? '/x'));
  }
  const paths = () => receiver.received.map(({ path }) => path.replace(/^\/api.*/, 'reports'));

  it('share one request for the reports, and one for each page', async () => {
    await twenty({ token: 'one' });
    expect(paths()).to.deep.equal(['reports', '/x']);
    await Promise.all([twenty({ token: 'one' }), twenty({ token: 'one' }, '/y')]);
    expect(paths().slice(2).sort()).to.deep.equal(['/x', '/y', 'reports']);
  });

  it('are not shared with another credential, nor with another secret for previews', async () => {
    await Promise.all([
      twenty({ token: 'one', secret: 'a' }),
      twenty({ token: 'two', secret: 'b' }),
    ]);
    const asked = receiver.received;
    const tokens = asked.map(({ headers }) => headers.authorization);
    expect(tokens.sort()).to.deep.equal(['token one', 'token two', undefined, undefined]);
    const secrets = asked.flatMap(({ path, headers }) => (path === '/x' ? headers['x-open'] : []));
    expect(secrets.sort()).to.deep.equal(['a', 'b']);
  });
});
