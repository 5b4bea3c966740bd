// Takes long: tasks on 500 pages, and ten pages with the longest contexts that are allowed.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { limits } from '../../src/contract/task.ts';
import { temporaryFolder } from '../helpers/database.ts';
import { endServices, type Service, sharedService } from '../helpers/service.ts';
import { removeTeamSites, TeamSite } from '../helpers/team/site.ts';

const PAGES = 500;
const LARGEST_ANSWER = 4_000_000;

describe('tasks that grow', function () {
  this.timeout(300_000);
  const folder = temporaryFolder();
  let service: Service;
  let wide: TeamSite;
  let demo: TeamSite;
  before(async () => {
    const words = '<p>ab</p>\n'.repeat(100);
    for (let n = 0; n < PAGES; n++) {
      mkdirSync(join(folder.path, `p${n}`));
      const page = `<!doctype html>\n<html lang="en"><head><title>Page ${n}</title></head><body><h1>Page ${n}</h1>\n${words}</body></html>\n`;
      writeFileSync(join(folder.path, `p${n}`, 'index.html'), page);
    }
    service = await sharedService();
    wide = await TeamSite.register(service, 'wide', folder.path);
    demo = await TeamSite.register(service, 'long-contexts');
  });
  after(async function () {
    await endServices(this.currentTest);
    removeTeamSites();
    folder.remove();
  });

  it('by one replacement on many pages fail before they hold more than a task may write', async () => {
    const view = await wide.run({ prompt: `Replace "ab" with "${'x'.repeat(15_000)}" everywhere` });
    expect(view.status).to.equal('failed');
    expect(JSON.stringify(view)).to.include(
      `would have more than the ${limits.taskBytes} bytes that are allowed together`,
    );
  });

  it('by lists and long texts in their contexts end, and every answer about them is bounded', async () => {
    const long = 'word '.repeat(1_000);
    const entries = Array.from({ length: 12 }, (_, n) => `- ${n} ${long}`).join('\n');
    const context = `City: X\nHeadline: ${long}\nServices:\n${entries}\nFAQ:\n${entries}`.slice(
      0,
      limits.contextLength,
    );
    const items = Array.from({ length: limits.itemsPerTask }, (_, n) => ({
      targetPageSlug: `/locations/x${n}`,
      context,
    }));
    const body = { command: 'generate_pages', templatePageSlug: '/locations/austin', items };
    const created = await service.postTask({ siteId: demo.siteId, ...body });
    expect(created.text).to.match(/^\{"taskId"/);
    const taskId = created.json.taskId as string;
    const view = await service.waitForTask(taskId);
    expect(view.status).to.equal('completed');
    expect(JSON.stringify(view).length).to.be.below(200_000);
    for (const path of [`/${taskId}`, `/${taskId}/diff`, `/${taskId}/events`, '?limit=100']) {
      const { status, text } = await service.request('GET', `/api/v1/agent/tasks${path}`);
      expect(status).to.equal(200);
      expect(text.length, path).to.be.below(LARGEST_ANSWER);
    }
    const pages = await service.request('GET', `/api/v1/sites/${wide.siteId}/pages?limit=500`);
    expect(pages.json.pages).to.have.length(PAGES);
    expect(pages.text.length).to.be.below(LARGEST_ANSWER);
  });
});
