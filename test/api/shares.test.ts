import { made } from '../helpers/about.ts';
import { expect } from 'chai';
import { Agent, request } from 'undici';
import { bearer } from '../helpers/api.ts';
import { type EditingHost, startEditing } from '../helpers/editingHost.ts';
import { ownHost } from '../helpers/ownHost.ts';

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

  it('of a site with an external host say where the pages are, and show unverified pages', async () => {
    const at = 'https://bg-1.pages.example';
    const ofHost = (url: string | null) => (url!.endsWith('/a') ? `${at}/a` : null);
    const task = await editing.completeTask({ '/a': source, '/b/c': source }, {}, ofHost);
    const { siteId, repository } = editing.site;
    const serve = (by: typeof ownHost | null) =>
      editing.sites.setRepository(siteId, repository!, { isElsewhere: false, ownHost: by });
    await serve(ownHost);
    try {
      const { json } = await share({ access: 'edit' }, task);
      const opened = await open(json['shareId'], keyIn(json['url']));
      expect(opened.json, opened.text).to.include({ host: 'own' });
      const pages = opened.json['pages'] as Record<string, unknown>[];
      expect(pages.map(({ previewUrl }) => previewUrl)).to.deep.equal([`${at}/a`, null]);
      expect(pages[1]!['editUrl']).to.be.a('string');
    } finally {
      await serve(null);
    }
  });

  it('say that a page is live only while the live site has it as the link shows it', async () => {
    const task = await editing.completeTask({ '/live-a': source, '/live-b': `${source}<p>B</p>` });
    const { json } = await share({ access: 'view' }, task);
    const livePages = async () => {
      const opened = await open(json['shareId'], keyIn(json['url']));
      const pages = opened.json['pages'] as { slug: string; live: boolean }[];
      return pages.filter(({ live }) => live).map(({ slug }) => slug);
    };
    expect(await livePages()).to.deep.equal([]);
    await editing.putLive(task);
    expect(await livePages()).to.deep.equal(['/live-a', '/live-b']);
    const edit = async (before: string, after: string) => {
      const editable = await editing.editable(task);
      const { digest, source: old } = await editing.editor.open(editable, '/live-a');
      await editing.editor.save(editable, '/live-a', {
        digest,
        source: old.replace(before, after),
      });
    };
    await edit('Old', 'Edited after publishing');
    expect(await livePages()).to.deep.equal(['/live-b']);
    await edit('Edited after publishing', 'Old');
    expect(await livePages()).to.deep.equal(['/live-a', '/live-b']);
    editing.host.team.push({ 'live-b.html': `${source}<p>Pushed</p>` });
    await editing.host.hosting.deployHead(editing.site);
    expect(await livePages()).to.deep.equal(['/live-a']);
  });

  it('show the pages of a link for the requested number of days', async () => {
    for (const [days, body] of [
      [7, { access: 'view' }],
      [7, { access: 'view', days: null }],
      [1, { access: 'view', days: 1 }],
      [30, { access: 'edit', days: 30 }],
    ] as const) {
      const { status, json } = await share(body);
      expect(status).to.equal(201);
      const url = new URL(String(json['url']));
      expect(url.origin + url.pathname).to.equal(
        `${editing.origin()}/shared/${String(json['shareId'])}`,
      );
      const opened = await open(json['shareId'], keyIn(url));
      expect(opened.status).to.equal(200);
      expect(opened.json).to.include({
        access: body.access,
        site: 'Acme',
        host: 'embedded',
        expiresAt: json['expiresAt'],
      });
      expect((opened.json['pages'] as { slug: string }[]).map(({ slug }) => slug)).to.deep.equal([
        '/a',
        '/b/c',
      ]);
      later(days * DAY - 60_000);
      expect((await open(json['shareId'], keyIn(url))).status).to.equal(200);
      later(days * DAY + 1_000);
      expect((await open(json['shareId'], keyIn(url))).status).to.equal(401);
      editing.clock.now = () => Date.now();
    }
  });

  it('open the editor only with an editing link, and end it together with the link', async () => {
    const view = (await share({ access: 'view' })).json;
    const viewed = (await open(view['shareId'], keyIn(view['url']))).json['pages'] as {
      editUrl: unknown;
    }[];
    expect(viewed.map(({ editUrl }) => editUrl)).to.deep.equal([null, null]);

    const { json } = await share({ access: 'edit' });
    const opened = (await open(json['shareId'], keyIn(json['url']))).json['pages'] as {
      editUrl: string;
    }[];
    const editor = (method: string, path: string, headers: object = {}, body?: object) =>
      editing.api.request(method, `/edit/${taskId}/${path}`, {
        headers: {
          Origin: editing.origin(),
          ...(body && { 'Content-Type': 'application/json' }),
          ...headers,
        },
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

  it('are listed while they are valid, without their keys, the newest first; each can be revoked once', async () => {
    const made = [];
    for (const days of [1, 7, 30])
      made.push((await share({ access: 'view', days })).json['shareId']);
    const listed = async () => {
      const { text, json } = await ask('GET', `/shares?taskId=${taskId}`);
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

  it('reject wrong keys and IDs, other pages of the web, and other organizations', async () => {
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
    expect(
      (await ask('DELETE', `/shares/${String(json['shareId'])}`, undefined, foreign)).status,
    ).to.equal(404);
    const { json: theirs } = await ask('GET', `/shares?taskId=${taskId}`, undefined, foreign);
    expect(theirs['shares']).to.deep.equal([]);
    expect((await open(json['shareId'], key)).status).to.equal(200);
  });

  /** POST from another address of this machine. */
  async function from(localAddress: string, path: string, body: object): Promise<number> {
    const dispatcher = new Agent({ localAddress });
    const { statusCode, body: text } = await request(
      `http://127.0.0.1:${editing.api.port}${path}`,
      {
        dispatcher,
        method: 'POST',
        body: JSON.stringify(body),
        headers: {
          Host: new URL(editing.origin()).host,
          Origin: editing.origin(),
          'Content-Type': 'application/json',
        },
      },
    );
    await text.dump();
    await dispatcher.close();
    return statusCode;
  }
  const countOf = (replies: number[], status: number) =>
    replies.filter((one) => one === status).length;
  const at = async (times: number, ask: () => Promise<number>) => {
    const replies = [];
    for (let n = 0; n < times; n++) replies.push(await ask());
    return replies;
  };

  it('can be opened 60 times a minute from one address, whatever other people or wrong keys do', async () => {
    const { json } = await share({ access: 'view' });
    const other = (await share({ access: 'view' })).json;
    const opening = (link: Record<string, unknown>) => () =>
      from('127.0.0.2', `/shared/${String(link['shareId'])}`, { key: keyIn(link['url']) });
    const wrong = () => from('127.0.0.2', `/shared/${String(json['shareId'])}`, { key: 'wrong' });
    expect(countOf(await at(40, wrong), 401)).to.equal(30);
    expect(countOf(await at(70, opening(json)), 200)).to.equal(60);
    expect(await opening(other)()).to.equal(200);
    const elsewhere = await open(json['shareId'], keyIn(json['url']));
    expect(elsewhere.status).to.equal(200);
  });

  it('end when their creator leaves the organization or becomes a viewer, and at once for other people', async () => {
    for (const leave of ['remove', 'viewer'] as const) {
      const Cookie = await editing.signIn('member');
      const post = {
        headers: { Origin: editing.origin(), Cookie, 'Content-Type': 'application/json' },
      };
      const { organizationId } = editing.host;
      const body = JSON.stringify({ organizationId });
      const { json: minted } = await editing.api.request('POST', '/account/key', { ...post, body });
      const made = await ask(
        'POST',
        `/agent/tasks/${taskId}/shares`,
        { access: 'edit' },
        String(minted['apiKey']),
      );
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

  /** A person's session: asks, and makes links with a key of its own. */
  async function person(role: 'viewer' | 'member' | 'owner', organization?: string) {
    const Cookie = await editing.signIn(role, organization);
    const get = (path: string) => editing.api.request('GET', path, { headers: { Cookie } });
    async function shareAs(body: object, task = taskId) {
      const { json } = await editing.api.request('POST', '/account/key', {
        headers: { Origin: editing.origin(), Cookie, 'Content-Type': 'application/json' },
        body: JSON.stringify({ organizationId: editing.host.organizationId }),
      });
      return (await ask('POST', `/agent/tasks/${task}/shares`, body, String(json['apiKey']))).json;
    }
    const { json } = await get('/account');
    return { Cookie, get, shareAs, userId: (json['user'] as { userId: string }).userId };
  }
  const idsIn = (list: unknown) => (list as { shareId: string }[]).map(({ shareId }) => shareId);

  describe('of the whole organization', () => {
    beforeEach(async () => {
      for (;;) {
        const { json } = await ask('GET', '/shares?limit=100');
        const ids = idsIn(json['shares']);
        if (ids.length === 0) return;
        for (const shareId of ids) await ask('DELETE', `/shares/${shareId}`);
      }
    });

    it('lists valid links with the pages that they show, page by page, and by task, access and person', async () => {
      const other = await editing.completeTask({ '/o': source });
      Object.assign(editing.tasks.get(taskId)!, { title: 'Two pages' });
      const ada = await person('member');
      const byAda = await ada.shareAs({ access: 'view' });
      const edit = (await share({ access: 'edit', days: 1 })).json;
      const ofOther = (await share({ access: 'view' }, other)).json;
      const ids = [ofOther, edit, byAda].map((made) => String(made['shareId']));

      const { json } = await ask('GET', '/shares');
      expect(idsIn(json['shares'])).to.deep.equal(ids);
      expect(json['nextCursor']).to.equal(null);
      const { siteId } = editing.host.site;
      const [first, , last] = json['shares'] as object[];
      expect(last).to.include({ taskId, access: 'view', title: 'Two pages', siteId });
      expect(last).to.have.property('createdBy').that.includes({ userId: ada.userId });
      expect(first).to.include({ taskId: other, title: made.title, createdBy: null });
      expect(JSON.stringify(json)).not.to.include(keyIn(edit['url']));

      for (const [query, wanted] of [
        [`taskId=${taskId}`, [ids[1], ids[2]]],
        ['access=view', [ids[0], ids[2]]],
        [`createdBy=${ada.userId.toUpperCase()}`, [ids[2]]],
        [`access=edit&taskId=${other}`, []],
      ] as const)
        expect(idsIn((await ask('GET', `/shares?${query}`)).json['shares']), query).to.deep.equal(
          wanted,
        );

      for (const wrong of ['a', '%00', `${taskId}%00`])
        expect((await ask('GET', `/shares?taskId=${wrong}`)).status, wrong).to.equal(400);

      const parts = [];
      let cursor = '';
      do {
        const { json } = await ask('GET', `/shares?limit=1${cursor && `&cursor=${cursor}`}`);
        parts.push(...idsIn(json['shares']));
        cursor = (json['nextCursor'] as string | null) ?? '';
      } while (cursor);
      expect(parts).to.deep.equal(ids);

      expect((await ask('DELETE', `/shares/${ids[0]}`)).status).to.equal(204);
      later(DAY + 1_000);
      expect(idsIn((await ask('GET', '/shares')).json['shares'])).to.deep.equal([ids[2]]);
    });
  });

  describe('for a viewer', () => {
    const shared = (organizationId = editing.host.organizationId) =>
      `/account/shared?organizationId=${organizationId}`;

    it('lists the viewing links, and opens their pages without their keys', async () => {
      Object.assign(editing.tasks.get(taskId)!, { title: 'Two pages' });
      const [viewer, ada] = [await person('viewer'), await person('member')];
      const view = await ada.shareAs({ access: 'view', days: 1 });
      const edit = await ada.shareAs({ access: 'edit' });
      const { status, json } = await viewer.get(shared());
      expect(status).to.equal(200);
      const listed = json['shared'] as Record<string, unknown>[];
      expect(idsIn(listed)).to.include(view['shareId']).and.not.include(edit['shareId']);
      const mine = listed.find(({ shareId }) => shareId === view['shareId'])!;
      expect(mine).to.include({ title: 'Two pages', site: 'Acme', expiresAt: view['expiresAt'] });
      expect(mine['sharedBy']).to.match(/^member-/);
      expect(JSON.stringify(json)).not.to.match(/@example\.com|key/);

      const opened = await viewer.get(`/account/shared/${String(view['shareId'])}`);
      expect(opened.json).to.include({ access: 'view', site: 'Acme' });
      const pages = opened.json['pages'] as { slug: string; editUrl: unknown }[];
      expect(pages.map(({ slug, editUrl }) => [slug, editUrl])).to.deep.equal([
        ['/a', null],
        ['/b/c', null],
      ]);
      expect((await viewer.get(`/account/shared/${String(edit['shareId'])}`)).status).to.equal(404);
      later(DAY + 1_000);
      expect(idsIn((await viewer.get(shared())).json['shared'])).not.to.include(view['shareId']);
      expect((await viewer.get(`/account/shared/${String(view['shareId'])}`)).status).to.equal(404);
    });

    it('ends with the membership and with the link', async () => {
      const viewer = await person('viewer');
      const { shareId } = (await share({ access: 'view' })).json;
      const path = `/account/shared/${String(shareId)}`;
      expect((await viewer.get(path)).status).to.equal(200);
      await ask('DELETE', `/shares/${String(shareId)}`);
      expect((await viewer.get(path)).status).to.equal(404);
      const again = (await share({ access: 'view' })).json;
      const { organizationId } = editing.host;
      const { members } = await editing.accounts.members.list(organizationId, { limit: 100 });
      const { memberId } = members.find(({ userId }) => userId === viewer.userId)!;
      await editing.accounts.members.remove({ organizationId, role: 'owner' }, memberId);
      expect((await viewer.get(`/account/shared/${String(again['shareId'])}`)).status).to.be.oneOf([
        401, 404,
      ]);
    });
  });

  describe('that are all opened too often', () => {
    it("use up no limit of the people who created them, and not all of the organization's limit", async () => {
      const { json } = await share({ access: 'view' });
      const { organizationId } = editing.host;
      const { rateLimits } = editing;
      for (let n = 0; n < 3_000; n++)
        await rateLimits.person.read.count(`keys of links of ${organizationId}`);
      expect((await open(json['shareId'], keyIn(json['url']))).status).to.equal(429);
      expect((await ask('GET', '/shares')).status).to.equal(200);
    });
  });
});
