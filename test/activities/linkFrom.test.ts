import { expect } from 'chai';
import {
  cityItem,
  commitPages,
  failed,
  TaskSite,
  tellPages,
  TEMPLATE,
  writePage,
  writePages,
} from '../helpers/activities.ts';
import { templateTextsNote, noPlaceLeftNote } from '../../src/sites/pages/links/linkNotes.ts';
import { unfitPageProblems } from '../../src/sites/pages/links/linkPage.ts';
import { git } from '../helpers/team/workplace.ts';

const FROM = '/locations';
const file = 'locations/index.html';

describe('linkFrom', function () {
  this.timeout(180_000);
  let site: TaskSite;
  beforeEach(async () => void (site = await TaskSite.create()));
  afterEach(() => site?.remove());

  const show = (commit: string, path = file) =>
    git(site.workplace.remote, 'show', `${commit}:${path}`);
  const linksIn = (source: string) =>
    [...source.matchAll(/class="more"><a href="([^"]+)"/g)].map(([, href]) => href);
  const commit = (city: string, from = FROM) =>
    commitPages(site.worker(), site.task(), [cityItem(city)], from);

  /** A commit by hand on top of a task's, as the editor makes it. */
  async function edited(
    done: Awaited<ReturnType<typeof commit>>,
    change: (source: string) => string,
  ) {
    const repository = site.workplace.open();
    const edit = await repository.commitEdit({
      taskId: done.task.taskId,
      parent: done.commit,
      changes: [{ path: file, content: `${change(show(done.commit))}\n` }],
      message: 'Edit by hand',
      author: { name: 'A', email: 'a@b.example' },
      createdAt: done.task.createdAt,
    });
    return { ...done, commit: edit! };
  }

  it('adds a block for each new page, and counts the page with the blocks as modified', async () => {
    const argument = await writePages(
      site.worker(),
      site.task(),
      [cityItem('Porto'), cityItem('Lisbon')],
      FROM,
    );
    const first = await site.worker().commitChanges(argument);
    expect(first.modified).to.deep.equal([{ slug: FROM, path: file }]);
    expect(first.created.map(({ slug }) => slug)).to.deep.equal([
      '/locations/porto',
      '/locations/lisbon',
    ]);
    expect(linksIn(show(first.commit!))).to.deep.equal(['austin', 'denver', 'porto', 'lisbon']);
    expect(show(first.commit!)).to.contain('<h3>Porto</h3>').and.to.contain('<h3>Lisbon</h3>');
    const own = first.notes
      .filter(({ kind }) => kind === 'part')
      .map(({ page, text }) => [page, text]);
    expect(own).to.deep.equal(
      ['/locations/porto', '/locations/lisbon'].map((slug) => [
        slug,
        templateTextsNote(slug, FROM, [
          'Street map with a pin at the Austin studio',
          '418 Juniper Street, Suite 2 Austin, TX 78701',
          '+1 512 555 0142',
        ]).text,
      ]),
    );
    expect(await site.worker('elsewhere').commitChanges(argument)).to.deep.equal(first);
  });

  it("is rejected before any page is written if the page can't link", async () => {
    const read = (linkFrom: string) =>
      site.worker().readSite({
        task: site.task(),
        templatePageSlug: TEMPLATE,
        targetPageSlugs: ['/x'],
        linkFrom,
      });
    const refusal = { type: 'LINK_FROM_UNFIT', retryable: false };
    expect(await failed(read('/atlantis'))).to.deep.equal({
      ...refusal,
      message: `linkFrom: ${unfitPageProblems.missing('/atlantis')}`,
    });
    for (const slug of ['/contact', '/about', '/services/web-design'])
      expect(await failed(read(slug))).to.deep.equal({
        ...refusal,
        message: `linkFrom: ${unfitPageProblems.noBlock(slug, TEMPLATE)}`,
      });
  });

  it('has the blocks of two tasks after both were published, in either order', async () => {
    const [one, two, three] = [
      await commit('Madrid'),
      await commit('Bilbao'),
      await commit('Seville'),
    ];
    await Promise.all([site.worker().publish(one), site.worker('elsewhere').publish(two)]);
    expect(await site.worker().publish(three)).not.to.have.property('notes');
    const published = site.workplace.show(file);
    expect(linksIn(published).slice(0, 2)).to.deep.equal(['austin', 'denver']);
    expect(linksIn(published).slice(2, 4)).to.have.members(['madrid', 'bilbao']);
    expect(linksIn(published).slice(4)).to.deep.equal(['seville']);
    expect(site.workplace.files()).to.include.members([
      'locations/madrid.html',
      'locations/seville.html',
    ]);
  });

  it('is published with the changes of other people, and with edits by hand in its new block', async () => {
    const done = await edited(await commit('Turin'), (source) =>
      source.replace('<h3>Turin</h3>', '<h3>Torino</h3>'),
    );
    const source = site.workplace
      .show(file)
      .replace('Two studios', 'Some studios')
      .replace('>Denver<', '>Denver, CO<');
    site.workplace.push({ [file]: source });
    await site.worker().publish(done);
    const published = site.workplace.show(file);
    expect(linksIn(published)).to.deep.equal(['austin', 'denver', 'turin']);
    for (const text of ['Some studios', '>Denver, CO<', '<h3>Torino</h3>'])
      expect(published).to.contain(text);
  });

  it('lets the pages go live with a note if its blocks or its page no longer exist', async () => {
    const note = (city: string) => noPlaceLeftNote(`/locations/${city}`, FROM);
    const [one, two] = [await commit('Ghent'), await commit('Basel')];
    const bare =
      '<!doctype html><html lang="en"><head><title>All</title></head><body><h1>All</h1></body></html>';
    site.workplace.push({ [file]: bare });
    expect((await site.worker().publish(one)).notes).to.deep.equal([note('ghent')]);
    expect(site.workplace.show(file)).to.equal(bare);
    site.workplace.push({ [file]: null });
    expect((await site.worker().publish(two)).notes).to.deep.equal([note('basel')]);
    expect(site.workplace.files()).to.include('locations/basel.html').and.not.include(file);
  });

  it('works for tasks that build on each other', async () => {
    const below = await commit('Oslo');
    const { taskId } = below.task;
    const baseTask = { taskId, base: below.base, commit: below.commit, root: below.base };
    const task = site.task({ baseTaskId: taskId });
    const targetPageSlugs = ['/locations/bergen'];
    const read = await site
      .worker()
      .readSite({ task, baseTask, templatePageSlug: TEMPLATE, targetPageSlugs, linkFrom: FROM });
    const { texts, groups = {} } = await writePage(site.worker(), {
      task,
      base: read.base,
      template: read.template!,
      item: cityItem('Bergen'),
    });
    const edit = {
      type: 'generate_pages' as const,
      template: read.template!,
      linkFrom: FROM,
      pages: tellPages(task.taskId, [{ ...read.targets[0]!, texts, groups }]),
    };
    const above = await site.worker().commitChanges({ task, base: read.base, edit });
    await site.worker().publish(await commit('Malmo'));
    await site.worker().publish({ task, base: below.base, commit: above.commit! });
    expect(linksIn(site.workplace.show(file))).to.deep.equal([
      'austin',
      'denver',
      'malmo',
      'oslo',
      'bergen',
    ]);
  });
});
