// Takes long: a whole task of a language model for each file of redirects.
import { expect } from 'chai';
import { byTurns, call, type Call } from '../helpers/modelTurns.ts';
import { sharedModelService } from '../helpers/modelService.ts';
import { endServices, type Service } from '../helpers/service.ts';
import { removeTeamSites, TeamSite } from '../helpers/team/site.ts';
import { outputOf } from '../helpers/views.ts';

const turns: (() => Call[])[] = [
  () => [
    call('move_page', { slug: '/locations/austin', to: '/cities/austin' }),
    call('delete_page', {
      slug: '/locations/denver',
      links: 'remove',
      redirect: '/cities/austin',
    }),
  ],
  () => [call('finish', { summary: 'Austin moved, Denver leads there.' })],
];

describe('pages that a language model moves and deletes in a whole task', function () {
  this.timeout(240_000);
  let service: Service;
  before(async () => {
    service = await sharedModelService(byTurns(turns));
  });
  after(async function () {
    await endServices(this.currentTest);
    removeTeamSites();
  });

  const sites: Record<string, { files: Record<string, string>; leads: [number, string] }> = {
    _redirects: { files: { _redirects: '/old /about 301\n' }, leads: [301, '/cities/austin'] },
    'a file that is made': { files: {}, leads: [301, '/cities/austin'] },
  };
  for (const [n, [place, { files, leads }]] of Object.entries(sites).entries())
    it(`are led on by ${place}`, async () => {
      const site = await TeamSite.register(service, `redirects${n}`);
      site.push(files);
      const prompt = 'Move Austin to /cities/austin, and let Denver lead there';
      const { notes = [] } = outputOf(await site.run({ prompt, publish: true }));
      expect(notes.map(({ text }) => text)).to.deep.equal([
        '/locations/denver: the page was deleted, and its address leads to /cities/austin',
        '/cities/austin: the page was moved here from /locations/austin, whose address leads here',
      ]);
      for (const from of ['/locations/austin', '/locations/denver']) {
        const { status, headers } = await service.request('GET', site.live(from));
        expect([status, headers['location']], from).to.deep.equal(leads);
      }
      expect((await service.request('GET', site.live(leads[1]))).status).to.equal(200);
    });
});
