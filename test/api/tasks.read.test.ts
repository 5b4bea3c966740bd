import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { noteIdOf } from '../../src/contract/notes/noteIds.ts';
import type { Note, Page, TaskView } from '../../src/contract/task.ts';
import type { Publication } from '../../src/contract/publication.ts';
import { shown, told } from '../helpers/about.ts';
import { publicationOf } from '../helpers/deployed.ts';
import { bearer, keys, publicationsIn, startApi, taskId, type TestApi } from '../helpers/api.ts';

describe('GET /agent/tasks/{taskId}', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi();
  });
  after(() => api.close());

  const read = (key = keys.member) =>
    api.request('GET', `/api/v1/agent/tasks/${taskId}`, { headers: bearer(key) });
  const page: Page = { slug: '/a', previewUrl: 'http://p/a', editUrl: null, publishedUrl: null };
  const views: Record<string, TaskView> = {
    running: { taskId, status: 'running' },
    'running with progress': {
      taskId,
      status: 'running',
      progress: { phase: 'working', pages: { done: 1, total: 3 } },
    },
    completed: {
      taskId,
      status: 'completed',
      output: {
        pagesCreated: [page],
        pagesModified: [{ ...page, externalId: 'row 1' }],
        pagesDeleted: [],
      },
    },
    failed: { taskId, status: 'failed', errorMessage: 'Template page not found: /x' },
  };
  for (const [name, view] of Object.entries(views))
    it(`returns a ${name} task in the contract's shape`, async () => {
      api.views.set(taskId, view);
      const { status, json } = await read();
      expect([status, json]).to.deep.equal([200, { ...view, ...shown }]);
    });

  for (const [status, view] of Object.entries(views))
    for (const maker of [{ keyId: randomUUID() }, { userId: randomUUID() }])
      it(`returns title, creator and base task of a ${status} task that ${Object.keys(maker)[0]} names`, async () => {
        const about = { ...told, title: 'Ten cities', createdBy: maker, follows: taskId };
        api.views.set(taskId, structuredClone({ ...view, about }) as TaskView);
        expect((await read()).json).to.deep.include({ title: 'Ten cities', follows: taskId });
        expect((await read()).json['createdBy']).to.deep.equal({ ...maker, name: null });
      });

  it('returns the site, the type, the time and the template of a task', async () => {
    const about = {
      siteId: randomUUID(),
      type: 'generate_pages',
      createdAt: '2026-01-02T03:04:05.678Z',
      template: '/x',
    };
    for (const view of Object.values(views)) {
      api.views.set(taskId, structuredClone({ ...view, about: { ...told, ...about } }) as TaskView);
      expect((await read()).json).to.deep.include(about);
    }
  });

  describe('that went live', () => {
    const published = new Map<string, Publication>();
    const onto = `bg-${'b2'.repeat(11)}`;
    let edited = false;
    let service: TestApi;
    before(async () => {
      const knownPreview = (retainedBy: string) =>
        Promise.resolve({
          commit: edited ? 'e'.repeat(40) : 'c'.repeat(40),
          retainedBy,
          isShown: true,
        });
      service = await startApi({
        publications: publicationsIn(() => published),
        deployments: {
          knownPreview,
          preview: knownPreview,
        },
      });
    });
    beforeEach(() => {
      published.clear();
      edited = false;
    });
    after(() => service.close());
    const facts = async (view: TaskView, about = {}) => {
      const { siteId } = service.site;
      service.views.set(
        taskId,
        structuredClone({ ...view, about: { ...told, siteId, ...about } }) as TaskView,
      );
      const { json } = await service.request('GET', `/api/v1/agent/tasks/${taskId}`, {
        headers: bearer(keys.member),
      });
      return {
        live: json['live'],
        publication: json['publication'] as object | null,
        base: json['base'],
      };
    };
    const [b, c] = ['/b', '/c'].map((slug) => ({ ...page, slug })) as [Page, Page];
    const output = { pagesCreated: [page], pagesModified: [b], pagesDeleted: [c] };
    const view: TaskView = { taskId, status: 'completed', output };

    it('names the publishing task, and whether all of its own pages are live, without those of base tasks', async () => {
      const own = publicationOf({
        live: ['/a', '/b', '/c'],
        replaced: ['/below'],
        replacedAt: told.createdAt,
      });
      published.set(taskId, own);
      expect(await facts(view)).to.deep.equal({
        live: true,
        publication: {
          state: 'live',
          publishedAt: own.publishedAt,
          publishedBy: own.publishedBy,
          deploymentId: own.commit,
          replacedAt: null,
          replacedBy: null,
          livePages: ['/a', '/b', '/c'],
          leftOutPages: [],
          isEdited: false,
        },
        base: null,
      });
    });

    it('names replaced pages and their replacements, and whether there is something new to publish', async () => {
      edited = true;
      const replacedBy = onto;
      published.set(
        taskId,
        publicationOf({
          live: ['/a'],
          replaced: ['/b', '/c'],
          replacedAt: told.createdAt,
          replacedBy,
        }),
      );
      const { live, publication } = await facts(view);
      expect(live).to.equal(false);
      expect(publication).to.deep.include({
        state: 'partly-live',
        livePages: ['/a'],
        leftOutPages: [],
        replacedBy,
        isEdited: true,
      });
      published.set(
        taskId,
        publicationOf({ live: [], replaced: ['/a', '/b', '/c'], replacedAt: told.createdAt }),
      );
      expect((await facts(view)).publication).to.deep.include({ state: 'replaced', livePages: [] });
      published.set(taskId, publicationOf({ live: ['/a', '/c'], replaced: [] }));
      const partial = { state: 'live', livePages: ['/a', '/c'], leftOutPages: ['/b'] };
      expect((await facts(view)).publication).to.deep.include(partial);
    });
  });

  const empty = { pagesCreated: [], pagesModified: [], pagesDeleted: [] };
  const answered = async (told: object) => {
    api.views.set(taskId, { taskId, status: 'completed', output: { ...empty, ...told } });
    return (await read()).json['output'];
  };

  it('returns notes as objects, and as sentences in the same order', async () => {
    const notes: Note[] = [
      {
        page: '/a',
        kind: 'price',
        slot: 's4',
        text: '/a: the price of the template: "$5"',
        value: '$5',
      },
      { kind: 'unpublished', text: 'Held' },
    ];
    const warnings = notes.map(({ text }) => text);
    const told = notes.map((note) => ({
      id: noteIdOf(note),
      state: 'open',
      ...note,
      ...(note.slot !== undefined && { slots: [note.slot] }),
    }));
    expect(await answered({ notes })).to.deep.equal({ ...empty, warnings, notes: told });
    const internal = notes.map((note) => ({ ...note, internal: 1 }));
    expect(await answered({ notes: internal })).to.deep.include({ notes: told });
    expect(await answered({ notes: [] })).to.deep.equal(empty);
  });

  it('omits everything that the contract does not name', async () => {
    const inner = { internal: 1, organizationId: 'secret' };
    const output = {
      pagesCreated: [{ ...page, ...inner }],
      pagesModified: [],
      pagesDeleted: [],
      warnings: [],
      ...inner,
    };
    api.views.set(taskId, {
      taskId,
      status: 'completed',
      output,
      finishedAt: 'x',
      ...inner,
    } as TaskView);
    expect((await read()).json).to.deep.equal({
      taskId,
      status: 'completed',
      output: { pagesCreated: [page], pagesModified: [], pagesDeleted: [] },
      ...shown,
    });
  });
});
