import { expect } from 'chai';
import type { ComparisonRequest, PageMarkChange } from '../../src/contract/reviews/pageReviews.ts';
import type { StoredPageMark } from '../../src/contract/reviews/pageReviews.ts';
import type { TaskRecord } from '../../src/temporal/tasks/taskService.ts';
import { DomainError } from '../../src/errors.ts';
import {
  bearer,
  createdAt,
  failingTasks,
  keys,
  organizationId,
  siteCommit,
  startApi,
  taskId,
  type TestApi,
} from '../helpers/api.ts';
import { made } from '../helpers/about.ts';

const base = 'b'.repeat(40);
const version = 'd'.repeat(40);
const page = (slug: string) => ({
  slug,
  previewUrl: `https://preview.example${slug}`,
  editUrl: `https://api.example.com/edit${slug}`,
  publishedUrl: null,
});

describe('/agent/tasks/{taskId}/reviews', () => {
  let api: TestApi;
  let task: Partial<TaskRecord>;
  let isShown: boolean;
  const compared: ComparisonRequest[] = [];
  const changes: PageMarkChange[] = [];
  let marks: StoredPageMark[];
  beforeEach(async () => {
    [task, marks, isShown] = [{}, [], true];
    compared.splice(0);
    changes.splice(0);
    api = await startApi({
      tasks: {
        ...failingTasks(new DomainError('NOT_FOUND', 'Task not found')),
        find: (organization, id) =>
          organization === organizationId && id === taskId
            ? Promise.resolve({
                taskId,
                organizationId,
                siteId: api.site.siteId,
                type: 'generate_pages',
                status: 'completed',
                publish: false,
                createdAt,
                hasCallback: false,
                finished: {
                  status: 'completed',
                  output: {
                    pagesCreated: [page('/new')],
                    pagesModified: [page('/old')],
                    pagesDeleted: [],
                    notes: [
                      { kind: 'price', page: '/new', text: '/new: a price' },
                      { kind: 'requested', page: '/new', text: '/new: parts were removed' },
                    ],
                  },
                  finishedAt: createdAt,
                  result: { taskId, base, commit: siteCommit, root: base },
                },
                ...made,
                template: '/austin',
                ...task,
              } satisfies TaskRecord)
            : Promise.reject(new DomainError('NOT_FOUND', 'Task not found')),
      },
      deployments: {
        preview: () => Promise.resolve({ commit: siteCommit, retainedBy: taskId, isShown }),
        knownPreview: () => Promise.resolve({ commit: siteCommit, retainedBy: taskId, isShown }),
      },
      pageMarks: {
        of: () => Promise.resolve(marks),
        set(change) {
          changes.push(change);
          return Promise.resolve();
        },
      },
      reviewer: {
        compare(request) {
          compared.push(request);
          const texts = [{ placeId: '0 s1', slot: 's1', text: 'New' }];
          const places = [
            { placeId: '0 s1', role: 'heading', section: null, slot: 's1', text: 'Austin' },
          ];
          const oddities = [{ code: 'wraps' as const, placeId: '0 s1' }];
          return Promise.resolve({
            places,
            pages: [{ slug: '/new', version, texts, oddities }],
            omitted: 1,
          });
        },
        versions: () => Promise.resolve(new Map([['/new', version]])),
        frame: () => Promise.resolve('<p>framed</p>'),
      },
    });
  });
  afterEach(() => api.close());

  const path = `/api/v1/agent/tasks/${taskId}/reviews`;
  const read = (key = keys.member) => api.request('GET', path, { headers: bearer(key) });
  const send = (body: object) =>
    api.request('PATCH', path, {
      headers: { ...bearer(keys.member), 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });

  it('compares new pages with their template and changed ones with themselves', async () => {
    const { json, status } = await read();
    expect(status).to.equal(200);
    expect(compared).to.have.length(1);
    expect(compared[0]).to.deep.include({
      shown: { commit: siteCommit, retainedBy: taskId },
      base: { commit: base, retainedBy: taskId },
      pages: [
        { slug: '/new', template: '/austin' },
        { slug: '/old', template: '/old' },
      ],
    });
    expect(json['omitted']).to.equal(1);
    expect((json['pages'] as object[])[0]).to.deep.include({
      slug: '/new',
      version,
      templatePageSlug: '/austin',
      previewUrl: page('/new').previewUrl,
      openNotes: 1,
      marks: [],
      verdict: 'unseen',
    });
  });

  it('shows the marks of all people, and which of them are outdated', async () => {
    const at = new Date(createdAt);
    const mark = { slug: '/new', mark: 'fine' as const, at, by: { keyId: 'k' } };
    marks = [
      { ...mark, version },
      { ...mark, version: 'old', by: null },
    ];
    const [reviewed] = (await read()).json['pages'] as { marks: object[]; verdict: string }[];
    expect(reviewed!.verdict).to.equal('fine');
    expect(reviewed!.marks).to.deep.equal([
      { mark: 'fine', at: createdAt, by: { keyId: 'k', name: null } },
      { mark: 'fine', at: createdAt, by: null, isOutdated: true },
    ]);
  });

  it('is empty without a preview, and for a result of another task', async () => {
    isShown = false;
    expect((await read()).json).to.deep.equal({ places: [], pages: [], omitted: 0 });
    expect(compared).to.deep.equal([]);
  });

  it('refuses running tasks, tasks of other organizations, and viewers', async () => {
    expect((await read(keys.foreign)).status).to.equal(404);
    expect((await read(keys.viewer)).status).to.equal(403);
    task = { finished: { status: 'failed', errorMessage: 'x', finishedAt: createdAt } };
    expect((await read()).code).to.equal('CONFLICT');
  });

  it('stores marks on pages under review, and refuses others', async () => {
    const reply = await send({ mark: 'fine', pages: [{ slug: 'new', version }] });
    expect([reply.status, reply.json]).to.deep.equal([200, { marked: 1 }]);
    expect(changes).to.have.length(1);
    expect(changes[0]).to.deep.include({
      taskId,
      organizationId,
      mark: 'fine',
      pages: [{ slug: '/new', version }],
    });
    expect((await send({ mark: 'none', pages: [{ slug: '/new', version }] })).status).to.equal(200);
    expect((await send({ mark: 'fine', pages: [{ slug: '/gone', version }] })).status).to.equal(
      404,
    );
    for (const body of [
      { mark: 'odd', pages: [{ slug: '/new', version }] },
      { mark: 'fine', pages: [] },
      { mark: 'fine', pages: [{ slug: '/new' }] },
      { pages: [{ slug: '/new', version }] },
    ])
      expect((await send(body)).code, JSON.stringify(body)).to.equal('INVALID_INPUT');
    expect(changes).to.have.length(2);
    expect((await send({ mark: 'left-out', pages: [{ slug: '/new', version }] })).status).to.equal(
      200,
    );
    expect(changes[2]).to.deep.include({ mark: 'left-out', pages: [{ slug: '/new', version }] });
  });

  it('refuses marks of versions that were replaced, and removes marks of any version', async () => {
    const pages = [{ slug: '/new', version: 'e'.repeat(40) }];
    for (const mark of ['fine', 'left-out']) {
      const { code, json } = await send({ mark, pages });
      expect(code).to.equal('CONFLICT');
      expect(json['error']).to.include(`its current version is ${version}`);
    }
    const gone = await send({ mark: 'fine', pages: [{ slug: '/old', version }] });
    expect(gone.json['error']).to.include('/old is not in the current version of the pages');
    expect(changes).to.deep.equal([]);
    expect((await send({ mark: 'none', pages })).status).to.equal(200);
    isShown = false;
    expect((await send({ mark: 'fine', pages })).status).to.equal(200);
  });
});
