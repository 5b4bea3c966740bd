// Takes long: a service of its own with the default settings.
import { expect } from 'chai';
import { request } from 'undici';
import { processesOf } from '../helpers/processes.ts';
import { endServices, type Service, startService } from '../helpers/service.ts';
import { listeningSockets } from '../helpers/sockets.ts';

/** Wrong keys that one address may send in a minute. */
const WRONG_KEYS = 30;

describe('the network of a service with default settings', function () {
  this.timeout(120_000);
  let service: Service;
  before(async () => {
    service = await startService({ env: { METRICS_ADDRESS: '127.0.0.1:0' } });
  });
  after(function () {
    return endServices(this.currentTest);
  });

  it('listens only on loopback addresses, with every process that it starts', () => {
    const sockets = processesOf(service.dataDir).flatMap(({ pid }) => listeningSockets(pid));
    // Temporal's own UI has an address of 127.0.0.0/8 that is hard to guess (RFC 1122, 3.2.1.3)
    const open = sockets.filter(({ address }) => !/^(127\.\d+\.\d+\.\d+|::1)$/.test(address));
    expect(open).to.deep.equal([]);
    expect(sockets.length).to.be.above(4); // the API, Temporal's ports, its UI, the metrics
  });

  it('answers at both addresses of `localhost`', async () => {
    for (const host of ['127.0.0.1', '[::1]']) {
      const { statusCode, body } = await request(`http://${host}:${service.port}/healthz`, {
        headers: { host: `localhost:${service.port}` },
      });
      expect([host, statusCode, await body.text()]).to.deep.equal([host, 200, '{"status":"ok"}']);
    }
  });

  it('trusts no forwarded address', async () => {
    const statuses = [];
    for (let n = 0; n <= WRONG_KEYS; n++) {
      const forwarded = { 'x-forwarded-for': `192.0.2.${n}`, authorization: 'Bearer ak_wrong' };
      const { status } = await service.request('GET', '/api/v1/keys', { headers: forwarded });
      statuses.push(status);
    }
    expect(statuses).to.deep.equal([...Array<number>(WRONG_KEYS).fill(401), 429]);
  });
});
