import { expect } from 'chai';
import { grantLifetimes } from '../../src/editor/grants.ts';
import { type EditingHost, startEditing } from '../helpers/editingHost.ts';

const source = '<!doctype html>\n<title>A</title>\n<h1>Old</h1>\n';
const json = { 'Content-Type': 'application/json' };

describe('the editor over HTTP', () => {
  let editing: EditingHost;
  let taskId: string;
  before(async () => (editing = await startEditing()));
  after(() => editing.close());
  beforeEach(async () => (taskId = await editing.completeTask({ '/a': source })));
  afterEach(() => (editing.clock.now = () => Date.now()));

  const keyOf = (url: unknown) => new URL(String(url)).hash.slice('#key='.length);
  const ask = (
    method: string,
    path: string,
    { headers = {}, body }: { headers?: object; body?: object } = {},
  ) =>
    editing.api.request(method, `/edit/${taskId}/${path}`, {
      headers: { Origin: editing.origin(), ...(body && json), ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
  const openSession = async () => {
    const { json: link } = await editing.link(taskId);
    const { headers } = await ask('POST', '.session', { body: { key: keyOf(link['url']) } });
    return { Cookie: (headers.get('set-cookie') ?? '').split(';')[0] };
  };

  describe('POST /agent/tasks/{taskId}/edit-link', () => {
    it('returns a link to the first page or the requested one, with its key in the fragment', async () => {
      const first = await editing.link(taskId);
      expect(first.status).to.equal(200);
      const url = new URL(String(first.json['url']));
      expect(url.origin + url.pathname + url.search).to.equal(
        `${editing.origin()}/edit/${taskId}/a`,
      );
      expect(Date.parse(String(first.json['expiresAt'])) - Date.now()).to.be.within(
        590_000,
        600_000,
      );
      const other = await editing.completeTask({ '/a': source, '/ünter/b': source });
      for (const slug of ['/ünter/b.html', 'ünter/b']) {
        const { json: second } = await editing.link(other, { slug });
        expect(new URL(String(second['url'])).pathname).to.equal(`/edit/${other}/%C3%BCnter/b`);
      }
    });

    it('answers 404 for unknown and foreign tasks and pages, 409 if there is nothing to edit, 400 for a wrong body', async () => {
      expect(await editing.link(taskId, {}, editing.foreign.apiKey)).to.include({ status: 404 });
      expect(await editing.link('bg-unknown')).to.include({ status: 404 });
      expect(await editing.link(taskId, { slug: '/' })).to.include({ status: 404 });
      expect(await editing.link(taskId, { page: '/a' })).to.include({ status: 400 });
      const task = editing.tasks.get(taskId);
      for (const [change, error] of [
        [{ status: 'running', finished: undefined }, /running/],
        [{ status: 'failed', finished: { status: 'failed' } }, /failed/],
        [{ finished: { ...task?.finished, result: undefined } }, /changed no pages/],
      ] as const) {
        editing.tasks.set(taskId, { ...task, ...change } as never);
        const { status, json } = await editing.link(taskId);
        expect(status).to.equal(409);
        expect(json['error']).to.match(error);
      }
    });
  });

  describe('sessions', () => {
    it('exchange a link’s key for a cookie that is sent only to the editor of this task', async () => {
      const { json: link } = await editing.link(taskId);
      const { status, headers } = await ask('POST', '.session', {
        body: { key: keyOf(link['url']) },
      });
      expect(status).to.equal(200);
      expect(headers.get('set-cookie')).to.match(
        new RegExp(
          `^agent_editor=[\\w.-]+; Path=/edit/${taskId}; Max-Age=7200; HttpOnly; SameSite=Strict$`,
        ),
      );
    });

    it('reject a key that is wrong, expired or for another task, and a session in place of a key', async () => {
      const other = await editing.completeTask({ '/a': source });
      const { json: otherLink } = await editing.link(other);
      const { json: link } = await editing.link(taskId);
      const session = (await openSession()).Cookie?.split('=')[1] ?? '';
      for (const key of ['', 'x', keyOf(otherLink['url']), session, `${keyOf(link['url'])}x`])
        expect(await ask('POST', '.session', { body: { key } }), key)
          .to.have.property('status')
          .that.is.oneOf([400, 401]);
      editing.clock.now = () => Date.now() + grantLifetimes.link;
      expect(await ask('POST', '.session', { body: { key: keyOf(link['url']) } })).to.include({
        status: 401,
      });
    });

    it('open nothing without a session, with an ended one, or with one of another task', async () => {
      const { Cookie } = await openSession();
      const other = await editing.completeTask({ '/a': source });
      for (const path of ['.page?slug=/a', '.frame?slug=/a']) {
        expect(await ask('GET', path, { headers: { Cookie } })).to.include({ status: 200 });
        expect(await ask('GET', path)).to.include({ status: 401 });
        expect(await ask('GET', path, { headers: { Cookie: `${Cookie}x` } })).to.include({
          status: 401,
        });
        const foreign = await editing.api.request('GET', `/edit/${other}/${path}`, {
          headers: { Cookie: Cookie ?? '' },
        });
        expect(foreign.status).to.equal(401);
      }
      editing.clock.now = () => Date.now() + grantLifetimes.session;
      expect(await ask('GET', '.page?slug=/a', { headers: { Cookie } })).to.include({
        status: 401,
      });
    });

    describe('and the API key that created their link', () => {
      const [organizationId] = [() => editing.host.organizationId, 3_600_000];
      /** A link of a key of its own, and what the session that it opened may do. */
      async function opened(key: { apiKey: string }) {
        const link = async () => keyOf((await editing.link(taskId, {}, key.apiKey)).json['url']);
        const enter = (link: string) => ask('POST', '.session', { body: { key: link } });
        const unused = await link();
        const { headers } = await enter(await link());
        const Cookie = (headers.get('set-cookie') ?? '').split(';')[0] ?? '';
        const { json: page } = await ask('GET', '.page?slug=/a', { headers: { Cookie } });
        const body = { digest: page['digest'], source: source.replace('Old', 'New') };
        return async () => [
          (await ask('GET', '.page?slug=/a', { headers: { Cookie } })).status,
          (await ask('GET', '.frame?slug=/a', { headers: { Cookie } })).status,
          (await ask('PUT', '.page?slug=/a', { headers: { Cookie }, body })).status,
          (await enter(unused)).status,
        ];
      }

      it('end together when the key is revoked, while sessions of other keys continue', async () => {
        const [key, other] = [
          await editing.keys.create({ organizationId: organizationId(), role: 'member' }),
          await editing.keys.create({ organizationId: organizationId(), role: 'owner' }),
        ];
        const [statuses, others] = [await opened(key), await opened(other)];
        await editing.keys.revoke(key.keyId);
        expect(await statuses()).to.deep.equal([401, 401, 401, 401]);
        expect((await editing.host.preview(taskId, '/a')).text).to.equal(source);
        expect(await others()).to.deep.equal([200, 200, 200, 200]);
      });
    });

    it('have a cookie with the prefix __Secure- if PUBLIC_URL is https, and accept no other cookie', async () => {
      editing.address.protocol = 'https:';
      try {
        const { json: link } = await editing.link(taskId);
        const { headers } = await ask('POST', '.session', { body: { key: keyOf(link['url']) } });
        const cookie = headers.get('set-cookie') ?? '';
        expect(cookie).to.match(
          new RegExp(
            `^__Secure-agent_editor=[\\w.-]+; Path=/edit/${taskId}; Max-Age=7200; HttpOnly; SameSite=Strict; Secure$`,
          ),
        );
        const [Cookie = ''] = cookie.split(';');
        const status = async (Cookie: string) =>
          (await ask('GET', '.page?slug=/a', { headers: { Cookie } })).status;
        expect(await status(Cookie)).to.equal(200);
        for (const other of [
          Cookie.replace('__Secure-', ''),
          Cookie.replace('__Secure-', '__Host-'),
          `x${Cookie}`,
        ])
          expect(await status(other), other).to.equal(401);
        editing.address.protocol = 'http:';
        expect(await status(Cookie)).to.equal(401);
      } finally {
        editing.address.protocol = 'http:';
      }
    });

    it('write nothing that a page of another site requests', async () => {
      const headers = await openSession();
      const { json: page } = await ask('GET', '.page?slug=/a', { headers });
      const body = { digest: page['digest'], source: 'x' };
      for (const Origin of [
        'https://evil.test',
        'null',
        'http://localhost',
        `http://${taskId}--acme.preview.localhost`,
      ]) {
        const { status } = await ask('PUT', '.page?slug=/a', {
          headers: { ...headers, Origin },
          body,
        });
        expect(status, Origin).to.equal(403);
      }
      const text = { ...headers, 'Content-Type': 'text/plain' };
      expect(await ask('PUT', '.page?slug=/a', { headers: text, body })).to.include({
        status: 415,
      });
      expect((await ask('GET', '.page?slug=/a', { headers })).json['source']).to.equal(source);
    });
  });

  describe('pages', () => {
    it('can be opened, saved and shown', async () => {
      const headers = await openSession();
      const { json: page } = await ask('GET', '.page?slug=/a', { headers });
      expect(page).to.include({ slug: '/a', title: 'A', source });
      const [, { id }] = page['texts'] as [object, { id: string }];
      const body = { digest: page['digest'], texts: { [id]: ['New'] } };
      const saved = await ask('PUT', '.page?slug=/a', { headers, body });
      expect([saved.status, saved.json['source']]).to.deep.equal([
        200,
        source.replace('Old', 'New'),
      ]);
      expect(saved.headers.get('ratelimit-policy')).to.match(/^"create"/);
      expect((await editing.host.preview(taskId, '/a')).text).to.equal(saved.json['source']);
      const stale = await ask('PUT', '.page?slug=/a', {
        headers,
        body: { ...body, texts: { [id]: ['Other'] } },
      });
      expect(stale).to.include({ status: 412, code: 'OUTDATED' });
      expect(stale.json['error']).to.match(/ \/a /);
    });

    it('have a URL of the editor, home pages included', async () => {
      for (const path of ['', 'a', 'deep/b']) {
        const { status, headers } = await ask('GET', path);
        expect(status, path).to.equal(200);
        expect(headers.get('content-type')).to.equal('text/html; charset=utf-8');
      }
    });

    it('name what is wrong with a save', async () => {
      const headers = await openSession();
      const digest = 'a'.repeat(64);
      for (const [body, error] of [
        [{ digest }, /must contain at least one of \[texts, source, drop\]/],
        [{ digest, texts: {}, source: '' }, /conflict between exclusive peers/],
        [{ digest: 'x', source: '' }, /digest must only contain hexadecimal/],
        [{ digest, texts: { s1: 'x' } }, /texts.s1 must be an array/],
        [{ digest, source: 'x', commit: 'y' }, /commit is not allowed/],
      ] as const) {
        const { status, json } = await ask('PUT', '.page?slug=/a', { headers, body });
        expect([status, json['error']]).to.satisfy(
          ([code, text]: [number, string]) => code === 400 && error.test(text),
        );
      }
      expect(await ask('GET', '.page', { headers })).to.include({ status: 400 });
      expect((await ask('GET', '.page?slug=a', { headers })).json['slug']).to.equal('/a');
      expect(await ask('GET', '.page?slug=../x', { headers })).to.include({ status: 400 });
      expect(await ask('GET', '.page?slug=/../x', { headers })).to.include({ status: 400 });
      expect(await ask('GET', '.page?slug=/nowhere', { headers })).to.include({ status: 404 });
    });
  });

  describe('headers and logs of the editor', () => {
    it('let the editor’s page run only its own files, and forbid framing it', async () => {
      const { status, headers, text } = await ask('GET', 'a');
      expect([status, headers.get('content-type')]).to.deep.equal([
        200,
        'text/html; charset=utf-8',
      ]);
      expect(text).to.not.match(
        /<script(?! type="module" src="\/edit\/assets\/)|<style|style=| on\w+=/,
      );
      const policy = headers.get('content-security-policy') ?? '';
      for (const part of [
        "default-src 'none'",
        "script-src 'self';",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
      ])
        expect(policy).to.contain(part);
      expect(headers.get('referrer-policy')).to.equal('no-referrer');
      expect(headers.get('x-content-type-options')).to.equal('nosniff');
    });

    it("put a framed page into a sandbox without an origin, where only the editor's script runs", async () => {
      const headers = await openSession();
      const [one, two] = [
        await ask('GET', '.frame?slug=/a', { headers }),
        await ask('GET', '.frame?slug=/a', { headers }),
      ];
      const policy = one.headers.get('content-security-policy') ?? '';
      const nonce = /script-src 'nonce-([\w-]{22})'/.exec(policy)?.[1] ?? '';
      expect(policy)
        .to.match(/^sandbox allow-scripts; default-src 'none'; /)
        .and.contain("frame-ancestors 'self'");
      expect(one.text.split(`nonce="${nonce}"`)).to.have.length(3);
      expect(two.text).to.not.contain(nonce);
      expect(one.text).to.match(/<h1 data-text-\w{12}="s\d+ 0">Old<\/h1>/);
    });

    it('keep links’ keys and sessions out of all log lines', async () => {
      const { Cookie = '' } = await openSession();
      await ask('GET', '.page?slug=/a', { headers: { Cookie } });
      expect(JSON.stringify(editing.api.logs)).to.not.contain(Cookie.split('=')[1]);
    });
  });
});
