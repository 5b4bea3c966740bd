import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { createOrganizations } from '../../../src/organizations/organizations.ts';
import { createSites } from '../../../src/organizations/sites.ts';
import { createRowChanges } from '../../../src/storage/rowChanges.ts';
import { createDeployments, type Deployments } from '../../../src/storage/deployments.ts';
import type { PageBlob } from '../../../src/storage/replacePages.ts';
import { testDatabase } from '../../helpers/database.ts';
import { going } from '../../helpers/deployed.ts';

const commitOf = (letter: string) => letter.repeat(40);
const [a, b, c] = [commitOf('a'), commitOf('b'), commitOf('c')];

describe('createPublications(db)', () => {
  let db: Awaited<ReturnType<typeof testDatabase>>;
  let deployments: Deployments;
  let siteId: string;
  /** The ids of tasks are the database's, which the tests share. */
  let own: string;
  beforeEach(async () => {
    db = await testDatabase();
    const { organizationId } = await createOrganizations(db).create({ name: 'Publications' });
    ({ siteId } = await createSites(db).create({ organizationId, name: 'Site', repository: null }));
    deployments = createDeployments(db);
    own = randomUUID();
  });

  const idOf = (name: string) => `bg-${name}-${own}`;
  const preview = (
    name: string,
    commit: string,
    { onto, base = 'begun', retainedBy = name } = {} as Preview,
  ) =>
    deployments.setPreview({
      siteId,
      taskId: idOf(name),
      commit,
      base,
      retainedBy: idOf(retainedBy),
      baseTaskId: onto === undefined ? undefined : idOf(onto),
    });
  interface Preview {
    onto?: string;
    base?: string;
    retainedBy?: string;
  }
  const goLive = (
    commit: string,
    expected: string | null,
    changed: PageBlob[] = [],
    by: string | null = null,
  ) =>
    deployments.setLive({
      ...going,
      siteId,
      commit,
      expected,
      changed,
      taskId: by === null ? null : idOf(by),
    });
  const record = (name: string, commit: string, blobs: Record<string, string>, live = commit) =>
    deployments.publications.record({
      siteId,
      taskId: idOf(name),
      commit,
      live,
      pages: Object.entries(blobs).map(([path, blob]) => ({
        path,
        slug: `/${path}`,
        blob,
        isLive: live === commit,
      })),
    });
  const of = async (name: string) =>
    (await deployments.publications.of([idOf(name)])).get(idOf(name));

  it('caches reads while it hears of changes, until any page is replaced, its own at once', async () => {
    const changes = createRowChanges();
    changes.heardFor(60_000);
    const [here, there] = [createDeployments(db, { changes }), deployments];
    const stateOf = async () => (await here.publications.known([idOf('one')]))[0]?.replaced;
    await preview('one', 'r1');
    expect(await stateOf()).to.equal(undefined);
    await goLive(a, null);
    await record('one', a, { x: 'x1' });
    expect(await stateOf()).to.equal(undefined);
    changes.tell('published_pages');
    expect(await stateOf()).to.deep.equal([]);
    await there.setLive({
      ...going,
      siteId,
      commit: b,
      expected: a,
      changed: [{ path: 'x', blob: 'x2' }],
      taskId: null,
    });
    expect(await stateOf()).to.deep.equal([]);
    await here.setLive({ ...going, siteId, commit: c, expected: b, changed: [], taskId: null });
    expect(await stateOf()).to.deep.equal(['/x']);
  });

  it('returns what went live with a task and when, including deleted pages', async () => {
    await preview('one', 'r1');
    await goLive(a, null);
    expect(await record('one', a, { x: 'x1', gone: '' })).to.equal(true);
    const found = await of('one');
    expect(found).to.deep.include({
      publishedBy: idOf('one'),
      commit: a,
      base: 'begun',
      result: 'r1',
    });
    expect(found).to.deep.include({
      live: ['/gone', '/x'],
      replaced: [],
      replacedAt: null,
      replacedBy: null,
    });
    expect(found!.publishedAt).to.match(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/);
  });

  it('publishes the base tasks that were not live, and no others', async () => {
    await preview('deep', 'r0');
    await preview('base', 'r1', { onto: 'deep', base: 'r0' });
    await preview('top', 'r2', { onto: 'base', base: 'r1' });
    await preview('publish', 'r2-edited', { retainedBy: 'top', base: 'merge-base' });
    await preview('beside', 'r3', { onto: 'base', base: 'r1' });
    await goLive(a, null);
    await record('deep', a, { d: 'd1' });
    await goLive(b, a);
    await record('publish', b, { x: 'x1' });
    expect(await of('top')).to.include({ publishedBy: idOf('publish'), result: 'r2-edited' });
    expect(await of('base')).to.include({ publishedBy: idOf('publish'), result: 'r1' });
    expect(await of('publish')).to.include({ result: 'r2-edited', base: 'merge-base' });
    expect(await of('deep'), 'was live before').to.include({ publishedBy: idOf('deep') });
    expect(await of('beside')).to.equal(undefined);
  });

  it('names the later deployment that replaced a page, and its return after a restore', async () => {
    await preview('one', 'r1');
    await goLive(a, null);
    await record('one', a, { x: 'x1', y: 'y1' });
    await goLive(b, a, [{ path: 'x', blob: 'x2' }], 'later');
    expect(await of('one')).to.deep.include({
      live: ['/y'],
      replaced: ['/x'],
      replacedBy: idOf('later'),
    });
    expect((await of('one'))!.replacedAt).to.be.a('string');
    await goLive(c, b, [{ path: 'x', blob: 'x1' }], 'restore');
    expect(await of('one')).to.deep.include({
      live: ['/x', '/y'],
      replaced: [],
      replacedAt: null,
      replacedBy: null,
    });
  });

  it('reports it for pages that nobody’s task removed or restored', async () => {
    await preview('one', 'r1');
    await goLive(a, null);
    await record('one', a, { x: 'x1', gone: '' });
    await goLive(b, a, [
      { path: 'x', blob: '' },
      { path: 'gone', blob: 'back' },
    ]);
    expect(await of('one')).to.deep.include({
      live: [],
      replaced: ['/gone', '/x'],
      replacedBy: null,
    });
  });

  it('records nothing while another commit is live than the compared one', async () => {
    await preview('one', 'r1');
    await goLive(a, null);
    await goLive(b, a);
    expect(await record('one', a, { x: 'x1' })).to.equal(false);
    expect(await of('one')).to.equal(undefined);
    expect(await record('one', a, { x: 'x1' }, b), 'compared with what is live').to.equal(true);
    expect(await of('one')).to.deep.include({ live: [], replaced: ['/x'] });
  });

  it('ends with the live commit if ten deployments and ten records come at once', async () => {
    await goLive(a, null);
    const names = Array.from({ length: 10 }, (_, n) => `n${n}`);
    for (const name of names) await preview(name, `r-${name}`);
    let live = a;
    await Promise.all(
      names.map(async (name, n) => {
        const next = commitOf(String(n));
        while (!(await goLive(next, live, [{ path: 'x', blob: name }], name)));
        live = next;
        for (;;) {
          const now = (await deployments.live(siteId))!.commit;
          const isLive = now === next;
          const pages = [{ path: 'x', slug: '/x', blob: name, isLive }];
          if (
            await deployments.publications.record({
              siteId,
              taskId: idOf(name),
              commit: next,
              live: now,
              pages,
            })
          )
            return;
        }
      }),
    );
    const last = (await deployments.live(siteId))!.taskId;
    for (const name of names)
      expect((await of(name))!.live, name).to.deep.equal(last === idOf(name) ? ['/x'] : []);
  });
});
