import { expect } from 'chai';
import { connectByOAuth, startPeopleAtPort } from '../helpers/oauth.ts';
import type { People } from '../helpers/people.ts';

describe('OAuth for assistants', () => {
  let people: People & { origin: string };
  before(async () => {
    people = await startPeopleAtPort();
  });
  after(() => people.close());

  afterEach(() => console.log(people.api.logs.filter((l) => l['err']).map((l) => JSON.stringify(l)).join('\n')));
  it('connects the official client', async () => {
    const { person, organizationId } = await people.owner();
    const assistant = await connectByOAuth(people.origin, person, organizationId);
    const { isError, json } = await assistant.call('list_sites');
    console.log(json, isError, assistant.program.kept);
    expect(isError).to.equal(false);
    await assistant.close();
  });
});
