import { expect } from 'chai';
import {
  changedTurns,
  cityItem,
  failed,
  followPrompt,
  pagesOf,
  TaskSite,
  tellTurns,
  writePages,
} from '../helpers/activities.ts';
import {
  brokenLinksSentence,
  unchangedSentence,
} from '../../src/agents/shared/site/taskWarnings.ts';
import { describeSlot } from '../../src/agents/shared/tools/describeText.ts';
import { violationMessage } from '../../src/sites/checks/violationMessage.ts';
import { git } from '../helpers/team/workplace.ts';

describe('commitChanges', function () {
  this.timeout(180_000);
  let site: TaskSite;
  before(async () => void (site = await TaskSite.create()));
  after(() => site?.remove());
  const refOf = (taskId: string) =>
    git(site.workplace.remote, 'rev-parse', `refs/agent-tasks/${taskId}`);

  it('returns the same answer and pushes nothing if it is repeated after the push and a lost answer', async () => {
    const worker = site.worker();
    const head = site.workplace.head();
    const argument = await writePages(worker, site.task(), [cityItem('Porto'), cityItem('Lisbon')]);
    const first = await worker.commitChanges(argument);
    const refs = site.taskRefs();
    expect(refOf(argument.task.taskId)).to.equal(first.commit);
    expect(first.created.map(({ slug }) => slug)).to.deep.equal([
      '/locations/porto',
      '/locations/lisbon',
    ]);
    expect(await site.worker().commitChanges(argument)).to.deep.equal(first);
    expect(site.taskRefs()).to.equal(refs);
    expect(site.workplace.head()).to.equal(head);
  });

  it("takes the commit from the remote if another worker without the task's clone repeats it", async () => {
    const argument = await writePages(site.worker(), site.task(), [cityItem('Madrid')]);
    const first = await site.worker().commitChanges(argument);
    const refs = site.taskRefs();
    site.workplace.push({ 'news.html': '<h1>Meanwhile</h1>' });
    expect(await site.worker('elsewhere').commitChanges(argument)).to.deep.equal(first);
    expect(site.taskRefs()).to.equal(refs);
  });

  it('creates the same commit again if only the push was lost', async () => {
    const argument = await writePages(site.worker(), site.task(), [cityItem('Berlin')]);
    const first = await site.worker().commitChanges(argument);
    git(site.workplace.remote, 'update-ref', '-d', `refs/agent-tasks/${argument.task.taskId}`);
    expect(await site.worker('third').commitChanges(argument)).to.deep.equal(first);
    expect(refOf(argument.task.taskId)).to.equal(first.commit);
  });

  it('finds a commit of other code when it pushes, and returns the contents of that commit', async () => {
    const worker = site.worker();
    const written = await writePages(worker, site.task(), [cityItem('Cork'), cityItem('Kerry')]);
    const one = { ...written, edit: { ...written.edit, pages: written.edit.pages.slice(1) } };
    const first = await worker.commitChanges(one);
    const second = await worker.commitChanges(written);
    expect(second).to.include({ commit: first.commit });
    expect(second.created).to.deep.equal([
      { slug: '/locations/kerry', path: 'locations/kerry.html' },
    ]);
  });

  it('writes nothing if the template or a turn is read differently than when the task began', async () => {
    const worker = site.worker();
    const refs = site.taskRefs();
    const written = await writePages(worker, site.task(), [cityItem('Rome')]);
    const template = { ...written.edit.template, digest: 'other' };
    const failure = await failed(
      worker.commitChanges({ ...written, edit: { ...written.edit, template } }),
    );
    expect(failure).to.deep.include({ type: 'CHANGED_BY_DEPLOY', retryable: false });

    const followed = await followPrompt(worker, site.task(), 'Delete /pricing');
    const turns = changedTurns(followed.task.taskId, { digest: 'other' });
    const other = await failed(
      worker.commitChanges({ ...followed, edit: { ...followed.edit, turns } }),
    );
    expect(other).to.deep.include({ type: 'CHANGED_BY_DEPLOY', retryable: false });
    expect(site.taskRefs()).to.equal(refs);
  });

  it('creates no commit if nothing changes', async () => {
    const worker = site.worker();
    const refs = site.taskRefs();
    const written = await writePages(worker, site.task(), [cityItem('Oslo')]);
    const prompt = 'Change the headline of /about to "A heading of its own"';
    await worker.publish(await committed(prompt));
    const again = await followPrompt(worker, site.task(), prompt);
    const nothing = { commit: null, created: [], modified: [], deleted: [], notes: [] };
    const before = site.taskRefs();
    const value = 'A heading of its own';
    const notes = [
      {
        page: '/about',
        kind: 'undone',
        text: `/about: ${unchangedSentence({ textName: describeSlot({ role: 'heading', level: 1 }), text: value })}`,
        value,
      },
    ];
    expect(await worker.commitChanges(again)).to.deep.equal({ ...nothing, notes });
    expect(
      await worker.commitChanges({ ...written, edit: { ...written.edit, pages: [] } }),
    ).to.deep.equal(nothing);
    expect(site.taskRefs()).to.equal(before).and.not.equal(refs);
  });

  async function committed(prompt: string) {
    const worker = site.worker();
    const followed = await followPrompt(worker, site.task(), prompt);
    const { commit } = await worker.commitChanges(followed);
    return {
      task: followed.task,
      base: followed.base,
      commit: commit ?? expect.fail('Nothing was committed'),
    };
  }

  it('replaces a page of an earlier task, reports it as modified, and does not change the sitemap', async () => {
    const worker = site.worker();
    const first = await writePages(worker, site.task(), [cityItem('Vienna')]);
    const { commit } = await worker.commitChanges(first);
    await worker.publish({ task: first.task, base: first.base, commit: commit ?? '' });
    const sitemap = site.workplace.show('sitemap.xml');
    const item = {
      ...cityItem('Vienna'),
      context: 'City: Vienna\nHeadline: Another headline for Vienna',
    };
    const second = await worker.commitChanges(
      await writePages(worker, site.task(), [item, cityItem('Graz')]),
    );
    expect(second.modified).to.deep.equal([
      { slug: '/locations/vienna', path: 'locations/vienna.html' },
    ]);
    expect(second.created).to.deep.equal([
      { slug: '/locations/graz', path: 'locations/graz.html' },
    ]);
    const changed = git(
      site.workplace.remote,
      'diff',
      '--name-only',
      `${second.commit}^`,
      second.commit ?? '',
    );
    expect(changed.split('\n')).to.have.members([
      'locations/graz.html',
      'locations/vienna.html',
      'sitemap.xml',
    ]);
    expect(site.workplace.show('sitemap.xml', second.commit ?? '')).to.not.equal(sitemap);
    expect(
      site.workplace.show('sitemap.xml', second.commit ?? '').match(/\/vienna</g),
    ).to.have.length(1);
  });

  it('names the task, the pages and the date in the commit, but nothing from the contexts', async () => {
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

  it('commits nothing if a page fails the checks, and reports the page, the position and the expectation', async () => {
    const worker = site.worker();
    const refs = site.taskRefs();
    const item = { ...cityItem('Bonn'), context: 'City: Bonn\nHeadline: Web design for nobody' };
    const written = await writePages(worker, site.task(), [cityItem('Bern'), item]);
    const { texts } = pagesOf(written.task.taskId)['/locations/bonn']!;
    for (const [id, text] of Object.entries(texts))
      texts[id] = text.replace('for nobody', 'for {{name}}');
    const failure = await failed(worker.commitChanges(written));
    expect(failure).to.include({ type: 'CHECK_FAILED', retryable: false });
    const [line] = /\d+(?=, <title>)/.exec(failure.message)!;
    const violation = { line: Number(line), element: '<title>', values: ['{{name}}'] };
    expect(failure.message).to.include(
      `: /locations/bonn, ${violationMessage({ ...violation, code: 'new-placeholder' })}`,
    );
    expect(failure.message).to.not.include('/locations/bern');
    expect(site.taskRefs()).to.equal(refs);
  });

  it('commits nothing if a new page links to a deleted page, and only warns about an existing page', async () => {
    const worker = site.worker();
    const refs = site.taskRefs();
    const task = site.task();
    const { base } = await worker.readSite({ task });
    const toolCalls = [
      { id: '1', name: 'create_page', arguments: { template: '/contact', slug: '/write' } },
      { id: '2', name: 'delete_page', arguments: { slug: '/pricing' } },
    ];
    const turns = tellTurns(task.taskId, [{ text: '', toolCalls }]);
    const failure = await failed(
      worker.commitChanges({ task, base, edit: { type: 'prompt', turns } }),
    );
    expect(failure).to.include({ type: 'CHECK_FAILED', retryable: false });
    const [line] = /\d+(?=, <a href>)/.exec(failure.message)!;
    const violation = { line: Number(line), element: '<a href>', values: ['pricing'] };
    expect(failure.message).to.include(
      `: /write, ${violationMessage({ ...violation, code: 'deleted-target' })}`,
    );
    expect(site.taskRefs()).to.equal(refs);

    const prompt = 'Change the headline of /contact to "Write to us". Delete /pricing';
    const { commit, notes } = await worker.commitChanges(
      await followPrompt(worker, site.task(), prompt),
    );
    expect(commit).to.be.a('string');
    const [text] = notes.map((note) => note.text);
    const [start, slugs] = text!.split(brokenLinksSentence('/pricing', []));
    expect(start).to.equal('');
    expect(slugs).to.match(/\/contact\b/);
  });
});
