import { expect } from 'chai';
import { bearer, raw } from '../helpers/api.ts';
import { type EditingHost, startEditing } from '../helpers/editingHost.ts';
import { until } from '../helpers/until.ts';
import { begun } from '../helpers/deployed.ts';

const page = '<!doctype html>\n<title>A</title>\n<h1>Old</h1>\n';
const json = { 'Content-Type': 'application/json' };

describe('previews over HTTP', () => {
  let editing: EditingHost;
  let taskId: string;
  before(async () => (editing = await startEditing()));
  after(() => editing.close());
  beforeEach(
    async () =>
      (taskId = await editing.completeTask({ '/a': page }, { 'a.css': 'h1{}', 'b.html': page })),
  );

  const ask = (method: string, ending = '', { apiKey } = editing.member, id = taskId) =>
    editing.api.request(method, `/api/v1/agent/tasks/${id}${ending}`, { headers: bearer(apiKey) });
  const remove = (key = editing.member, id = taskId) => ask('DELETE', '/preview', key, id);
  const shown = async (id = taskId) => (await editing.host.preview(id, '/a')).status;
  /** The addresses that the task's view and its events give. */
  async function addresses(id = taskId) {
    const view = (await ask('GET', '', editing.member, id)).json as {
      output: { pagesCreated: Addresses[] };
    };
    const { text } = await ask('GET', '/events', editing.member, id);
    const told = [...text.matchAll(/^data: (.*)$/gm)].map(
      ([, data]) => JSON.parse(data!) as Addresses & typeof view,
    );
    const [event, done] = told;
    return [view.output.pagesCreated[0]!, event!, done!.output.pagesCreated[0]!].map(
      ({ previewUrl, editUrl }) => [previewUrl !== null, editUrl !== null] as const,
    );
  }
  interface Addresses {
    previewUrl: string | null;
    editUrl: string | null;
  }
  const all = (previews: boolean, edits: boolean) =>
    Array<[boolean, boolean]>(3).fill([previews, edits]);

  describe('DELETE /agent/tasks/{taskId}/preview', () => {
    it('ends the preview: its host, its URLs in every answer, and its editor', async () => {
      const link = String((await editing.link(taskId)).json['url']);
      const session = await editing.api.request('POST', `/edit/${taskId}/.session`, {
        headers: { ...json, Origin: editing.origin() },
        body: JSON.stringify({ key: new URL(link).hash.slice('#key='.length) }),
      });
      const Cookie = (session.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
      const opened = () =>
        editing.api.request('GET', `/edit/${taskId}/.page?slug=/a`, {
          headers: { Cookie, Origin: editing.origin() },
        });
      expect([await shown(), (await opened()).status]).to.deep.equal([200, 200]);
      expect(await addresses()).to.deep.equal(all(true, true));

      const { status, text } = await remove();
      expect([status, text]).to.deep.equal([204, '']);
      expect(await shown()).to.equal(404);
      expect(await addresses()).to.deep.equal(all(false, false));
      for (const answer of [await opened(), await editing.link(taskId)])
        expect(answer).to.include({ status: 409, code: 'CONFLICT' });
    });

    it('answers 409 while the task runs, and 204 for a failed task, with a preview or without', async () => {
      const task = editing.tasks.get(taskId)!;
      editing.tasks.set(taskId, { ...task, status: 'running', finished: undefined } as never);
      expect(await remove()).to.include({ status: 409, code: 'CONFLICT' });
      expect(await shown()).to.equal(200);
      editing.tasks.set(taskId, { ...task, status: 'failed', finished: { status: 'failed' } });
      expect((await remove()).status).to.equal(204);
      expect(await shown()).to.equal(404);
      const nothing = `bg-${'n'.repeat(22)}`;
      editing.tasks.set(nothing, {
        ...task,
        taskId: nothing,
        status: 'failed',
        finished: { status: 'failed' },
      });
      expect((await remove(editing.member, nothing)).status).to.equal(204);
    });

    it('wins against an activity of the task that deploys the preview later', async () => {
      const late = `bg-${'l'.repeat(22)}`;
      editing.tasks.set(late, { ...editing.tasks.get(taskId)!, taskId: late });
      expect((await remove(editing.member, late)).status).to.equal(204);
      const { commit, retainedBy } = (await editing.host.deployments.preview(taskId))!;
      const { site, hosting } = editing.host;
      await hosting.deployPreview({ ...begun, site, taskId: late, commit, retainedBy, pages: [] });
      expect([await shown(late), await shown()]).to.deep.equal([404, 200]);
      expect((await ask('GET', '/diff', editing.member, late)).status).to.equal(200);
    });
  });

  it('that have expired are missing from every answer', async () => {
    await editing.host.agePreview(taskId, 30);
    expect(await addresses()).to.deep.equal(all(false, false));
    expect((await editing.link(taskId)).status).to.equal(409);
    expect((await remove()).status).to.equal(204);
  });

  describe('in the log', () => {
    const name = () => `${taskId}--${editing.host.site.label}`;
    const host = () => `${name()}.preview.localhost:${editing.api.port}`;
    const send = (line: string, headers: string[] = []) =>
      raw(editing.api.port, [line, ...headers, 'Connection: close', '', ''].join('\r\n'));

    it('are never named, whatever is requested from them', async () => {
      const before = editing.api.logs.length;
      const hosts = [
        host(),
        host().toUpperCase(),
        `${name()}.preview.localhost.`,
        `x.${host()}`,
        `${name()}.evil.test`,
      ];
      const paths = [
        '/a',
        '/a.css',
        '/nothing',
        '/..',
        '/%',
        '/a?b=1',
        `//${host()}/`,
        `/${'x'.repeat(180)}/${host()}`,
      ];
      const requests = [
        ...hosts.map((host) => ['GET /a', [`Host: ${host}`]] as const),
        ...paths.map((path) => [`GET ${path}`, [`Host: ${host()}`]] as const),
        ...['HEAD', 'POST', 'OPTIONS', 'DELETE'].map(
          (method) => [`${method} /a`, [`Host: ${host()}`]] as const,
        ),
        [`GET http://${host()}/a`, ['Host: localhost']] as const,
        [`GET ftp://${host()}/a`, ['Host: localhost']] as const,
        [`GET /a`, [`Host: ${host()}`, `Host: ${host()}`]] as const,
        [
          `GET /a`,
          [`Host: ${host()}`, `Referer: http://${host()}/b`, `Origin: http://${host()}`],
        ] as const,
        [`GET /edit/${taskId}/.page`, ['Host: localhost', `Origin: http://${host()}`]] as const,
      ];
      for (const [line, headers] of requests) await send(`${line} HTTP/1.1`, [...headers]);
      await send('GET /a HTTP/1.1', [`Host: ${host()}`, `Cookie: ${'c'.repeat(20_000)}`]);
      await until(
        'a line for each that is HTTP',
        () => editing.api.logs.length >= before + requests.length,
      );
      expectNoName(before);
    });

    function expectNoName(before: number) {
      const lines = editing.api.logs.slice(before);
      expect(JSON.stringify(lines)).to.contain('[preview].preview.localhost');
      for (const line of lines) expect(JSON.stringify(line).toLowerCase()).to.not.contain(name());
    }
  });
});
