// Takes long: a service of its own, with low limits.
import { expect } from 'chai';
import { otherOrganization } from '../helpers/otherOrganization.ts';
import { endServices, type Reply, type Service, startService } from '../helpers/service.ts';

describe('rate limits of a running service', function () {
  this.timeout(300_000);
  let service: Service;
  before(async () => {
    service = await startService({
      env: { RATE_LIMIT_CREATE_PER_MINUTE: '3', RATE_LIMIT_READ_PER_MINUTE: '5' },
    });
  });
  after(async function () {
    await endServices(this.currentTest);
  });

  it('answer 429 with when to come back, for creating and reading apart, for each key apart', async () => {
    const read = (headers?: Record<string, string>) =>
      service.request('GET', `/api/v1/agent/tasks/bg-${'0'.repeat(22)}`, {
        ...(headers && { headers }),
      });
    const post = () => service.postTask({ siteId: 'wrong' });
    await expectLimit('create', 3, 400, post);
    await expectLimit('read', 5, 404, () => read());
    const other = await otherOrganization(service);
    const authorization = `Bearer ${other.demo.apiKey}`;
    expect((await read({ authorization })).headers['ratelimit']).to.match(/^"read";r=4;t=\d+$/);
  });

  async function expectLimit(
    name: string,
    limit: number,
    status: number,
    ask: () => Promise<Reply>,
  ) {
    for (let left = limit - 1; left >= 0; left--) {
      const reply = await ask();
      expect(reply.status).to.equal(status);
      expect(reply.headers['ratelimit']).to.match(new RegExp(`^"${name}";r=${left};t=\\d+$`));
      expect(reply.headers['ratelimit-policy']).to.equal(`"${name}";q=${limit};w=60`);
      expect(reply.headers).to.not.have.property('retry-after');
    }
    const refused = await ask();
    expect(refused).to.deep.include({ status: 429, json: { error: 'Too Many Requests' } });
    expect(Number(refused.headers['retry-after'])).to.be.within(1, 60);
    expect(refused.headers['ratelimit']).to.match(new RegExp(`^"${name}";r=0;t=\\d+$`));
  }
});
