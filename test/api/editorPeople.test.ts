import { expect } from 'chai';
import { randomTaskId } from '../../src/temporal/tasks/taskId.ts';
import { type EditingHost, startEditing } from '../helpers/editingHost.ts';
import { git } from '../helpers/team/workplace.ts';

const source = '<!doctype html>\n<title>A</title>\n<h1>Old</h1>\n';

describe('the editor for signed-in people', () => {
  let editing: EditingHost;
  let taskId: string;
  before(async () => (editing = await startEditing()));
  after(() => editing.close());
  beforeEach(async () => (taskId = await editing.completeTask({ '/a': source })));

  const ask = (method: string, path: string, headers: object = {}, body?: object) =>
    editing.api.request(method, `/edit/${path.startsWith('bg-') ? '' : `${taskId}/`}${path}`, {
      headers: {
        Origin: editing.origin(),
        ...(body && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    });

  for (const role of ['member', 'admin', 'owner'] as const)
    it(`opens, shows, saves and publishes for a person of role ${role}`, async () => {
      const Cookie = await editing.signIn(role);
      const page = await ask('GET', '.page?slug=/a', { Cookie });
      expect(page.status).to.equal(200);
      expect(page.json).to.include({ mayPublish: true, state: 'draft' });
      expect((await ask('GET', '.frame?slug=/a', { Cookie })).status).to.equal(200);
      const change = { digest: page.json['digest'], source: source.replace('Old', 'New') };
      expect((await ask('PUT', '.page?slug=/a', { Cookie }, change)).status).to.equal(200);
      const check = await ask('GET', '.publish', { Cookie });
      expect([check.status, check.json['tasks'], check.json['pages']]).to.deep.equal([
        200,
        [],
        { count: 1, slugs: ['/a'] },
      ]);
      const started = await ask('POST', '.publish', { Cookie }, {});
      expect(started.status).to.equal(200);
      expect(editing.published.at(-1)!.task).to.include({
        publish: true,
        siteId: editing.host.site.siteId,
      });
      const view = await ask('GET', `.publish/${String(started.json['taskId'])}`, { Cookie });
      expect(view.json).to.deep.equal({ status: 'completed' });
    });

  it('shows what a publish waits for', async () => {
    const Cookie = await editing.signIn('member');
    const what = 'a person to merge the pull request';
    const view = await ask('GET', `.publish/${editing.publishThatWaits(what)}`, { Cookie });
    expect(view.json).to.deep.equal({ status: 'running', waitsFor: what });
  });

  it("writes the person's ID into the commit of a change, but neither name nor e-mail address", async () => {
    const Cookie = await editing.signIn('member');
    const page = await ask('GET', '.page?slug=/a', { Cookie });
    const change = { digest: page.json['digest'], source: source.replace('Old', 'New') };
    expect((await ask('PUT', '.page?slug=/a', { Cookie }, change)).status).to.equal(200);
    const { json } = await editing.api.request('GET', '/account', { headers: { Cookie } });
    const { userId, email, name } = json['user'] as Record<string, string>;
    const commit = git(
      editing.host.team.remote,
      'log',
      '-1',
      '--format=%an %ae %cn %ce %B',
      `refs/agent-tasks/${taskId}`,
    );
    expect(commit).to.include(`Agent-Task-Editor: ${userId}\nAgent-Task-Edit: ${taskId}`);
    for (const word of [email, name]) expect(commit).not.to.include(word);
  });

  it('answers 403 with what to do to viewers and people of other teams, also for tasks that do not exist', async () => {
    const elsewhere = (await editing.keys.identify(editing.foreign.keyId))!.organizationId;
    for (const Cookie of [await editing.signIn('viewer'), await editing.signIn('owner', elsewhere)])
      for (const [method, path, body] of [
        ['GET', '.page?slug=/a'],
        ['GET', '.frame?slug=/a'],
        ['PUT', '.page?slug=/a', { digest: '0'.repeat(64), source }],
        ['POST', '.publish', {}],
        ['GET', `.publish/${taskId}`],
      ] as const) {
        const refused = await ask(method, path, { Cookie }, body);
        expect(refused.status, path).to.equal(403);
        expect(refused.json['error']).to.match(/^Forbidden: \S+@\S+ /);
        expect((await ask(method, `${randomTaskId()}/${path}`, { Cookie }, body)).text).to.equal(
          refused.text,
        );
      }
  });

  it('ends with the session and with the membership', async () => {
    const Cookie = await editing.signIn('member');
    const open = async () => (await ask('GET', '.page?slug=/a', { Cookie })).status;
    expect(await open()).to.equal(200);
    const post = (path: string) =>
      editing.api.request('POST', path, {
        headers: { Origin: editing.origin(), Cookie, 'Content-Type': 'application/json' },
        body: '{}',
      });
    expect((await post('/auth/sign-out')).status).to.equal(200);
    expect(await open()).to.equal(401);

    const other = await editing.signIn('member');
    const { organizationId } = editing.host;
    const { members } = await editing.accounts.members.list(organizationId, { limit: 100 });
    for (const { memberId, role } of members)
      if (role === 'member')
        await editing.accounts.members.remove({ organizationId, role: 'owner' }, memberId);
    expect((await ask('GET', '.page?slug=/a', { Cookie: other })).status).to.equal(401);
  });

  it('can edit with a link, but not publish', async () => {
    const { json } = await editing.link(taskId);
    const key = new URL(String(json['url'])).hash.slice('#key='.length);
    const { headers } = await ask('POST', '.session', {}, { key });
    const Cookie = (headers.get('set-cookie') ?? '').split(';')[0];
    expect((await ask('GET', '.page?slug=/a', { Cookie })).json).to.include({ mayPublish: false });
    for (const [method, path, what] of [
      ['POST', '.publish', 'publish'],
      ['GET', `.publish/${taskId}`, 'see the state of a publish task'],
    ] as const)
      expect(
        (await ask(method, path, { Cookie }, method === 'POST' ? {} : undefined)).json['error'],
      ).to.match(new RegExp(`^Forbidden: .* to ${what}$`));
  });
});
