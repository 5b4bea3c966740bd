import { expect } from 'chai';
import { json, type ScriptedServer, startScripted } from './scriptedServer.ts';

const siteId = '2ccccd9d-5b1e-4b77-8593-be03be951734';

describe('sites of the client', () => {
  let server: ScriptedServer;
  afterEach(() => server.close());

  it('are listed with their pages', async () => {
    server = await startScripted((response, n) =>
      json(response, 200, {
        sites: [{ siteId: `s${n}` }],
        pages: [{ slug: `/p${n}` }],
        nextCursor: n % 2 === 0 ? 'c' : null,
      }),
    );
    const { sites } = server.client();
    const told: string[] = [];
    for await (const site of sites.list()) told.push(site.siteId);
    for await (const page of sites.pages(siteId)) told.push(page.slug);
    await sites.editLink(siteId, '/pricing');
    expect(told).to.deep.equal(['s0', 's1', '/p2', '/p3']);
    expect(server.asked.map(({ path }) => path.replace('/api/v1/sites', ''))).to.deep.equal([
      '',
      '?cursor=c',
      `/${siteId}/pages`,
      `/${siteId}/pages?cursor=c`,
      `/${siteId}/edit-link`,
    ]);
  });
});
