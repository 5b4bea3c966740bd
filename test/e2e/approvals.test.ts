import { expect } from 'chai';
import { BatchEditing } from '../helpers/batchEditing.ts';
import { headlineOf } from '../helpers/markup.ts';
import { answerOf } from '../helpers/operator.ts';
import { endServices, type Reply, type Service, sharedService } from '../helpers/service.ts';
import { citiesBody, removeTeamSites, TeamSite } from '../helpers/team/site.ts';

const json = { 'content-type': 'application/json' };
const codeOf = ({ headers }: Reply) => headers['agent-tasks-error'];

/** A member of the demo's organization, who is signed in to the console. */
interface Member {
  userId: string;
  send: (method: string, path: string, body?: object) => Promise<Reply>;
}

describe('a site that publishes only what another person has approved', function () {
  this.timeout(360_000);
  let service: Service;
  let site: TeamSite;
  let ada: Member;
  let ben: Member;
  let olive: Member;
  const batch = new BatchEditing(() => service);
  before(async () => {
    service = await sharedService();
    site = await TeamSite.register(service, 'four-eyes');
    [ada, ben] = await Promise.all([signIn('ada'), signIn('ben')]);
    olive = await signIn('olive', 'admin');
    const changed = await olive.send('PATCH', `/sites/${site.siteId}`, {
      publishApproval: 'another-person',
    });
    expect(changed.status, changed.text).to.equal(200);
    expect(changed.json).to.include({ publishApproval: 'another-person' });
  });
  after(async function () {
    await endServices(this.currentTest);
    removeTeamSites();
  });

  const send = (method: string, path: string, body?: object, headers = {}) =>
    batch.send(method, `/api/v1${path}`, body, headers);

  async function signIn(name: string, role = 'member'): Promise<Member> {
    const { organizationId } = service.demo;
    const link = await answerOf(
      service.dataDir,
      'user',
      'link',
      '--email',
      `${name}-four-eyes@example.com`,
      '--organization',
      organizationId,
      '--role',
      role,
    );
    const origin = `http://localhost:${service.port}`;
    const post = (path: string, body: object, cookie = '') =>
      service.request('POST', origin + path, {
        headers: { ...json, origin, cookie },
        body: JSON.stringify(body),
      });
    const token = new URL(String(link.url)).hash.slice('#token='.length);
    const signedIn = await post('/account/link', { token });
    expect(signedIn.status, signedIn.text).to.equal(200);
    const cookie = [signedIn.headers['set-cookie'] ?? []]
      .flat()
      .map((line) => line.split(';')[0])
      .join('; ');
    const key = await post('/account/key', { organizationId }, cookie);
    const account = await service.request('GET', `${origin}/account`, { headers: { cookie } });
    const authorization = `Bearer ${String(key.json.apiKey)}`;
    return {
      userId: String(account.json.user.userId),
      send: (method, path, body) => send(method, path, body, { authorization }),
    };
  }

  async function createTask(member: Member, city: string): Promise<string> {
    const body = { siteId: site.siteId, ...citiesBody([city]) };
    const created = await member.send('POST', '/agent/tasks', body);
    expect(created.status, created.text).to.equal(200);
    const taskId = String(created.json.taskId);
    await service.waitForTask(taskId);
    return taskId;
  }

  const liveStatus = async (slug: string) => (await service.request('GET', site.live(slug))).status;

  it('refuses to create pages that go live at once, and creates nothing', async () => {
    const task = { siteId: site.siteId, ...citiesBody(['Oslo'], { publish: true }) };
    const rows = [{ targetPageSlug: '/locations/oslo', context: 'City: Oslo' }];
    const templatePageSlug = '/locations/austin';
    const table = { siteId: site.siteId, templatePageSlug, rows, publish: true };
    for (const [path, body] of [
      ['/agent/tasks', task],
      ['/agent/tasks/check', task],
      ['/agent/batches', table],
      ['/agent/batches/check', table],
    ] as const) {
      const refused = await ben.send('POST', path, body);
      expect([refused.status, codeOf(refused)], path).to.deep.equal([409, 'APPROVAL_REQUIRED']);
    }
    const { json: listed } = await send('GET', `/agent/tasks?siteId=${site.siteId}`);
    expect(listed.tasks).to.deep.equal([]);
  });

  it('publishes a task after the approval of a person who did not make it, until an edit', async () => {
    const taskId = await createTask(ada, 'Oslo');
    const path = `/agent/tasks/${taskId}`;
    const refused = await ada.send('POST', `${path}/publish`);
    expect([refused.status, codeOf(refused)]).to.deep.equal([409, 'APPROVAL_REQUIRED']);

    const { json: open } = await ada.send('GET', `${path}/approvals`);
    expect(open).to.include({ isRequired: true, isApproved: false, mayApprove: false });
    const { version } = open;
    const approve = (member: Member, approved: unknown) =>
      member.send('POST', `${path}/approvals`, { version: approved });
    expect((await approve(ada, version)).status).to.equal(403);
    const program = await send('POST', `${path}/approvals`, { version });
    expect(program.status).to.equal(403);
    expect((await approve(ben, 'c0'.repeat(20))).status).to.equal(409);
    const approved = await approve(ben, version);
    expect(approved.status, approved.text).to.equal(201);
    expect(approved.json).to.include({ isApproved: true, mayApprove: false });
    expect(approved.json.approvals[0]).to.include({ userId: ben.userId, version });

    // an edit by hand is a new version
    const edit = await batchEdit(taskId, '/locations/oslo', 'Oslo by hand');
    expect(edit.status, edit.text).to.equal(200);
    const outdated = await ben.send('POST', `${path}/publish`);
    expect(codeOf(outdated)).to.equal('APPROVAL_REQUIRED');
    const { json: edited } = await ben.send('GET', `${path}/approvals`);
    expect(edited).to.include({ isApproved: false, mayApprove: true });
    expect(edited.approvals[0]).to.include({ isOutdated: true });
    expect((await approve(ben, version)).status).to.equal(409);
    expect(await liveStatus('/locations/oslo')).to.equal(404);
    expect((await approve(ben, edited.version)).status).to.equal(201);

    const published = await ada.send('POST', `${path}/publish`);
    expect(published.status, published.text).to.equal(200);
    await service.waitForTask(String(published.json.taskId));
    const live = await service.request('GET', site.live('/locations/oslo'));
    expect(headlineOf(live.text)).to.equal('Oslo by hand');

    const { json: audit } = await olive.send('GET', '/audit?limit=100');
    const entries = (audit.entries as { action: string; subject: string; person: object }[]).filter(
      ({ subject }) => subject?.includes(taskId),
    );
    expect(entries.map(({ action }) => action)).to.deep.equal([
      'publish.approve',
      'edit-link.create',
      'publish.approve',
    ]);
    expect(entries[0]!.person).to.include({ userId: ben.userId });
    const settings = (audit.entries as { action: string; subject: string }[]).map(
      ({ subject }) => subject,
    );
    expect(settings).to.include('four-eyes (publishApproval: another-person)');
  });

  it('does not count the approval of a person whose own API key made the version', async () => {
    const taskId = await createTask(ada, 'Bergen');
    const key = await ben.send('POST', '/keys', { name: 'script', role: 'member' });
    expect(key.status, key.text).to.equal(201);
    const authorization = `Bearer ${String(key.json.apiKey)}`;
    const path = `/agent/tasks/${taskId}`;
    const dropped = await send('POST', `${path}/notes/drop`, { kind: 'quote' }, { authorization });
    expect(dropped.status, dropped.text).to.equal(200);
    const { json: approvals } = await ben.send('GET', `${path}/approvals`);
    expect(approvals).to.include({ isRequired: true, mayApprove: false });
    const { version } = approvals;
    const approval = await ben.send('POST', `${path}/approvals`, { version });
    expect([approval.status, codeOf(approval)]).to.deep.equal([403, 'FORBIDDEN']);
    const { json: others } = await olive.send('GET', `${path}/approvals`);
    expect(others).to.include({ mayApprove: true });
  });

  /** Saves a headline with an editing link. */
  async function batchEdit(taskId: string, slug: string, text: string): Promise<Reply> {
    const link = await send('POST', `/agent/tasks/${taskId}/edit-link`, { slug });
    const url = new URL(String(link.json.url));
    const headers = { origin: url.origin };
    const key = url.hash.slice('#key='.length);
    const session = await batch.send('POST', `/edit/${taskId}/.session`, { key }, headers);
    const cookie = String(session.headers['set-cookie']).split(';')[0] ?? '';
    const at = `/edit/${taskId}/.page?slug=${slug}`;
    const { json: page } = await batch.send('GET', at, undefined, { cookie });
    const headline = (page.texts as { id: string; level?: number }[]).find(
      ({ level }) => level === 1,
    )!.id;
    const change = { digest: page.digest, texts: { [headline]: [text] } };
    return batch.send('PUT', at, change, { ...headers, cookie });
  }

  it('publishes a batch after an approval, and leaves later pages for the next one', async () => {
    const rows = ['Turin', 'Ulm'].map((city) => ({
      targetPageSlug: `/locations/${city.toLowerCase()}`,
      context: `City: ${city}\nHeadline: Web design in ${city} that works`,
    }));
    const templatePageSlug = '/locations/austin';
    const body = { siteId: site.siteId, templatePageSlug, rows, canary: 1 };
    const created = await ada.send('POST', '/agent/batches', body);
    expect(created.status, created.text).to.equal(200);
    const batchId = String(created.json.batchId);
    const path = `/agent/batches/${batchId}`;
    await batch.reaches(batchId, 'waiting');
    const publish = () => ada.send('POST', `${path}/publish`);
    expect(codeOf(await publish())).to.equal('APPROVAL_REQUIRED');
    const approveCurrent = async (member: Member) => {
      const { version } = (await member.send('GET', `${path}/approvals`)).json;
      return (await member.send('POST', `${path}/approvals`, { version })).status;
    };
    expect(await approveCurrent(ada)).to.equal(403);
    expect(await approveCurrent(ben)).to.equal(201);
    const started = await publish();
    expect(started.status, started.text).to.equal(200);
    expect((await batch.reaches(batchId, 'waiting')).rows).to.include({ published: 1 });
    expect(await liveStatus('/locations/turin')).to.equal(200);

    // the rest of the batch was created after the approval
    expect((await ada.send('POST', `${path}/approve`)).status).to.equal(200);
    const rest = await batch.reaches(batchId, 'completed');
    expect(rest.rows).to.include({ published: 1, committed: 1 });
    expect(await liveStatus('/locations/ulm')).to.equal(404);
    expect(codeOf(await publish())).to.equal('APPROVAL_REQUIRED');
    expect(await approveCurrent(ben)).to.equal(201);
    expect((await publish()).status).to.equal(200);
    expect((await batch.reaches(batchId, 'completed')).rows).to.include({ published: 2 });
  });
});
