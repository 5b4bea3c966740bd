import { expect } from 'chai';
import { lifetimes } from '../../src/editor/grants.ts';
import { bearer } from '../helpers/api.ts';
import { type EditingHost, startEditing } from '../helpers/editingHost.ts';

const DAY = 24 * 3_600_000;
const source = '<!doctype html>\n<title>A</title>\n<h1>Old</h1>\n';

describe('shares', () => {
  let editing: EditingHost;
  let taskId: string;
  before(async () => (editing = await startEditing()));
  after(() => editing.close());
  beforeEach(async () => (taskId = await editing.completeTask({ '/a': source, '/b/c': source })));
  afterEach(() => (editing.clock.now = () => Date.now()));

  const ask = (method: string, path: string, body?: object, key = editing.member.apiKey) =>
    editing.api.request(method, `/api/v1${path}`, {
      headers: { ...bearer(key), ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
  const share = (body: object, task = taskId) => ask('POST', `/agent/tasks/${task}/shares`, body);
  const keyIn = (url: unknown) => new URL(String(url)).hash.slice('#key='.length);
  const open = (shareId: unknown, key: string, origin = editing.origin()) =>
    editing.api.request('POST', `/shared/${String(shareId)}`, {
      headers: { Origin: origin, 'Content-Type': 'application/json' },
      body: JSON.stringify({ key }),
    });
  const later = (ms: number) => (editing.clock.now = () => Date.now() + ms);

  it('a link shows the pages for as many days as asked for, and no longer', async () => {
    for (const [days, body] of [
      [7, { access: 'view' }],
      [7, { access: 'view', days: null }],
      [1, { access: 'view', days: 1 }],
      [30, { access: 'edit', days: 30 }],
    ] as const) {
      const { status, json } = await share(body);
      expect(status).to.equal(201);
      const url = new URL(String(json['url']));
      expect(url.origin + url.pathname).to.equal(`${editing.origin()}/shared/${String(json['shareId'])}`);
      const opened = await open(json['shareId'], keyIn(url));
      expect(opened.status).to.equal(200);
      expect(opened.json).to.include({ access: body.access, site: 'Acme', expiresAt: json['expiresAt'] });
      expect((opened.json['pages'] as { slug: string }[]).map(({ slug }) => slug)).to.deep.equal(['/a', '/b/c']);
      later(days * DAY - 60_000);
      expect((await open(json['shareId'], keyIn(url))).status).to.equal(200);
      later(days * DAY + 1_000);
      expect((await open(json['shareId'], keyIn(url))).status).to.equal(401);
      editing.clock.now = () => Date.now();
    }
  });

  it('only an editing link opens the editor, and what it opened ends with it', async () => {
    const view = (await share({ access: 'view' })).json;
    const viewed = (await open(view['shareId'], keyIn(view['url']))).json['pages'] as { editUrl: unknown }[];
    expect(viewed.map(({ editUrl }) => editUrl)).to.deep.equal([null, null]);

    const { json } = await share({ access: 'edit' });
    const opened = (await open(json['shareId'], keyIn(json['url']))).json['pages'] as { editUrl: string }[];
    const editor = (method: string, path: string, headers: object = {}, body?: object) =>
      editing.api.request(method, `/edit/${taskId}/${path}`, {
        headers: { Origin: editing.origin(), ...(body && { 'Content-Type': 'application/json' }), ...headers },
        ...(body && { body: JSON.stringify(body) }),
      });
    const key = keyIn(opened[1]!.editUrl);
    expect(new URL(opened[1]!.editUrl).pathname).to.equal(`/edit/${taskId}/b/c`);
    const { status, headers } = await editor('POST', '.session', {}, { key });
    expect(status).to.equal(200);
    const Cookie = (headers.get('set-cookie') ?? '').split(';')[0];
    const page = await editor('GET', '.page?slug=/b/c', { Cookie });
    expect(page.status).to.equal(200);
    const change = { digest: page.json['digest'], source: source.replace('Old', 'New') };
    expect((await editor('PUT', '.page?slug=/b/c', { Cookie }, change)).status).to.equal(200);

    expect((await ask('DELETE', `/shares/${String(json['shareId'])}`)).status).to.equal(204);
    expect((await editor('GET', '.page?slug=/b/c', { Cookie })).status).to.equal(401);
    expect((await editor('POST', '.session', {}, { key })).status).to.equal(401);
    expect((await open(json['shareId'], keyIn(json['url']))).status).to.equal(401);
  });

  it('an editing link works as long as it is in force, its way into the editor ten minutes', async () => {
    const { json } = await share({ access: 'edit', days: 1 });
    const way = async () =>
      ((await open(json['shareId'], keyIn(json['url']))).json['pages'] as { editUrl: string }[])[0]!.editUrl;
    const first = keyIn(await way());
    later(lifetimes.link);
    const enter = (key: string) =>
      editing.api.request('POST', `/edit/${taskId}/.session`, {
        headers: { Origin: editing.origin(), 'Content-Type': 'application/json' },
        body: JSON.stringify({ key }),
      });
    expect((await enter(first)).status).to.equal(401);
    expect((await enter(keyIn(await way()))).status).to.equal(200);
  });

  it('the list has those in force, without their keys, the newest first; each can be ended once', async () => {
    const made = [];
    for (const days of [1, 7, 30]) made.push((await share({ access: 'view', days })).json['shareId']);
    const listed = async () => {
      const { text, json } = await ask('GET', `/agent/tasks/${taskId}/shares`);
      expect(text).not.to.match(/key|hash|#/);
      return (json['shares'] as { shareId: string }[]).map(({ shareId }) => shareId);
    };
    expect(await listed()).to.deep.equal(made.toReversed());
    expect((await ask('DELETE', `/shares/${String(made[1])}`)).status).to.equal(204);
    expect((await ask('DELETE', `/shares/${String(made[1])}`)).status).to.equal(404);
    expect(await listed()).to.deep.equal([made[2], made[0]]);
    later(DAY + 1_000);
    expect(await listed()).to.deep.equal([made[2]]);
  });

  it('refuses wrong keys and ids, other pages of the web, and other organizations', async () => {
    const { json } = await share({ access: 'edit' });
    const other = (await share({ access: 'edit' })).json;
    const key = keyIn(json['url']);
    for (const [id, wrong] of [
      [json['shareId'], `${key}x`],
      [json['shareId'], ''],
      [json['shareId'], keyIn(other['url'])],
      [other['shareId'], key],
      ['not-a-uuid', key],
      ['7d0c4e0e-8d5b-4f6b-9a53-2f6b0f1f9a11', key],
    ])
      expect((await open(id, String(wrong))).status).to.be.oneOf([400, 401]);
    for (const origin of ['https://evil.example', 'null', `${editing.origin()}.evil.example`])
      expect((await open(json['shareId'], key, origin)).status, origin).to.equal(403);
    const foreign = editing.foreign.apiKey;
    expect((await ask('DELETE', `/shares/${String(json['shareId'])}`, undefined, foreign)).status).to.equal(404);
    expect((await ask('GET', `/agent/tasks/${taskId}/shares`, undefined, foreign)).status).to.equal(404);
    expect((await open(json['shareId'], key)).status).to.equal(200);
  });

  it('is 400 for wrong bodies, 409 for tasks without pages to show', async () => {
    for (const body of [{}, { access: 'own' }, { access: 'view', days: 2 }, { access: 'view', days: '7' }, { days: 7 }])
      expect((await share(body)).status, JSON.stringify(body)).to.equal(400);
    const task = editing.tasks.get(taskId)!;
    editing.tasks.set(taskId, { ...task, status: 'failed', finished: { status: 'failed' } });
    expect(await share({ access: 'view' })).to.include({ status: 409 });
  });

  it('ends when who made it leaves the organization, or becomes a viewer, and at once for others', async () => {
    for (const leave of ['remove', 'viewer'] as const) {
      const Cookie = await editing.signIn('member');
      const post = { headers: { Origin: editing.origin(), Cookie, 'Content-Type': 'application/json' } };
      const { organizationId } = editing.host;
      const body = JSON.stringify({ organizationId });
      const { json: minted } = await editing.api.request('POST', '/account/key', { ...post, body });
      const made = await ask('POST', `/agent/tasks/${taskId}/shares`, { access: 'edit' }, String(minted['apiKey']));
      const open_ = () => open(made.json['shareId'], keyIn(made.json['url']));
      expect((await open_()).status).to.equal(200);
      const { members } = await editing.accounts.members.list(organizationId, { limit: 100 });
      const actor = { organizationId, role: 'owner' as const };
      for (const { memberId, role } of members)
        if (role === 'member')
          await (leave === 'remove'
            ? editing.accounts.members.remove(actor, memberId)
            : editing.accounts.members.changeRole(actor, memberId, 'viewer'));
      expect((await open_()).status).to.equal(401);
    }
  });
});
