import { expect } from 'chai';
import { changedByOthersError } from '../../activities/batches/changedByOthers.ts';
import type { BatchStore, RowAtPath } from '../../src/contract/batches/batchStore.ts';
import { TaskSite } from '../helpers/activities.ts';
import { BatchRun, fileOf, runningPlan, slugOf } from '../helpers/batchRun.ts';
import { failureOf, git } from '../helpers/team/workplace.ts';
import type { Approvals } from '../../src/contract/approvals.ts';
import type { Creator } from '../../src/contract/creator.ts';
import { decideBatchNotes, listBatchNotes } from '../../src/tasks/batches/batchNotes.ts';
import { listBatchVersions, undoBatchVersion } from '../../src/tasks/batches/batchVersions.ts';
import type { ReadRowsPorts } from '../../src/tasks/batches/read.ts';
import { named } from '../helpers/about.ts';
import { noNoteStates } from '../helpers/api.ts';
import { noEditing } from '../helpers/editing.ts';

/** The error of a row whose edited page others changed too. */
const giveWayError = (name: string) =>
  changedByOthersError({ number: 1, slug: `/locations/${name}`, isEdited: true } as RowAtPath)
    .error;
const person = '0f9a3f6e-8a0c-4d6e-b0a5-7c3c9c1f4e21';

describe('edits by hand to the pages of a batch', function () {
  this.timeout(240_000);
  let site: TaskSite;
  beforeEach(async () => void (site = await TaskSite.createSmall()));
  afterEach(() => site?.remove());

  it('go live with the batch as commits of people, and go live again if people make them later', async () => {
    const batch = await BatchRun.make(site, ['Alba', 'Beja']);
    const saved = await batch.edit('Alba', 'First', batch.editor(), person);
    expect(saved.state).to.equal('draft');
    await batch.edit('Alba', 'By hand', batch.editor(), person);
    await batch.again({ publish: true });
    expect(await batch.states()).to.deep.equal(['published', 'published']);
    expect(batch.headline('Alba', 'main')).to.equal('By hand');
    const message = batch.lastMessage('Alba', 'main');
    expect(message).to.include(`Agent-Task-Editor: ${person}\nAgent-Task-Edit: ${batch.batchId}`);
    const edits = git(
      site.workplace.remote,
      'log',
      'main',
      '--format=%H',
      '--grep=^Edit /locations',
    );
    expect(edits.split('\n')).to.have.length(2);

    expect((await batch.edit('Beja', 'Later')).state).to.equal('edited');
    expect(await batch.states()).to.deep.equal(['published', 'committed']);
    expect(batch.headline('Beja', 'main')).to.not.equal('Later');
    await batch.again();
    expect(await batch.states()).to.deep.equal(['published', 'published']);
    expect(batch.headline('Beja', 'main')).to.equal('Later');
    expect(batch.headline('Alba', 'main')).to.equal('By hand');
    const opened = await batch.editor().open(await batch.editable('Beja'), slugOf('Beja'));
    expect(opened.state).to.equal('live');
  });

  it('wait for another approval if they come between the approval and the publish', async () => {
    const batch = await BatchRun.make(site, ['Alba', 'Beja']);
    await site.sites.change(site.siteId, { publishApproval: 'another-person' });
    const { organizationId } = site;
    const approve = () =>
      (site.deps.approvals as Approvals).add({
        organizationId,
        taskId: batch.batchId,
        version: batch.ref(),
        by: { shareId: 'link', name: 'Grace' },
      });
    await approve();
    // the request to publish has found the approval, and then the edit comes before the run
    await batch.edit('Alba', 'After the approval');
    await batch.again({ publish: true });
    expect(await batch.states()).to.deep.equal(['committed', 'committed']);
    expect((await batch.find()).publish).to.equal(false);

    await approve();
    // an editor that looked before the run began, and commits after the run has read the pages
    const { task } = batch;
    const editor = batch.editor({ edit: () => Promise.resolve(true) });
    const beja = await batch.editable('Beja');
    await batch.store.change(batch.batchId, { publish: true, status: 'running' });
    const worker = site.worker();
    const { templates, publish } = runningPlan(await worker.planBatch({ task }));
    expect(publish).to.equal(true);
    const { digest, texts } = await editor.open(beja, slugOf('Beja'));
    const { id } = texts.find(({ level }) => level === 1)!;
    await editor.save(beja, slugOf('Beja'), { digest, texts: { [id]: ['During the run'] } });
    const preview = await worker.deployBatchPreview({ task, templates, publish });
    expect(preview.mayPublish).to.equal(false);
    await worker.completeBatch({ task, status: 'completed' });

    await approve();
    await batch.again({ publish: true });
    expect(await batch.states()).to.deep.equal(['published', 'published']);
    expect(batch.headline('Alba', 'main')).to.equal('After the approval');
    expect(batch.headline('Beja', 'main')).to.equal('During the run');
  });

  it('include facts that are removed from all pages at once, and that an undo brings back', async () => {
    await site.remove();
    site = await TaskSite.create();
    const batch = await BatchRun.make(site, ['Alba', 'Beja']);
    const noteStates = noNoteStates();
    const deps = {
      ...site.deps,
      deployments: site.deployments,
      builds: site.builds,
      noteStates,
      editing: { ...noEditing(), editor: batch.editor() },
      previewOriginOf: () => Promise.resolve(null),
      creators: { named: (list: (Creator | null)[]) => Promise.resolve(named(list, () => null)) },
    } as unknown as ReadRowsPorts;
    const caller = {
      organizationId: batch.task.organizationId,
      keyId: 'k',
      logContext: {},
    } as never;
    const { batchId } = batch;
    const priceNote = async () => {
      const notes = await listBatchNotes(caller, deps, batchId);
      return notes.find(({ kind }) => kind === 'price')!;
    };
    const pages = () =>
      ['Alba', 'Beja'].map((city) => site.workplace.show(fileOf(city), batch.ref()));
    const before = pages();
    const { noteId, open } = await priceNote();
    expect(open).to.equal(2);
    const request = { batchId, state: 'dropped' as const, notes: [noteId] };
    expect(await decideBatchNotes(caller, deps, request)).to.include({ count: 2 });
    for (const page of pages()) expect(page).to.not.include('$4,800');
    expect(await priceNote()).to.include({ state: 'dropped', open: 0 });
    const { versions } = await listBatchVersions(caller, deps, batchId);
    expect(versions.map(({ kind }) => kind)).to.deep.equal(['removal', 'result']);
    await undoBatchVersion(caller, deps, { batchId, version: 2 });
    expect(pages()).to.deep.equal(before);
    expect(await priceNote()).to.include({ state: 'open', open: 2 });
    await decideBatchNotes(caller, deps, request);
    await batch.again({ publish: true });
    expect(site.workplace.show(fileOf('Beja'), 'main')).to.not.include('$4,800');
  });

  it('of held pages are kept when other pages are approved, and are committed on top of the written page', async () => {
    const batch = await BatchRun.make(site, ['Daun', 'Enns', 'Fulda'], {
      publish: true,
      holdBelow: 1,
    });
    expect(await batch.states()).to.deep.equal(['held', 'held', 'held']);
    await batch.edit('Enns', 'Enns by hand', batch.editor(), person);
    expect(await batch.states()).to.deep.equal(['held', 'held', 'held']);
    await batch.approve(1);
    await batch.again();
    expect(await batch.states()).to.deep.equal(['published', 'held', 'held']);
    expect(batch.headline('Enns')).to.equal('Enns by hand');
    expect(batch.headline('Fulda')).to.include('Fulda');
    // an edit of a live page, and one more of the held page, at once
    await batch.edit('Daun', 'Daun by hand');
    await batch.edit('Enns', 'Enns again', batch.editor(), person);
    await batch.approve(2);
    await batch.again();
    expect(await batch.states()).to.deep.equal(['published', 'published', 'held']);
    expect(batch.headline('Enns', 'main')).to.equal('Enns again');
    expect(batch.headline('Daun', 'main')).to.equal('Daun by hand');
    expect(batch.lastMessage('Enns', 'main')).to.include(`Agent-Task-Editor: ${person}`);
    expect(batch.headline('Fulda')).to.include('Fulda');
    const files = git(site.workplace.remote, 'ls-tree', '-r', '--name-only', 'main');
    expect(files).to.not.include('fulda');
  });

  it('that arrive while an activity runs are included, because the activity prepares its push again', async () => {
    const batch = await BatchRun.make(site, ['Ivry', 'Jena'], { canary: 1 });
    await batch.store.change(batch.batchId, { canaryApproved: true });
    const task = await batch.editable('Ivry');
    const editor = batch.editor({ edit: () => Promise.resolve(true) });
    const late = async (text: string) => {
      const { digest, texts } = await editor.open(task, slugOf('Ivry'));
      const { id } = texts.find(({ level }) => level === 1)!;
      await editor.save(task, slugOf('Ivry'), { digest, texts: { [id]: [text] } });
    };
    let saves = 0;
    const racing: Partial<BatchStore> = {
      pages: async (...of) => {
        const pages = await batch.store.pages(...of);
        if (saves++ === 0) await late('Before the commit');
        return pages;
      },
    };
    await batch.again({}, site.worker('data', { batches: { ...batch.store, ...racing } }));
    expect(await batch.states()).to.deep.equal(['committed', 'committed']);
    expect(batch.headline('Ivry')).to.equal('Before the commit');
    expect(batch.headline('Jena')).to.include('Jena');
    const { commit, shown } = await batch.find();
    expect(batch.ref()).to.equal(shown).and.to.equal(commit);
  });

  it("are neither lost nor duplicated if the process is killed at the database's commitRows", async () => {
    const batch = await BatchRun.make(site, ['Lahr', 'Metz', 'Nice'], { holdBelow: 1 });
    await batch.approve(1);
    await batch.again();
    await batch.edit('Lahr', 'Lahr by hand');
    await batch.edit('Metz', 'Metz by hand');
    await batch.approve(3);
    await batch.store.change(batch.batchId, { status: 'running' });
    await batch.dieAt('commitRows');
    await batch.run(site.again());
    expect(await batch.states()).to.deep.equal(['committed', 'held', 'committed']);
    expect(batch.headline('Lahr')).to.equal('Lahr by hand');
    expect(batch.headline('Metz')).to.equal('Metz by hand');
    const { commit } = await batch.find();
    const log = git(site.workplace.remote, 'log', '--format=%s', '--name-only', commit!);
    expect(log.split('Edit /locations/lahr by hand')).to.have.length(2);
    expect(log.match(/locations\/nice\.html/g)).to.have.length(1);
  });

  it('are saved although the process ends after the push, and then belong to the next run', async () => {
    const batch = await BatchRun.make(site, ['Oslo'], { publish: true });
    let calls = 0;
    const dying = batch.editor({
      edit: (...of) => (calls++ ? Promise.reject(new Error('killed')) : batch.store.edit(...of)),
    });
    const error = await failureOf(batch.edit('Oslo', 'Saved', dying));
    expect(error?.message).to.equal('killed');
    expect(batch.headline('Oslo')).to.equal('Saved');
    expect(await batch.states()).to.deep.equal(['committed']);
    const task = await batch.editable('Oslo');
    expect((await batch.editor().open(task, slugOf('Oslo'))).state).to.equal('edited');
    await batch.again();
    expect(batch.headline('Oslo', 'main')).to.equal('Saved');
  });

  it('fail only their row if others changed its page, and a retry replaces that page with the edited one', async () => {
    const batch = await BatchRun.make(site, ['Pau', 'Riga'], { publish: true });
    await batch.edit('Pau', 'Pau by hand', batch.editor(), person);
    await batch.edit('Riga', 'Riga by hand');
    site.workplace.push({ [fileOf('Pau')]: '<h1>Theirs</h1>' });
    await batch.again();
    expect(await batch.states()).to.deep.equal(['failed', 'published']);
    expect(batch.headline('Pau', 'main')).to.equal('Theirs');
    expect(batch.headline('Pau')).to.equal('Theirs');
    expect(batch.headline('Riga', 'main')).to.equal('Riga by hand');
    expect(await batch.errors()).to.deep.equal([giveWayError('pau')]);

    await batch.retry();
    expect(await batch.states()).to.deep.equal(['published', 'published']);
    expect(batch.headline('Pau', 'main')).to.equal('Pau by hand');
    expect(batch.lastMessage('Pau', 'main')).to.include(`Agent-Task-Editor: ${person}`);
    expect(batch.headline('Riga', 'main')).to.equal('Riga by hand');
  });

  it('yield to held pages again and again, until a retry gives them priority', async () => {
    const cities = ['Ulm', 'Vigo', 'Wels'];
    const batch = await BatchRun.make(site, cities, { publish: true, holdBelow: 1 });
    await batch.edit('Ulm', 'Ulm by hand');
    await batch.edit('Vigo', 'Vigo by hand');
    await batch.approve(1);
    site.workplace.push({ [fileOf('Ulm')]: '<h1>Theirs</h1>' });
    await batch.again();
    expect(await batch.states()).to.deep.equal(['failed', 'held', 'held']);
    expect(await batch.errors()).to.deep.equal([giveWayError('ulm')]);
    expect(batch.headline('Vigo')).to.equal('Vigo by hand');
    site.workplace.push({ [fileOf('Ulm')]: '<h1>Theirs again</h1>' });
    for (const [states, live] of [
      [['failed', 'held', 'held'], 'Theirs again'],
      [['published', 'held', 'held'], 'Ulm by hand'],
    ] as const) {
      await batch.retry(1);
      expect(await batch.states()).to.deep.equal(['held', 'held', 'held']);
      expect(batch.headline('Ulm')).to.equal('Ulm by hand');
      await batch.approve(1);
      await batch.again();
      expect(await batch.states()).to.deep.equal(states);
      expect(batch.headline('Ulm', 'main')).to.equal(live);
    }
    expect(batch.headline('Vigo')).to.equal('Vigo by hand');
  });

  it('fail only their row if the batch continues from a newer version of the site', async () => {
    const batch = await BatchRun.make(site, ['Pau', 'Riga'], { publish: true });
    site.workplace.push({ [fileOf('Pau')]: '<h1>Theirs</h1>' });
    await batch.store.begin(batch.batchId, site.workplace.head());
    await batch.edit('Pau', 'Pau by hand', batch.editor(), person);
    await batch.edit('Riga', 'Riga by hand');
    await batch.again();
    expect(await batch.states()).to.deep.equal(['failed', 'published']);
    expect(await batch.errors()).to.deep.equal([giveWayError('pau')]);
    expect(batch.headline('Pau', 'main')).to.equal('Theirs');
    expect(batch.headline('Riga', 'main')).to.equal('Riga by hand');
    await batch.retry();
    expect(await batch.states()).to.deep.equal(['published', 'published']);
    expect(batch.headline('Pau', 'main')).to.equal('Pau by hand');
    expect(batch.lastMessage('Pau', 'main')).to.include(`Agent-Task-Editor: ${person}`);
  });

  it('end with their batch: the clean-up removes the ref with its edits', async () => {
    const batch = await BatchRun.make(site, ['Turku']);
    await batch.edit('Turku', 'By hand');
    const ended = [batch.batchId];
    const retention = { ...site.retention, endedResults: () => Promise.resolve(ended) };
    const runningTasks = () => Promise.resolve(new Map());
    await site.worker('data', { retention: { ...retention, runningTasks } }).pruneSites({});
    expect(site.taskRefs()).to.equal('');
  });
});
