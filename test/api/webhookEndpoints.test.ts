import { expect } from 'chai';
import { bearer } from '../helpers/api.ts';
import { startStoresApi, type StoresApi } from '../helpers/storesApi.ts';

const endpoint = {
  url: 'http://127.0.0.1:9/hook',
  description: 'CRM',
  eventTypes: ['task.completed', 'review.requested'],
};

describe('webhook endpoints of an organization', function () {
  this.timeout(120_000);
  let api: StoresApi;
  let keys: Record<'member' | 'admin', string>;
  before(async () => {
    api = await startStoresApi({ CALLBACK_ALLOW_PRIVATE: 'true', AUTH_SIGN_UP: 'closed' });
    const own = (await api.stores.organizations.create({ name: 'Team' })).organizationId;
    const keyOf = async (role: 'member' | 'admin') =>
      (await api.stores.keys.create({ organizationId: own, role, name: role })).apiKey;
    keys = { member: await keyOf('member'), admin: await keyOf('admin') };
  });
  after(() => api?.close());

  async function ask(method: string, path = '', body?: object, key = keys.admin) {
    const response = await fetch(`http://127.0.0.1:${api.port}/api/v1/webhook-endpoints${path}`, {
      method,
      headers: { ...bearer(key), ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const json = (text ? JSON.parse(text) : {}) as Record<string, unknown>;
    return {
      status: response.status,
      json,
      code: response.headers.get('agent-tasks-error')?.split(';')[0],
    };
  }

  it('are created, changed, tried out, rotated and deleted by admins', async () => {
    const created = await ask('POST', '', endpoint);
    expect(created.status).to.equal(201);
    expect(created.json['secret']).to.match(/^whsec_/);
    const path = `/${String(created.json['endpointId'])}`;
    expect((await ask('GET', path)).json).not.to.have.property('secret');
    const disabled = await ask('PATCH', path, { enabled: false });
    expect(disabled.json['disabledBecause']).to.equal('request');
    expect((await ask('POST', `${path}/test`)).code).to.equal('CONFLICT');
    await ask('PATCH', path, { enabled: true, eventTypes: ['task.failed'] });

    const test = await ask('POST', `${path}/test`);
    expect([test.status, test.json['state']]).to.deep.equal([202, 'pending']);
    expect(api.tasks.asked.at(-1)).to.equal(`start event-${String(test.json['deliveryId'])}-0`);
    const log = await ask('GET', `${path}/deliveries`);
    expect(log.json).to.deep.equal({ deliveries: [test.json], nextCursor: null });
    const redelivery = `${path}/deliveries/${String(test.json['deliveryId'])}/redeliver`;
    expect((await ask('POST', redelivery)).code).to.equal('CONFLICT');

    const rotated = await ask('POST', `${path}/rotate`);
    expect(rotated.json['secret']).not.to.equal(created.json['secret']);
    expect(rotated.json['previousSecretUntil']).to.be.a('string');
    expect((await ask('DELETE', path)).status).to.equal(204);
    expect((await ask('GET', path)).code).to.equal('NOT_FOUND');
  });

  it('have URLs by the rules of callbacks, and known types of events', async () => {
    const invalid = [
      [{ url: 'ftp://receiver.example/' }, 'INVALID_CALLBACK_URL'],
      [{ url: 'https://user:pw@receiver.example/' }, 'INVALID_CALLBACK_URL'],
      [{ eventTypes: ['review.begun'] }, 'INVALID_INPUT'],
      [{ eventTypes: [] }, 'INVALID_INPUT'],
      [{ eventTypes: ['task.failed', 'task.failed'] }, 'INVALID_INPUT'],
      [{ kind: 'mail' }, 'INVALID_INPUT'],
      [{ description: 'open http://evil.example' }, 'INVALID_INPUT'],
    ] as const;
    for (const [change, code] of invalid)
      expect((await ask('POST', '', { ...endpoint, ...change })).code, code).to.equal(code);
  });

  it('are closed to members', async () => {
    expect((await ask('GET', '', undefined, keys.member)).status).to.equal(403);
    expect((await ask('POST', '', endpoint, keys.member)).status).to.equal(403);
  });
});
