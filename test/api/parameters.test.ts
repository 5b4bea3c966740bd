import { expect } from 'chai';
import { createCreatorNames } from '../../src/organizations/creatorNames.ts';
import { createShares } from '../../src/organizations/shareLinks.ts';
import { createSiteList } from '../../src/organizations/siteList.ts';
import { createSites } from '../../src/organizations/sites.ts';
import { createTeamKeys } from '../../src/organizations/teamKeys.ts';
import { DomainError } from '../../src/errors.ts';
import { createDeployments } from '../../src/storage/deployments.ts';
import { bearer, failingTasks } from '../helpers/api.ts';
import { testDatabase } from '../helpers/database.ts';
import { type People, startPeople } from '../helpers/people.ts';

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  $ref?: string;
}
interface Document {
  paths: Record<string, Record<string, { parameters?: Parameter[] }>>;
  components: { parameters?: Record<string, Parameter> };
}

/** PostgreSQL takes no NUL, and half of a character is no UTF-8. Cursors are base64url. */
const hostile = ['bg-%00', '%ED%A0%80', Buffer.from('/a@b\0').toString('base64url')];
const unknown = new DomainError('NOT_FOUND', 'Task not found');

describe('parameters of a path or query', () => {
  let people: People;
  before(async () => {
    const db = await testDatabase();
    people = await startPeople({
      app: {
        creators: createCreatorNames(db),
        shares: createShares(db),
        teamKeys: createTeamKeys(db),
        tasks: {
          ...failingTasks(unknown),
          list: () => Promise.resolve({ tasks: [], nextCursor: null }),
        },
        sites: createSites(db),
        siteList: createSiteList(db),
        deployments: createDeployments(db),
      },
    });
  });
  after(() => people.close());

  it('may be 100 at most, of which one may occur more than once', async () => {
    const { organizationId } = await people.organizations.create({ name: 'Acme' });
    const { apiKey } = await people.keys.create({ organizationId, role: 'member' });
    const list = async (query: string) =>
      (await people.api.request('GET', `/api/v1/agent/tasks?${query}`, { headers: bearer(apiKey) }))
        .json;
    expect(await list('limit=5')).to.include({ nextCursor: null });
    expect((await list('limit=5&limit=6')).error).to.equal('Invalid query: limit must be a number');
    expect((await list('a&'.repeat(101))).error).to.equal(
      'Invalid query: it has more than 100 parameters',
    );
  });

  it('never make the service fail, whatever their text', async () => {
    const { organizationId } = await people.organizations.create({ name: 'Acme' });
    const { apiKey } = await people.keys.create({ organizationId, role: 'owner' });
    const { json } = await people.api.request('GET', '/api/v1/openapi.json');
    const failed: string[] = [];
    for (const [path, operations] of Object.entries((json as unknown as Document).paths))
      for (const [method, { parameters = [] }] of Object.entries(operations))
        for (const { name, in: place } of parameters)
          for (const text of hostile) {
            const filled = path.replace(`{${name}}`, text).replaceAll(/\{\w+\}/g, 'x');
            const query = place === 'query' ? `?${name}=${text}` : '';
            const { status } = await people.api.request(
              method.toUpperCase(),
              `/api/v1${filled}${query}`,
              {
                headers: bearer(apiKey),
              },
            );
            if (status >= 500) failed.push(`${method} ${filled}${query}: ${status}`);
          }
    expect(failed).to.deep.equal([]);
  });
});
