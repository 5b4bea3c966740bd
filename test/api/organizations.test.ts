import { expect } from 'chai';
import { checkCallbackUrl } from '../../src/callbacks/callbackPolicy.ts';
import type { Site } from '../../src/contract/site.ts';
import { createKeys } from '../../src/organizations/apiKeys.ts';
import { createOrganizations } from '../../src/organizations/organizations.ts';
import { createSites } from '../../src/organizations/sites.ts';
import { bearer, startApi, type TestApi } from '../helpers/api.ts';
import { testDatabase } from '../helpers/database.ts';

describe('the API with real keys, sites and callback rules', () => {
  let api: TestApi;
  let keys: ReturnType<typeof createKeys>;
  let organization: { organizationId: string };
  let site: Site;
  let member: string;
  before(async () => {
    const db = await testDatabase();
    keys = createKeys(db);
    const sites = createSites(db);
    organization = await createOrganizations(db).create({ name: 'Acme' });
    const repository = { url: 'https://git.example.com/acme.git', branch: 'main', root: '' };
    site = await sites.create({ ...organization, name: 'Acme', repository });
    member = (await keys.create({ ...organization, role: 'member' })).apiKey;
    const policy = { allowPrivate: false, ownHosts: ['api.example.com'] };
    api = await startApi({ keys, sites, checkCallbackUrl: (url) => checkCallbackUrl(url, policy) });
  });
  after(() => api.close());

  const create = (key: string, fields: object = {}) =>
    api.create({ siteId: site.siteId, prompt: 'x', ...fields }, bearer(key));

  it('starts a task on the site with this UUID in any case, under its registered ID', async () => {
    for (const siteId of [site.siteId, site.siteId.toUpperCase()])
      expect((await create(member, { siteId })).status).to.equal(200);
    const ids = api.started.map(({ task, bodyHash }) => [
      task.organizationId,
      task.siteId,
      bodyHash,
    ]);
    const same = [organization.organizationId, site.siteId, api.started[0]?.bodyHash];
    expect(ids).to.deep.equal([same, same]);
  });

  for (const callbackUrl of [
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://169.254.169.254/',
    'https://0x7f.1/',
    'https://localhost/',
    'https://api.example.com/',
    'http://198.51.100.1/',
    'https://user:pw@198.51.100.1/',
    'https:///',
    'x',
  ])
    it(`rejects the callback URL ${callbackUrl} with the contract's text`, async () => {
      const { status, json } = await create(member, { callbackUrl });
      expect([status, json]).to.deep.equal([400, { error: 'Invalid callback URL' }]);
    });
});
