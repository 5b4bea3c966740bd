import { expect } from 'chai';
import { bearer, keys, startApi } from '../helpers/api.ts';

const year = 'max-age=31536000';

describe('Strict-Transport-Security', () => {
  /** What each kind of answer says. */
  async function said(address: string): Promise<Record<string, string | null>> {
    const serveSites = (ctx: { hostname: string; status: number }, next: () => Promise<void>) => {
      if (ctx.hostname !== 'acme.sites.example') return next();
      ctx.status = 404;
      return Promise.resolve();
    };
    const api = await startApi({
      publicUrl: () => new URL(address),
      serveSites: serveSites as never,
    });
    const fields: Record<string, string | null> = {};
    const ask = async (
      what: string,
      method: string,
      path: string,
      headers: Record<string, string> = {},
    ) => {
      const reply = await api.request(method, path, { headers, redirect: 'manual' });
      fields[`${what} ${reply.status}`] = reply.headers.get('strict-transport-security');
    };
    try {
      await ask('sites', 'GET', '/api/v1/sites', bearer(keys.member));
      await ask('no key', 'GET', '/api/v1/sites');
      await ask('no route', 'GET', '/nowhere');
      await ask('no method', 'PUT', '/api/v1/sites', bearer(keys.member));
      await ask('another host', 'GET', '/', { host: 'elsewhere.example' });
      await ask("a site's host", 'GET', '/', { host: 'acme.sites.example' });
      await ask('health', 'GET', '/healthz');
      await ask('console', 'GET', '/sign-in');
    } finally {
      await api.close();
    }
    return fields;
  }

  it('is in every answer if clients use https', async () => {
    const fields = await said('https://api.example.com');
    expect(Object.keys(fields)).to.have.length(8);
    for (const [what, field] of Object.entries(fields)) expect(field, what).to.equal(year);
  });

  it('is in no answer if clients use http', async () => {
    for (const [what, field] of Object.entries(await said('http://api.example.com')))
      expect(field, what).to.equal(null);
  });
});
