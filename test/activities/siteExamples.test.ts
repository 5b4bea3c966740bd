import { expect } from 'chai';
import { createSiteExamples } from '../../src/agents/siteExamples.ts';
import { createTaskChecks } from '../../src/agents/taskCheck.ts';
import type { SiteExamples, TaskChecked } from '../../src/contract/check.ts';
import { createRepositories } from '../../src/sites/git/repositories.ts';
import { TaskSite } from '../helpers/activities.ts';
import { testLauncher } from '../helpers/launcher.ts';
import { texts } from '../helpers/texts.ts';
import { testPages, testRules } from '../helpers/threads.ts';
import { failureOf, git } from '../helpers/team/workplace.ts';

const within = { all: 120_000, one: 60_000 };

describe('createSiteExamples(deps)', function () {
  this.timeout(180_000);
  let site: TaskSite;
  let find: (root?: string, signal?: AbortSignal) => Promise<SiteExamples>;
  let check: (prompt: string, root?: string) => Promise<TaskChecked>;
  let close: () => unknown;
  let tried: string[];

  before(async () => {
    const small =
      '<!doctype html><html lang="en"><title>Small</title><h1>Small</h1><p>One page.</p></html>';
    site = await TaskSite.create({ 'small/index.html': small, 'none/readme.txt': 'No page' });
    const repositories = createRepositories({
      dataDir: `${site.workplace.folder}/data`,
      launcher: testLauncher,
    });
    const { organizationId, siteId } = site;
    const rules: typeof testRules = {
      ...testRules,
      carryOut(workspace, prompt, work) {
        tried.push(prompt);
        return testRules.carryOut(workspace, prompt, work);
      },
    };
    const deps = { repositories, pages: testPages, texts: { for: () => texts }, rules };
    const findExamples = createSiteExamples({ ...deps, within });
    const checkTask = createTaskChecks(deps);
    const siteAt = (root: string) => ({
      organizationId,
      siteId,
      repository: { url: site.workplace.url, branch: 'main', root },
    });
    find = (root = '', signal) => findExamples(siteAt(root), { organizationId, signal });
    check = (prompt, root = '') =>
      checkTask(
        { site: siteAt(root), work: { type: 'prompt', prompt }, isModel: false },
        { organizationId },
      );
    close = () => repositories.close();
  });
  beforeEach(() => void (tried = []));
  after(async () => {
    await close();
    await site.remove();
  });

  it('gives examples of several kinds, each of which works on this site and doubles nothing', async () => {
    const { commit, examples } = await find();
    expect(commit).to.equal(git(site.workplace.remote, 'rev-parse', 'main').trim());
    expect(examples).to.have.length(4);
    expect(
      new Set(examples.map(({ prompt }) => prompt.split(' ').slice(0, 3).join(' '))),
    ).to.have.property('size', 4);
    for (const { prompt, changes } of examples) {
      const checked = await check(prompt);
      expect(checked, prompt).to.deep.include({ problems: [], changes });
      expect(Object.values(changes).flat(), prompt).to.not.be.empty;
      expect(
        checked.notes!.map(({ kind }) => kind),
        prompt,
      ).to.not.include('doubled');
    }
  });

  it('proposes no entry of the navigation that is there', async () => {
    const { examples } = await find();
    for (const { prompt } of examples) expect(prompt).to.not.match(/^Add \/\S+ to the navigation/);
  });

  it('tries them once for each commit', async () => {
    await find();
    tried = [];
    const first = await find();
    expect(tried).to.deep.equal([]);
    const page = site.workplace.show('about.html');
    site.workplace.push({ 'about.html': page.replace('</h1>', ' today</h1>') });
    const second = await find();
    expect(second.commit).to.not.equal(first.commit);
    expect(tried).to.not.be.empty;
  });

  it('gives those that a site of one page can have, and none for a site without pages', async () => {
    const { examples } = await find('small');
    expect(examples).to.not.be.empty;
    for (const { prompt } of examples)
      expect((await check(prompt, 'small')).problems, prompt).to.deep.equal([]);
    expect((await find('none')).examples).to.deep.equal([]);
  });

  it('ends when nobody waits any more', async () => {
    const reason = new Error('gone');
    expect(await failureOf(find('', AbortSignal.abort(reason)))).to.equal(reason);
  });
});
