import { expect } from 'chai';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { keys, startApi, taskId, type TestApi } from '../helpers/api.ts';
import { document } from '../helpers/openapi.ts';

type Fields = Record<string, string>;
const ofMember = { Authorization: `Bearer ${keys.member}` };

describe('compressed responses of the API', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi();
    const page = {
      title: 'A page',
      template: true,
      changedAt: null,
      changedBy: null,
      taskId: null,
    };
    for (let i = 0; i < 100; i++) api.pages.push({ ...page, slug: `/locations/${i}` });
    const output = { pagesCreated: [], pagesModified: [], pagesDeleted: [] };
    const summary = 'It says a lot. '.repeat(200);
    const view = { taskId, status: 'completed', output: { ...output, summary } } as const;
    api.views.set(taskId, view);
  });
  after(() => api.close());

  async function ask(path: string, headers: Fields, { method = 'GET', body = '' } = {}) {
    const fields = { 'Accept-Encoding': 'gzip', ...headers };
    const sent = request({ port: api.port, path, method, headers: fields, agent: false });
    const [answer] = (await once(sent.end(body), 'response')) as [IncomingMessage];
    return { status: answer.statusCode, headers: answer.headers, bytes: await buffer(answer) };
  }

  it('are sent only to GET requests with a key', async () => {
    for (const path of [`/sites/${api.site.siteId}/pages`, `/agent/tasks/${taskId}`]) {
      const { headers, bytes } = await ask(`/api/v1${path}`, ofMember);
      expect(headers, path).to.include({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
      const plain = await ask(`/api/v1${path}`, { ...ofMember, 'Accept-Encoding': 'identity' });
      expect(plain.headers['content-encoding']).to.equal(undefined);
      expect(gunzipSync(bytes).equals(plain.bytes)).to.equal(true);
    }
  });

  it('are never sent if the response contains a new secret', () => {
    const secrets = ['apiKey', 'callbackSecret', 'token', 'privateKey', 'key'];
    const made = namesAnswered('post');
    expect(secrets.filter((name) => made.has(name))).to.deep.equal(['apiKey', 'callbackSecret']);
    const read = namesAnswered('get');
    expect(read).to.include('previewUrl');
    expect(secrets.filter((name) => read.has(name))).to.deep.equal(['key']);
  });

  it('include the OpenAPI document, which clients may cache for five minutes and then revalidate', async () => {
    const path = '/api/v1/openapi.json';
    const { headers, bytes } = await ask(path, {});
    expect(headers).to.include({
      'cache-control': 'public, max-age=300',
      'content-encoding': 'gzip',
      vary: 'Accept-Encoding',
    });
    expect(bytes.length).to.be.below(80_000);
    const plain = await ask(path, { 'Accept-Encoding': 'identity' });
    expect(headers.etag).to.equal(`W/${plain.headers.etag}`);
    for (const tag of [headers.etag!, plain.headers.etag!]) {
      const again = await ask(path, { 'If-None-Match': tag });
      expect([again.status, again.headers.etag, again.bytes.length]).to.deep.equal([304, tag, 0]);
    }
    const changed = await ask(path, { 'If-None-Match': '"another"' });
    expect(changed.status).to.equal(200);
  });
});

interface Schema {
  $ref?: string;
}

/** The names of all fields that answers to a method may have. */
function namesAnswered(method: string): Set<string> {
  const names = new Set<string>();
  const seen = new Set<string>();
  const collect = (part: unknown) => {
    if (typeof part !== 'object' || part === null) return;
    const { $ref, properties = {} } = part as Schema & { properties?: object };
    for (const name of Object.keys(properties)) names.add(name);
    if ($ref !== undefined && !seen.has($ref)) {
      seen.add($ref);
      collect(document.components.schemas[$ref.split('/').at(-1)!]);
    }
    for (const inner of Object.values(part)) collect(inner);
  };
  for (const item of Object.values(document.paths)) {
    const responses = Object.entries(item[method]?.responses ?? {});
    for (const [, response] of responses.filter(([status]) => status < '300'))
      for (const { schema } of Object.values('content' in response ? response.content : {}))
        collect(schema);
  }
  return names;
}
