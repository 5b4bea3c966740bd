import { expect } from 'chai';
import type { Site } from '../../../src/contract/site.ts';
import type { HostAdapter } from '../../../src/hosting/hostAdapter.ts';
import { createSiteHosting } from '../../../src/hosting/hosting.ts';
import { createSiteHosts, findHost } from '../../../src/hosting/hosts.ts';
import { begun } from '../../helpers/deployed.ts';
import { failureOf, publication } from '../../helpers/team/workplace.ts';
import { commitTask, type Host as Embedded, pagesOf, startHost } from './embedded/host.ts';

const domains = { sitesDomain: 'sites.localhost', previewDomain: 'preview.localhost' };

describe('a host', () => {
  let embedded: Embedded;
  let calls: [call: string, commit?: string][];
  let isDown = false;
  /** A host that builds elsewhere, as far as it shows. */
  const builder: HostAdapter = {
    deployPreview: ({ taskId, commit, pages }) =>
      answer('deployPreview', commit, pages, `https://${taskId}.builder.example`),
    advancePreview: async ({ commit }) => void (await answer('advancePreview', commit)),
    endPreview: async () => void (await answer('endPreview')),
    goLive: ({ commit, pages }) => answer('goLive', commit, pages, 'https://builder.example'),
    checkDeployment: () => Promise.resolve({ pages: [] }),
    findExpectedPages: () => Promise.resolve([]),
    pullRequest: () => Promise.reject(new Error('No pull requests')),
    merge: () => Promise.reject(new Error('No pull requests')),
    liveOriginOf: () => 'https://builder.example',
    previewOriginOf: (_, taskId) => `https://${taskId}.builder.example`,
    frameSources: () => ['https://*.builder.example'],
  };
  const answer = async (
    call: string,
    commit?: string,
    pages: { slug: string }[] = [],
    origin = '',
  ) => {
    if (isDown) throw new Error('The builder is down');
    calls.push(commit === undefined ? [call] : [call, commit]);
    return { pages: pages.map(({ slug }) => ({ slug, url: origin + slug })) };
  };
  const hosts = {
    ...createSiteHosts({ ...domains, publicUrl: () => new URL('http://localhost') }),
    builder,
  };
  const hosting = () => createSiteHosting({ ...embedded, hosts });
  const site = (host: string): Site => ({ ...embedded.site, host });

  before(async () => {
    embedded = await startHost();
    embedded.team.push({ 'index.html': 'home' });
  });
  after(() => embedded.close());
  beforeEach(() => {
    calls = [];
    isDown = false;
  });

  it('shows the previews of its sites, which are recorded for every host', async () => {
    const task = await commitTask(embedded, { 'new.html': 'new' });
    const { taskId, commit } = task;
    const request = { ...task, site: site('builder'), pages: pagesOf(['new.html']) };
    expect(await hosting().deployPreview(request)).to.deep.equal({
      pages: [{ slug: '/new', url: `https://${taskId}.builder.example/new` }],
    });
    expect(await embedded.deployments.preview(taskId)).to.include({ commit, isShown: true });
    await hosting().advancePreview({ site: site('builder'), taskId, commit });
    await hosting().endPreview({ site: site('builder'), taskId });
    expect(await embedded.deployments.preview(taskId)).to.include({ isShown: false });
    expect(calls).to.deep.equal([
      ['deployPreview', commit],
      ['advancePreview', commit],
      ['endPreview'],
    ]);
  });

  it('records no preview that it does not show', async () => {
    const task = await commitTask(embedded, { 'unseen.html': 'unseen' });
    isDown = true;
    const request = { ...task, site: site('builder'), pages: [] };
    expect(await failureOf(hosting().deployPreview(request))).to.include({
      message: 'The builder is down',
    });
    expect(await embedded.deployments.preview(task.taskId)).to.equal(null);
  });

  it('shows what goes live after the live pointer has moved; a repetition asks it again', async () => {
    const { taskId, base, commit } = await commitTask(embedded, { 'live.html': 'live' });
    const published = await embedded.repository.publish(publication(taskId, base, commit));
    const request = {
      site: site('builder'),
      taskId,
      name: 'Live',
      commit: published,
      pages: pagesOf(['live.html']),
      deleted: [],
    };
    isDown = true;
    expect(await failureOf(hosting().deployProduction(request))).to.be.instanceOf(Error);
    expect(await embedded.deployments.live(embedded.site.siteId)).to.include({ commit: published });
    isDown = false;
    expect(await hosting().deployProduction(request)).to.deep.equal({
      pages: [{ slug: '/live', url: 'https://builder.example/live' }],
    });
    expect(calls).to.deep.equal([['goLive', published]]);
  });

  it('is chosen by the name in the site, and serves only its own sites', async () => {
    const task = await commitTask(embedded, { 'own.html': 'own' });
    const request = { ...task, site: site('embedded'), pages: pagesOf(['own.html']) };
    const {
      pages: [page],
    } = await hosting().deployPreview(request);
    expect(page?.url).to.match(/^http:\/\/bg-\w+--[\w-]+\.preview\.localhost\/own$/);
    expect(calls).to.deep.equal([]);
    expect(findHost(hosts, site('embedded')).liveOriginOf(embedded.site)).to.equal(
      `http://${embedded.site.label}.sites.localhost`,
    );
    expect(findHost(hosts, site('builder')).liveOriginOf(embedded.site)).to.equal(
      'https://builder.example',
    );
  });

  for (const name of ['nobody', '__proto__'])
    it(`is missing if a site names ${name || 'none'}, and the error names the existing hosts`, async () => {
      const request = {
        ...begun,
        site: site(name),
        taskId: 'bg-1',
        commit: '',
        retainedBy: 'bg-1',
      };
      const error = await failureOf(hosting().deployPreview({ ...request, pages: [] }));
      expect(error).to.include({ code: 'CONFIGURATION' });
      expect(error?.message).to.contain(`"${name}"`).and.contain('embedded, builder');
      expect(await embedded.deployments.preview('bg-1')).to.equal(null);
    });
});
