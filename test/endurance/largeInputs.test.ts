// Takes long: ten pages of almost two megabytes each.
import { expect } from 'chai';
import { limits } from '../../src/contract/task.ts';
import { endServices, type Service, sharedService } from '../helpers/service.ts';
import { removeTeamSites, TeamSite } from '../helpers/team/site.ts';
import { outputOf } from '../helpers/views.ts';

const template = '/locations/austin';

describe('tasks whose inputs are near the limits', function () {
  this.timeout(360_000);
  let service: Service;
  before(async () => {
    service = await sharedService();
  });
  after(async function () {
    await endServices(this.currentTest);
    removeTeamSites();
  });

  /** A site whose template has more content at the end of its body. */
  async function siteWith(name: string, content: string): Promise<TeamSite> {
    const site = await TeamSite.register(service, name);
    const page = site.source('locations/austin.html');
    site.push({ 'locations/austin.html': page.replace('</body>', () => `${content}\n</body>`) });
    return site;
  }
  const items = Array.from({ length: limits.itemsPerTask }, (_, n) => {
    const start = `City: Town${n}\nHeadline: Web design in Town${n}\nNotes: `;
    return {
      targetPageSlug: `/locations/town${n}`,
      context: start + 'x'.repeat(limits.contextLength - start.length),
    };
  });
  const body = { command: 'generate_pages', templatePageSlug: template, items };

  it('complete with a template of 1.9 MB and contexts of 1 MB', async () => {
    const drawing = `<svg aria-hidden="true"><path d="${'M0 0h1'.repeat(310_000)}"/></svg>`;
    const site = await siteWith('large-template', drawing);
    const { pagesCreated } = outputOf(await site.run(body));
    expect(pagesCreated).to.have.length(limits.itemsPerTask);
    const { status, text } = await service.request('GET', pagesCreated[0]!.previewUrl!);
    expect(status).to.equal(200);
    expect(text).to.have.length.above(1_860_000).and.include('Web design in Town0');
  });
});
