import { expect } from 'chai';
import type { SiteExamples } from '../../src/contract/check.ts';
import type { OpenableSite } from '../../src/contract/site.ts';
import { DomainError } from '../../src/errors.ts';
import { bearer, keys, siteCommit, startApi, type TestApi } from '../helpers/api.ts';

describe('GET /sites/{siteId}/examples', () => {
  let api: TestApi;
  let found: SiteExamples | Error;
  const asked: OpenableSite[] = [];
  before(async () => {
    api = await startApi({
      findExamples: (site) => {
        asked.push(site);
        return found instanceof Error ? Promise.reject(found) : Promise.resolve(found);
      },
    });
  });
  after(() => api.close());
  beforeEach(() => void (asked.length = 0));

  const read = (key = keys.member, { siteId } = api.site) =>
    api.request('GET', `/api/v1/sites/${siteId}/examples`, { headers: bearer(key) });
  const changes = { pagesCreated: [], pagesModified: ['/pricing'], pagesDeleted: [] };

  it('answers what was tried on the site, and of which commit', async () => {
    const example = { prompt: 'Change the headline of /pricing to "Hello"', changes };
    found = {
      commit: siteCommit,
      examples: [{ ...example, internal: 1 } as SiteExamples['examples'][0]],
    };
    const { status, json } = await read();
    expect(status).to.equal(200);
    expect(json).to.deep.equal({
      siteId: api.site.siteId,
      commit: siteCommit,
      examples: [example],
    });
    expect(asked.map(({ siteId }) => siteId)).to.deep.equal([api.site.siteId]);
  });

  it('is for those who may see the site', async () => {
    expect((await read(keys.viewer)).status).to.equal(403);
    expect((await read('ak_wrong')).status).to.equal(401);
    expect((await read(keys.foreign)).json).to.deep.equal({ error: 'Site not found' });
    expect((await read(keys.member, api.foreignSite)).status).to.equal(404);
    expect((await read(keys.member, api.siteWithoutRepository)).json).to.deep.equal({
      error: 'Site is missing repository information',
    });
    expect(asked).to.deep.equal([]);
  });

  it('answers 503 while the repository does not answer, 409 where it can not be read', async () => {
    found = new DomainError('UNAVAILABLE', 'git: secret', { retryable: true });
    expect(await read()).to.include({ status: 503, text: '{"error":"Service Unavailable"}' });
    found = new DomainError('CONFLICT', 'Folder public not found in the repository');
    expect((await read()).status).to.equal(409);
  });
});
