import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import type { ApiDeps } from '../../src/api/apiDeps.ts';
import type { StayingText } from '../../src/contract/checks.ts';
import {
  TASK_RUNNING,
  type TaskOutcome,
  type Note,
  type NoteKind,
} from '../../src/contract/task.ts';
import { foreignTaskError } from '../../src/tasks/taskResults.ts';
import type { FactRemovalRequest } from '../../src/editor/removeFacts.ts';
import type { PageTextChange } from '../../src/sites/pages/texts/diffPageTexts.ts';
import type { ShareLink } from '../../src/organizations/shareLinks.ts';
import {
  bearer,
  createdAt,
  keys,
  organizationId,
  siteCommit,
  startApi,
  taskId,
  type TestApi,
} from '../helpers/api.ts';
import { noEditing, noShares } from '../helpers/editing.ts';
import { type Assistant, connectAssistant, type ToolError } from '../helpers/mcp.ts';
import { TasksInMemory } from '../helpers/tasksInMemory.ts';

const slugs = Array.from({ length: 10 }, (_, i) => `/places/${i}`);
const noteOn = (page: string, kind: NoteKind, says: string): Note => ({
  page,
  kind,
  text: `${page}: ${says}`,
});
/**
 * 121 notes: twelve on each page, of which eleven are the same on all pages, and one on the task.
 */
const notes: Note[] = [
  ...slugs.flatMap((page) => [
    noteOn(page, 'part', 'the structured data has "Austin"'),
    ...Array.from({ length: 9 }, (_, i) => noteOn(page, 'price', `the price is $${i}`)),
    noteOn(page, 'unused', `not used from the context: ${page}`),
    noteOn(page, 'template', 'the headline is still the one of the template'),
  ]),
  { kind: 'part', text: 'Its pages are much alike' },
];
const pageOf = (slug: string) => ({
  slug,
  previewUrl: `https://preview.example${slug}`,
  editUrl: null,
  publishedUrl: null,
});
const result = { taskId, base: 'ba'.repeat(20), commit: siteCommit, root: 'ba'.repeat(20) };
const finished: TaskOutcome = {
  status: 'completed',
  finishedAt: createdAt,
  output: {
    pagesCreated: slugs.map(pageOf),
    pagesModified: Array.from({ length: 60 }, (_, i) => pageOf(`/old/${i}`)),
    pagesDeleted: [],
    notes,
  },
  result,
};

describe('tools of assistants', () => {
  let api: TestApi;
  let assistant: Assistant;
  let tasks: TasksInMemory;

  async function start(overrides: Partial<ApiDeps> = {}, key = keys.member) {
    tasks = new TasksInMemory();
    api = await startApi({ tasks, ...overrides });
    const { siteId } = api.site;
    const work = { type: 'generate_pages' as const, templatePageSlug: '/', items: [] };
    tasks.add({ taskId, organizationId, siteId, publish: false, work }, finished);
    assistant = await connectAssistant(api.port, key);
  }
  afterEach(async () => {
    await assistant.close();
    await api.close();
  });

  async function done(name: string, args: Record<string, unknown>): Promise<ToolError> {
    const { isError, json } = await assistant.call(name, args);
    expect(isError, JSON.stringify(json)).to.equal(false);
    return json;
  }
  const errorOf = async (name: string, args: Record<string, unknown>) => {
    const { isError, json } = await assistant.call(name, args);
    expect(isError, JSON.stringify(json)).to.equal(true);
    return json.error;
  };

  describe('get_task', () => {
    beforeEach(() => start());

    it('returns each note once with its pages, headings first, and invisible texts last', async () => {
      const { output } = await done('get_task', { taskId });
      expect(output.notes).to.have.length(9 + 10 + 3);
      expect(output.notes[0]).to.include({
        kind: 'template',
        text: 'the headline is still the one of the template',
        count: 10,
      });
      expect(output.notes[0]!.pages).to.deep.equal(slugs);
      const counts = output.notes.reduce((sum, { count }) => sum + count, 0);
      expect(counts).to.equal(notes.length);
      expect(output.notes.slice(-2).map(({ kind }) => kind)).to.deep.equal(['part', 'part']);
    });

    it('says that an id belongs to a batch, to the organization of the batch only', async () => {
      const { siteId } = api.site;
      const rows = [{ targetPageSlug: '/rome', context: 'City: Rome' }];
      const { json } = await api.request('POST', '/api/v1/agent/batches', {
        headers: { ...bearer(keys.member), 'Content-Type': 'application/json' },
        body: JSON.stringify({ siteId, templatePageSlug: '/', rows }),
      });
      const { batchId } = json as { batchId: string };
      for (const tool of ['get_task', 'publish_task', 'get_diff'])
        expect(await errorOf(tool, { taskId: batchId }), tool).to.equal(
          'Task not found. This is the id of a batch. Call get_batch with it.',
        );
      const stranger = await connectAssistant(api.port, keys.foreign);
      const { json: refusal } = await stranger.call('get_task', { taskId: batchId });
      expect(refusal.error).to.equal('Task not found');
      await stranger.close();
    });
  });

  it('check_items returns each text that stays once, headings of all pages first, and the rest by a cursor', async () => {
    const staying = (slot: string, label: string, text: string): StayingText => ({
      slot,
      label,
      text,
    });
    const stays = [
      staying('s1', 'headline', 'Web design'),
      ...Array.from({ length: 90 }, (_, i) => staying(`s${i + 2}`, 'paragraph', `Text ${i}`)),
    ];
    const [one, other] = [slugs[0]!, slugs[1]!];
    const own = staying('s500', 'heading', 'Only here');
    const item = (targetPageSlug: string, more: StayingText[]) => ({
      targetPageSlug,
      problems: [],
      unused: ['Fax: 1'],
      remarks: [],
      notes: notes.filter(({ page }) => page === targetPageSlug),
      stays: more,
    });
    const checkTask = () =>
      Promise.resolve({ problems: [], items: [item(one, stays), item(other, [own, ...stays])] });
    await start({ checkTask });
    const items = [one, other].map((targetPageSlug) => ({ targetPageSlug, context: 'City: Rome' }));
    const args = { siteId: api.site.siteId, templatePageSlug: '/', items };
    const first = await done('check_items', args);
    expect(first.stays.slice(0, 2).map(({ text }) => text)).to.deep.equal([
      'Web design',
      'Only here',
    ]);
    expect(first.stays[0]).to.deep.include({ count: 2, pages: [one, other] });
    expect(first.notes[0]).to.include({ kind: 'template', count: 2 });
    expect(first).to.deep.include({ unused: [{ text: 'Fax: 1', count: 2, pages: [one, other] }] });
    const second = await done('check_items', { ...args, cursor: first.nextCursor });
    const all = [...first.stays, ...second.stays].map(({ text }) => text);
    expect(all).to.have.members([own, ...stays].map(({ text }) => text));
    expect(second.nextCursor).to.equal(null);
  });

  it("get_page reads a page of a task's result, with its edits by hand", async () => {
    const asked: unknown[] = [];
    const edited = { commit: 'ed'.repeat(20), retainedBy: taskId, isShown: true };
    await start({
      readOutline(_, page) {
        asked.push(page);
        const { commit } = edited;
        const { slug } = page;
        return Promise.resolve({
          commit,
          slug,
          outline: '',
          maxLengths: {},
          nextFrom: null,
          keys: {},
        });
      },
      deployments: {
        preview: () => Promise.resolve(edited),
        knownPreview: () => Promise.resolve(edited),
      },
    });
    const { siteId } = api.site;
    const args = { siteId, slug: slugs[0], taskId };
    expect(await done('get_page', args)).to.include({ commit: edited.commit });
    expect(asked).to.deep.equal([{ slug: slugs[0], result: edited }]);
    const running = `bg-${'9'.repeat(22)}`;
    const work = { type: 'prompt' as const, prompt: 'x' };
    tasks.add({ taskId: running, organizationId, siteId, publish: false, work });
    expect(await errorOf('get_page', { ...args, taskId: running })).to.include(TASK_RUNNING);
    tasks.add({ taskId: running, organizationId, siteId: 'x', publish: false, work }, finished);
    expect(await errorOf('get_page', { ...args, taskId: running })).to.include(
      foreignTaskError('taskId').message,
    );
  });

  it('get_diff returns the texts before and after, optionally of one page, and the rest by a cursor', async () => {
    const text = (i: number, before: string | null = `${i}`): PageTextChange => ({
      role: 'paragraph',
      section: null,
      before,
      after: `n${i}`,
    });
    const many = Array.from({ length: 150 }, (_, i) => text(i));
    const pages = [
      { slug: '/a', change: 'modified' as const, texts: many },
      { slug: '/b', change: 'created' as const, texts: [text(0, null)] },
    ];
    await start({ diffs: { read: () => Promise.resolve({ patch: 'x', pages, warnings: [] }) } });
    const first = await done('get_diff', { taskId });
    expect(first.texts).to.have.length(100);
    expect(first.texts[0]).to.include({ page: '/a', before: '0', after: 'n0' });
    const second = await done('get_diff', { taskId, cursor: first.nextCursor });
    expect(second.texts).to.have.length(51);
    expect((await done('get_diff', { taskId, slug: '/b' })).texts).to.deep.equal([
      { page: '/b', role: 'paragraph', section: null, before: null, after: 'n0' },
    ]);
  });

  describe('for notes', () => {
    beforeEach(() => start());
    const idOf = async (kind: string) => {
      const { output } = await done('get_task', { taskId });
      return output.notes.find((note) => note.kind === kind)!.noteId;
    };

    it('settle_notes resolves equal notes on all of their pages, or on one page', async () => {
      const noteIds = [await idOf('template')];
      const one = await done('settle_notes', { taskId, state: 'kept', noteIds, page: slugs[0] });
      expect(one.count).to.equal(1);
      const open = (await done('get_task', { taskId })).output.notes;
      expect(open[0]).to.include({ kind: 'template', count: 9 });
      expect(open[0]!.noteId).to.not.equal(noteIds[0]);
      const all = await done('settle_notes', { taskId, state: 'done', noteIds });
      expect(all.count).to.equal(10);
      const left = (await done('get_task', { taskId })).output.notes;
      expect(left.map(({ kind }) => kind)).to.not.include('template');
      expect(await errorOf('settle_notes', { taskId, state: 'done', noteIds: ['x'] })).to.equal(
        'Note not found',
      );
    });
  });

  it('drop_notes removes the fact of equal notes from all of their pages, as a version', async () => {
    const removals: FactRemovalRequest[] = [];
    const [removal, undo] = ['removal', 'undo'].map((kind, index) => ({
      commit: `${index}`.repeat(40),
      parent: siteCommit,
      kind: kind as 'removal' | 'undo',
      at: createdAt,
      message: kind,
      number: index + 2,
      pages: slugs,
      isUndone: false,
    }));
    const editing = noEditing();
    await start({
      editing: {
        ...editing,
        editor: {
          ...editing.editor,
          removeFacts(_, request) {
            removals.push(request);
            const { commit } = removal!;
            const nothing = { gone: [], remaining: [], sentences: [] };
            return Promise.resolve({ commit, removed: request.notes, ...nothing });
          },
          undo: () => Promise.resolve({ undone: removal!, commit: undo!.commit }),
          versions: () => Promise.resolve([undo!, removal!]),
          standing: () => Promise.resolve(new Map()),
        },
      },
    });
    const { output } = await done('get_task', { taskId });
    const noteIds = [output.notes.find(({ kind }) => kind === 'price')!.noteId];
    const { next, removed, version } = await done('drop_notes', { taskId, noteIds });
    expect([removed, version]).to.deep.equal([10, 2]);
    expect(next).to.match(/undo_version/);
    const [{ notes: dropped }] = removals as [FactRemovalRequest];
    expect(dropped.map(({ page }) => page)).to.deep.equal(slugs);
    expect(await errorOf('drop_notes', { taskId })).to.match(
      /^One of noteIds and kind is required/,
    );
    expect(await done('undo_version', { taskId, version: 2 })).to.include({ taskId, version: 3 });
    const places = { places: { rating: 'Rating' } };
    expect(await errorOf('drop_notes', { taskId, kind: 'price', ...places })).to.match(/noteIds/);
    expect(await errorOf('undo_version', {})).to.match(/taskId, batchId/);
  });

  describe('for share links', () => {
    const view = shareOf({ access: 'view' });
    const edit = shareOf({ access: 'edit' });
    const foreign = shareOf({ access: 'view', organizationId: randomUUID() });
    const all = [view, edit, foreign];
    const shares: ApiDeps['shares'] = {
      ...noShares(),
      create: ({ days: _, ...share }) =>
        Promise.resolve({ share: shareOf(share), key: 'a-secret-key' }),
      find: (shareId) => Promise.resolve(all.find((share) => share.shareId === shareId) ?? null),
      listAll: (organization, { access }) =>
        Promise.resolve({
          shares: all.filter(
            (share) =>
              share.organizationId === organization &&
              (access === undefined || share.access === access),
          ),
          more: false,
        }),
      revoke: () => Promise.resolve(taskId),
    };
    const recorded: string[] = [];
    const audit = {
      list: () => Promise.resolve({ entries: [], more: false }),
      record: ({ action }: { action: string }) => Promise.resolve(void recorded.push(action)),
      prune: () => Promise.resolve(),
    };
    const begin = (key: string) =>
      start(
        {
          shares,
          audit,
          editing: {
            ...noEditing(),
            findTask: async (...asked) => ({
              ...(await tasks.find(...asked)),
              siteId: api.site.siteId,
            }),
          },
        },
        key,
      );

    it('create, list and revoke links for members, as REST does', async () => {
      await begin(keys.member);
      const { shares: seen } = await done('list_shares', {});
      expect(seen.map(({ access }) => access)).to.deep.equal(['view', 'edit']);
      const { url, shareId } = await done('share_task', { taskId, access: 'view' });
      expect(url).to.equal(`https://api.example.com/shared/${shareId}#key=a-secret-key`);
      await done('end_share', { shareId });
      const { siteId } = api.site;
      expect(await errorOf('create_edit_link', { taskId, siteId })).to.match(
        /taskId, batchId, siteId/,
      );
      expect(await errorOf('create_edit_link', { siteId })).to.match(/^slug is required/);
      const link = await done('create_edit_link', { taskId, slug: slugs[1] });
      expect(link.url).to.match(/^https:\/\/api\.example\.com\/edit\/bg-\w+\/places\/1#key=/);
      expect(recorded).to.deep.equal(['share.create', 'share.revoke', 'edit-link.create']);
    });
  });

  it('list_deployments and restore_deployment put an earlier deployment live again', async () => {
    await start();
    const { siteId } = api.site;
    expect(await done('list_deployments', { siteId })).to.deep.include({ deployments: [] });
    const args = { siteId, deploymentId: siteCommit };
    expect(await errorOf('restore_deployment', args)).to.match(/confirm: true.*live again/);
    const requests: unknown[] = [];
    tasks.start = (request) => {
      requests.push(request.task.work.type);
      return Promise.resolve({ taskId, createdAt });
    };
    await done('restore_deployment', { ...args, confirm: true });
    expect(requests).to.deep.equal(['restore']);
  });
});

function shareOf(more: Partial<ShareLink>): ShareLink {
  return {
    shareId: randomUUID(),
    organizationId,
    taskId,
    isBatch: false,
    access: 'view',
    createdBy: null,
    createdAt,
    expiresAt: '2099-01-01T00:00:00.000Z',
    ...more,
  };
}
