import { expect } from 'chai';
import { BatchEditing } from '../helpers/batchEditing.ts';
import { headlineOf } from '../helpers/markup.ts';
import { endServices, type Reply, type Service, sharedService } from '../helpers/service.ts';
import { git } from '../helpers/team/workplace.ts';
import { removeTeamSites, TeamSite } from '../helpers/team/site.ts';

const slug = '/about';
const codeOf = ({ headers }: Reply) => headers['agent-tasks-error'];

/** A person with a link to the editor. */
interface PageEditor {
  page: Record<string, unknown>;
  /** Reads the page of the site, or of the task that the first save started. */
  read(): Promise<Reply>;
  save(headline: string, idempotencyKey?: string): Promise<Reply>;
}

describe('editing a page of a site by hand', function () {
  this.timeout(180_000);
  let service: Service;
  let site: TeamSite;
  const editing = new BatchEditing(() => service);
  before(async () => {
    service = await sharedService();
    site = await TeamSite.register(service, 'site-edits');
  });
  after(async function () {
    await endServices(this.currentTest);
    removeTeamSites();
  });

  const send = (method: string, path: string, body?: object) =>
    editing.send(method, `/api/v1${path}`, body);
  const linkTo = (pageSlug: string, siteId = site.siteId) =>
    send('POST', `/sites/${siteId}/edit-link`, { slug: pageSlug });
  const listTasks = async () =>
    (await send('GET', `/agent/tasks?siteId=${site.siteId}`)).json.tasks as {
      taskId: string;
      type: string;
      title: string;
    }[];
  const livePage = async () => (await service.request('GET', site.live(slug))).text;
  const titleOf = ({ source }: Record<string, unknown>) => headlineOf(String(source));
  const readTitle = async (editor: PageEditor) =>
    titleOf((await editor.read()).json as Record<string, unknown>);

  async function open(): Promise<PageEditor> {
    const url = new URL(String((await linkTo(slug)).json.url));
    const headers = { origin: url.origin };
    const key = url.hash.slice('#key='.length);
    const session = await editing.send('POST', `/edit/${site.siteId}/.session`, { key }, headers);
    let cookie = String(session.headers['set-cookie']).split(';')[0] ?? '';
    let id = site.siteId;
    const read = () => editing.send('GET', `/edit/${id}/.page?slug=${slug}`, undefined, { cookie });
    const { json } = await read();
    const editor: PageEditor = {
      page: json,
      read,
      async save(headline, idempotencyKey) {
        const { texts, digest } = editor.page;
        const h1 = (texts as { id: string; level?: number }[]).find(({ level }) => level === 1)!;
        const change = { digest, texts: { [h1.id]: [headline] } };
        const path = `/edit/${id}/.page?slug=${slug}`;
        const saved = await editing.send('PUT', path, change, {
          ...headers,
          cookie,
          ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        });
        if (saved.status !== 200) return saved;
        editor.page = saved.json;
        id = String(saved.json.taskId);
        cookie = String(saved.headers['set-cookie'] ?? cookie).split(';')[0] ?? '';
        return saved;
      },
    };
    return editor;
  }

  async function publish(taskId: unknown): Promise<string> {
    const started = await send('POST', `/agent/tasks/${String(taskId)}/publish`);
    expect(started.status, started.text).to.equal(200);
    return (await service.waitForTask(String(started.json.taskId))).status;
  }

  it('leaves no task if nothing is saved', async () => {
    const editor = await open();
    const { page } = editor;
    expect(page).to.include({ slug, state: 'live', mayPublish: false });
    expect(page).not.to.have.property('taskId');
    const same = await editor.save(titleOf(page));
    expect([same.status, same.json.taskId]).to.deep.equal([200, undefined]);
    expect(await listTasks()).to.deep.equal([]);
  });

  it('makes one task of all saves, which goes live when it is published', async () => {
    const before = await livePage();
    const editor = await open();
    const saved = await editor.save('First edit');
    expect(saved.status, saved.text).to.equal(200);
    const { taskId, previewUrl } = editor.page;
    expect((await editor.save('Second edit')).status).to.equal(200);
    expect(editor.page).to.include({ taskId, state: 'draft' });
    expect(await listTasks()).to.have.lengthOf(1);
    expect((await listTasks())[0]).to.include({ taskId, type: 'edit', title: `Edit ${slug}` });
    const view = (await send('GET', `/agent/tasks/${String(taskId)}`)).json;
    expect(view.output).to.have.nested.property('pagesModified[0].slug', slug);
    expect(headlineOf((await service.request('GET', String(previewUrl))).text)).to.equal(
      'Second edit',
    );
    const { json: diff } = await send('GET', `/agent/tasks/${String(taskId)}/diff`);
    const [change] = (diff.pages as { texts: { before: string; after: string }[] }[])[0]!.texts;
    expect(change).to.include({ before: headlineOf(before), after: 'Second edit' });
    expect(await livePage()).to.equal(before);
    const undone = await send('POST', `/agent/tasks/${String(taskId)}/versions/undo`);
    expect(undone.status, undone.text).to.equal(200);
    expect(await publish(taskId)).to.equal('completed');
    expect(headlineOf(await livePage())).to.equal('First edit');
    const log = git(site.remote, 'log', '--format=%(trailers:only)', '-2', 'main');
    expect(log).to.include(`Agent-Task-Edit: ${String(taskId)}`);
    expect(log).not.to.match(/^Agent-Task: .*$/m);
  });

  it('makes one task of a save that is repeated because its answer was lost', async () => {
    const before = (await listTasks()).length;
    const [first, second] = [await open(), await open()];
    const saved = await first.save('Saved twice', 'edit-0123456789abcdef');
    expect(saved.status, saved.text).to.equal(200);
    const repeated = await second.save('Saved twice', 'edit-0123456789abcdef');
    expect(repeated.status, repeated.text).to.equal(200);
    expect(repeated.json['taskId']).to.equal(saved.json['taskId']);
    expect(await readTitle(second)).to.equal('Saved twice');
    expect(await listTasks()).to.have.length(before + 1);
    const other = await (await open()).save('Another text', 'edit-0123456789abcdef');
    expect(codeOf(other)).to.equal('IDEMPOTENCY_MISMATCH');
    const { versions } = (
      await send('GET', `/agent/tasks/${String(saved.json['taskId'])}/versions`)
    ).json as { versions: object[] };
    expect(versions).to.have.length(1);
  });

  it('shows a person what somebody else has published since, before it saves anything', async () => {
    const [ada, ben] = [await open(), await open()];
    expect((await ada.save('Headline of Ada')).status).to.equal(200);
    expect(await publish(ada.page.taskId)).to.equal('completed');
    const tasks = (await listTasks()).length;
    const refused = await ben.save('Headline of Ben');
    expect([refused.status, codeOf(refused)]).to.deep.equal([412, 'OUTDATED']);
    expect(await listTasks()).to.have.lengthOf(tasks);
    ben.page = (await ben.read()).json;
    expect(titleOf(ben.page)).to.equal('Headline of Ada');
    expect((await ben.save('Headline of both')).status).to.equal(200);
    expect(await publish(ben.page.taskId)).to.equal('completed');
    expect(headlineOf(await livePage())).to.equal('Headline of both');
  });

  it('keeps both edits if two people have saved one page, and asks whose goes live', async () => {
    const [ada, ben] = [await open(), await open()];
    expect((await ada.save('Edit of Ada')).status).to.equal(200);
    expect((await ben.save('Edit of Ben')).status).to.equal(200);
    expect(ben.page.taskId).not.to.equal(ada.page.taskId);
    expect(await publish(ada.page.taskId)).to.equal('completed');
    expect(await publish(ben.page.taskId)).to.equal('failed');
    expect(headlineOf(await livePage())).to.equal('Edit of Ada');
    expect(await readTitle(ben)).to.equal('Edit of Ben');
    const path = `/agent/tasks/${String(ben.page.taskId)}/versions/update`;
    expect(codeOf(await send('POST', path))).to.equal('CONFLICT');
    expect((await send('POST', path, { conflicts: 'own' })).status).to.equal(200);
    expect(await publish(ben.page.taskId)).to.equal('completed');
    expect(headlineOf(await livePage())).to.equal('Edit of Ben');
  });

  it('says why a page cannot be edited', async () => {
    const unknownSite = '00000000-0000-4000-8000-000000000000';
    site.push({ 'huge.html': `<h1>Huge</h1>${'<p>x</p>'.repeat(300_000)}`, 'a.txt': 'A' });
    const refused = [
      await linkTo('/nowhere'),
      await linkTo('/a.txt'),
      await linkTo(slug, unknownSite),
      await linkTo('/huge'),
    ];
    expect(refused.map((reply) => [reply.status, codeOf(reply)])).to.deep.equal([
      [404, 'NOT_FOUND'],
      [404, 'NOT_FOUND'],
      [404, 'NOT_FOUND'],
      [400, 'INVALID_INPUT'],
    ]);
    expect(refused[3]!.text).to.include('huge.html has 2400013 bytes');
  });
});
