import { expect } from 'chai';
import type { Pages } from '../../src/sites/pages.ts';
import { createPages } from '../../src/sites/pagesPool.ts';
import { cityItem, failed, followPrompt, TaskSite, writePages } from '../helpers/activities.ts';
import { git } from '../unit/sites/git/remotes.ts';

describe('commitChanges', function () {
  this.timeout(60_000);
  let pages: Pages;
  let site: TaskSite;
  before(async () => void (site = await TaskSite.create((pages = createPages()))));
  after(async () => {
    await site?.remove();
    await pages.close();
  });
  const refOf = (taskId: string) => git(site.workplace.remote, 'rev-parse', `refs/agent-tasks/${taskId}`);

  it('repeated after its commit was pushed and its answer lost, gives the same answer and pushes nothing', async () => {
    const worker = site.worker();
    const head = site.workplace.head();
    const argument = await writePages(worker, site.task(), [cityItem('Porto'), cityItem('Lisbon')]);
    const first = await worker.commitChanges(argument);
    const refs = site.taskRefs();
    expect(refOf(argument.task.taskId)).to.equal(first.commit);
    expect(first.created.map(({ slug }) => slug)).to.deep.equal(['/locations/porto', '/locations/lisbon']);
    expect(await site.worker().commitChanges(argument)).to.deep.equal(first);
    expect(site.taskRefs()).to.equal(refs);
    expect(site.workplace.head()).to.equal(head);
  });

  it('repeated by another worker, whose disk knows nothing of the task, takes the commit from the remote', async () => {
    const argument = await writePages(site.worker(), site.task(), [cityItem('Madrid')]);
    const first = await site.worker().commitChanges(argument);
    const refs = site.taskRefs();
    await site.workplace.push({ 'news.html': '<h1>Meanwhile</h1>' });
    expect(await site.worker('elsewhere').commitChanges(argument)).to.deep.equal(first);
    expect(site.taskRefs()).to.equal(refs);
  });

  it('makes the same commit again where only the push was lost', async () => {
    const argument = await writePages(site.worker(), site.task(), [cityItem('Berlin')]);
    const first = await site.worker().commitChanges(argument);
    git(site.workplace.remote, 'update-ref', '-d', `refs/agent-tasks/${argument.task.taskId}`);
    expect(await site.worker('third').commitChanges(argument)).to.deep.equal(first);
    expect(refOf(argument.task.taskId)).to.equal(first.commit);
  });

  it('takes a commit that is there even where the code that made it has changed since', async () => {
    const worker = site.worker();
    const written = await writePages(worker, site.task(), [cityItem('Paris')]);
    const first = await worker.commitChanges(written);
    const changed = { ...written, edit: { ...written.edit, template: { ...written.edit.template, digest: 'other' } } };
    expect(await worker.commitChanges(changed)).to.deep.equal(first);

    const followed = await followPrompt(worker, site.task(), 'Delete /pricing');
    const deletion = await worker.commitChanges(followed);
    const turns = followed.edit.turns.map((turn) => ({ ...turn, digest: 'other' }));
    expect(await worker.commitChanges({ ...followed, edit: { ...followed.edit, turns } })).to.deep.equal(deletion);
    expect(deletion.deleted).to.deep.equal([{ slug: '/pricing', path: 'pricing.html' }]);
    expect(deletion.warnings).to.not.be.empty;
  });

  it('writes nothing where the template or a turn is read differently since the task began', async () => {
    const worker = site.worker();
    const refs = site.taskRefs();
    const written = await writePages(worker, site.task(), [cityItem('Rome')]);
    const template = { ...written.edit.template, digest: 'other' };
    const failure = await failed(worker.commitChanges({ ...written, edit: { ...written.edit, template } }));
    expect(failure).to.deep.include({ type: 'CHANGED_BY_DEPLOY', retryable: false });

    const followed = await followPrompt(worker, site.task(), 'Delete /pricing');
    const turns = followed.edit.turns.map((turn) => ({ ...turn, digest: 'other' }));
    const other = await failed(worker.commitChanges({ ...followed, edit: { ...followed.edit, turns } }));
    expect(other).to.deep.include({ type: 'CHANGED_BY_DEPLOY', retryable: false });
    expect(site.taskRefs()).to.equal(refs);
  });

  it('makes no commit where nothing changes', async () => {
    const worker = site.worker();
    const refs = site.taskRefs();
    const written = await writePages(worker, site.task(), [cityItem('Oslo')]);
    const prompt = 'Change the headline of /about to "A heading of its own"';
    await worker.publish(await committed(prompt));
    const again = await followPrompt(worker, site.task(), prompt);
    const nothing = { commit: null, created: [], modified: [], deleted: [], warnings: [] };
    const before = site.taskRefs();
    expect(await worker.commitChanges(again)).to.deep.equal(nothing);
    expect(await worker.commitChanges({ ...written, edit: { ...written.edit, pages: [] } })).to.deep.equal(nothing);
    expect(site.taskRefs()).to.equal(before).and.not.equal(refs);
  });

  async function committed(prompt: string) {
    const worker = site.worker();
    const followed = await followPrompt(worker, site.task(), prompt);
    const { commit } = await worker.commitChanges(followed);
    return { task: followed.task, base: followed.base, commit: commit ?? expect.fail('Nothing was committed') };
  }

  it('replaces a page of an earlier task, reports it as modified, and leaves the sitemap alone', async () => {
    const worker = site.worker();
    const first = await writePages(worker, site.task(), [cityItem('Vienna')]);
    const { commit } = await worker.commitChanges(first);
    await worker.publish({ task: first.task, base: first.base, commit: commit ?? '' });
    const sitemap = site.workplace.show('sitemap.xml');
    const item = { ...cityItem('Vienna'), context: 'City: Vienna\nHeadline: Another headline for Vienna' };
    const second = await worker.commitChanges(await writePages(worker, site.task(), [item, cityItem('Graz')]));
    expect(second.modified).to.deep.equal([{ slug: '/locations/vienna', path: 'locations/vienna.html' }]);
    expect(second.created).to.deep.equal([{ slug: '/locations/graz', path: 'locations/graz.html' }]);
    const changed = git(site.workplace.remote, 'diff', '--name-only', `${second.commit}^`, second.commit ?? '');
    expect(changed.split('\n')).to.have.members(['locations/graz.html', 'locations/vienna.html', 'sitemap.xml']);
    expect(site.workplace.show('sitemap.xml', second.commit ?? '')).to.not.equal(sitemap);
    expect(site.workplace.show('sitemap.xml', second.commit ?? '').match(/\/vienna</g)).to.have.length(1);
  });

  it('names task, pages and date in the commit, and nothing of the contexts', async () => {
    const argument = await writePages(site.worker(), site.task(), [cityItem('Prague')]);
    const { commit } = await site.worker().commitChanges(argument);
    const text = git(site.workplace.remote, 'log', '-1', '--format=%aI%n%cI%n%B', commit ?? '');
    expect(text.split('\n')).to.deep.equal([
      '2026-03-04T05:06:07+00:00',
      '2026-03-04T05:06:07+00:00',
      'Generate 1 page(s) (1 created, 0 modified, 0 deleted)',
      '',
      '- /locations/prague',
      '',
      `Agent-Task: ${argument.task.taskId}`,
    ]);
  });
});
