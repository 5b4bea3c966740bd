import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { roleTooLowMessage } from '../../src/contract/roles.ts';
import { createRateLimits } from '../../src/api/middleware/rateLimit.ts';
import { DomainError } from '../../src/errors.ts';
import { createTaskWatchers } from '../../src/tasks/taskWatchers.ts';
import { told } from '../helpers/about.ts';
import { Story } from '../helpers/story.ts';
import type { TaskRecord } from '../../src/temporal/tasks/taskService.ts';
import {
  bearer,
  createdAt,
  failingTasks,
  keys,
  organizationId,
  type Overrides,
  raw,
  type Reply,
  siteCommit,
  startApi,
  taskId,
  type TestApi,
} from '../helpers/api.ts';
import {
  type Assistant,
  connectAssistant,
  connectOldAssistant,
  type Person,
} from '../helpers/mcp.ts';

const ofViewers = ['list_shares', 'get_share'];
const readers = [
  'list_sites',
  'list_pages',
  'get_page',
  'check_items',
  'try_prompt',
  'list_tasks',
  'get_task',
  'get_diff',
  'check_batch',
  'get_batch',
  'list_deployments',
];
const writers = [
  'generate_pages',
  'change_site',
  'answer_task',
  'settle_notes',
  'drop_notes',
  'undo_version',
  'create_edit_link',
  'share_task',
  'end_share',
  'publish_task',
  'retry_task',
  'cancel_task',
  'make_batch',
  'decide_notes',
  'approve_rows',
  'retry_rows',
  'publish_batch',
  'restore_deployment',
];
const METADATA = '/.well-known/oauth-protected-resource/mcp';

const message = (method: string, params: object = {}) => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  params,
});
const callOf = (name: string, args: object = {}) =>
  message('tools/call', { name, arguments: args });

/** POST /mcp in the protocol's former era, whose messages need no envelope. */
const post = (
  api: TestApi,
  body: unknown,
  headers: Record<string, string> = bearer(keys.member),
): Promise<Reply> =>
  api.request('POST', '/mcp', {
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

/** The JSON-RPC message of an answer, which may be an event of a stream. */
function messageIn({ text }: Reply) {
  const data = /^data: (\{.*)$/m.exec(text)?.[1] ?? text;
  return JSON.parse(data) as {
    error?: { code: number; message: string };
    result?: { isError?: boolean; content: [{ text: string }] };
  };
}
const toolAnswer = (reply: Reply) =>
  JSON.parse(messageIn(reply).result!.content[0].text) as Record<string, unknown>;

describe('/mcp', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi();
  });
  after(() => api.close());

  for (const [era, version, connect] of [
    ['present', '2026-07-28', connectAssistant],
    ['former', '2025-11-25', connectOldAssistant],
  ] as const)
    describe(`with the official client of the protocol's ${era} era`, () => {
      let assistant: Assistant;
      before(async () => {
        assistant = await connect(api.port, keys.member);
      });
      after(() => assistant.close());

      it('speaks that version of the protocol, and lists the tools', async () => {
        expect(assistant.version).to.equal(version);
        const names = (await assistant.tools()).map(({ name }) => name);
        expect(names).to.have.members([...ofViewers, ...readers, ...writers]);
      });

      it('answers with structured content and the next step', async () => {
        const { isError, json } = await assistant.call('list_pages', { siteId: api.site.siteId });
        expect(isError).to.equal(false);
        expect(json).to.include({ siteId: api.site.siteId, nextCursor: null });
        expect(json.next).to.match(/get_page/);
      });

      it('rejects an unknown tool with a protocol error', async () => {
        for (const name of ['nothing', '__proto__', 'constructor', 'x'.repeat(10_000)]) {
          const error = await assistant.call(name).catch((error: unknown) => error);
          expect(String(error))
            .to.match(/Unknown tool: /)
            .and.have.length.below(200);
        }
      });
    });

  it('acknowledges a subscription to changes of the tools, and ends it at once', async () => {
    const version = '2026-07-28';
    const listen = message('subscriptions/listen', {
      notifications: { toolsListChanged: true },
      _meta: {
        'io.modelcontextprotocol/protocolVersion': version,
        'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    });
    const { text } = await post(api, listen, {
      ...bearer(keys.member),
      'MCP-Protocol-Version': version,
      'Mcp-Method': 'subscriptions/listen',
    });
    expect(text).to.match(/subscriptions\/acknowledged[^]*"resultType":"complete"/);
  });

  it('answers at /mcp/ as well', async () => {
    const sent = {
      headers: {
        ...bearer(keys.member),
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify(callOf('list_sites')),
    };
    const reply = await api.request('POST', '/mcp/', sent);
    expect(reply.status).to.equal(200);
    expect(toolAnswer(reply)).to.have.property('sites');
  });

  describe('keys', () => {
    it('are required: 401 with the URL of the metadata, which says how to send a key', async () => {
      for (const headers of [{}, bearer('ak_unknown'), { Authorization: 'Basic eDp5' }]) {
        const { status, headers: fields, json } = await post(api, message('tools/list'), headers);
        expect(status).to.equal(401);
        expect(json).to.deep.equal({ error: 'Unauthorized' });
        expect(fields.get('WWW-Authenticate')).to.equal(
          `Bearer resource_metadata="https://api.example.com${METADATA}"`,
        );
      }
      const { status, json } = await api.request('GET', METADATA);
      expect(status).to.equal(200);
      expect(json).to.include({ resource: 'https://api.example.com/mcp' });
      expect(json['bearer_methods_supported']).to.deep.equal(['header']);
    });

    it('of viewers allow at each tool what REST and the console allow viewers: to see shared pages', async () => {
      const viewer = await connectAssistant(api.port, keys.viewer);
      const names = (await viewer.tools()).map(({ name }) => name);
      expect(names).to.have.members(ofViewers);
      await viewer.close();
      const { json } = await api.request('GET', '/api/v1/agent/tasks', {
        headers: bearer(keys.viewer),
      });
      for (const tool of [...readers, ...writers]) {
        const given = { taskId, siteId: api.site.siteId, confirm: true };
        const reply = await post(api, callOf(tool, given), bearer(keys.viewer));
        const { error, code } = toolAnswer(reply);
        expect({ error, code }, tool).to.deep.equal({ error: json['error'], code: 'FORBIDDEN' });
      }
    });
  });

  describe('tools that change something', () => {
    const page = { targetPageSlug: '/rome', context: 'City: Rome' };
    const pages = () => ({
      siteId: api.site.siteId,
      templatePageSlug: '/locations/austin',
      items: [page],
    });
    const failedId = `bg-${'f0'.repeat(11)}`;
    const result = { taskId, base: siteCommit, commit: siteCommit, root: siteCommit };
    const output = { pagesCreated: [{ slug: '/rome' }], pagesModified: [], pagesDeleted: [] };
    const completed = {
      taskId,
      organizationId,
      status: 'completed',
      type: 'generate_pages',
      title: 'Rome',
      publish: false,
      finished: { taskId, status: 'completed', output, result },
    } as unknown as TaskRecord;
    const failed = {
      taskId: failedId,
      organizationId,
      status: 'failed',
      type: 'generate_pages',
      publish: true,
      finished: { taskId: failedId, status: 'failed', errorMessage: 'x' },
    } as unknown as TaskRecord;
    const call = async (name: string, args: object, key = keys.member, port = api) =>
      toolAnswer(await post(port, callOf(name, args), bearer(key)));

    it('start the same as the REST request, under the same idempotency key', async () => {
      const headers = { 'Idempotency-Key': 'order-7' };
      const prompt = { siteId: api.site.siteId, prompt: 'Change the headline of / to "Hi"' };
      for (const [tool, body] of [
        ['generate_pages', { command: 'generate_pages', ...pages() }],
        ['change_site', prompt],
      ] as const) {
        api.started.length = 0;
        await api.create(body, headers);
        const args = { ...body, command: undefined, idempotencyKey: 'order-7' };
        const answer = await call(tool, args);
        expect(answer).to.include({ taskId, status: 'running', createdAt });
        expect(answer['next']).to.include(`get_task with taskId ${taskId}`);
        const [rest, mcp] = api.started.map(({ task: { requestId: _, ...task }, ...start }) => ({
          ...start,
          task,
        }));
        expect(mcp).to.deep.equal(rest);
      }
    });

    it('reject an invalid idempotency key', async () => {
      const answer = await call('generate_pages', { ...pages(), idempotencyKey: 'a b' });
      expect(answer['error']).to.match(/1 to 255 visible ASCII characters/);
    });

    it('reject read-only keys as REST does', async () => {
      api.started.length = 0;
      for (const tool of writers) {
        const answer = await call(tool, { taskId, confirm: true, ...pages() }, keys.viewer);
        expect(answer).to.include({
          error: roleTooLowMessage('viewer', 'member'),
          code: 'FORBIDDEN',
        });
      }
      expect(api.started).to.deep.equal([]);
    });

    it("publish only if the call says that the person has agreed, for clients that can't ask people", async () => {
      const work = { type: 'generate_pages', templatePageSlug: '/', items: [page] };
      const find = (_: string, id: string) =>
        Promise.resolve({
          ...(id === taskId ? completed : failed),
          siteId: asking.site.siteId,
        });
      const request = () => Promise.resolve({ input: { publish: true, work } } as never);
      const start = () => Promise.reject(new DomainError('CONFLICT', 'reached the use case'));
      const tasks = { ...failingTasks(new Error('not asked for')), find, request, start };
      const asking = await startApi({ tasks });
      const publishing = { ...pages(), publish: true };
      const calls: [string, object][] = [
        ['generate_pages', publishing],
        ['change_site', { siteId: api.site.siteId, prompt: 'Do it', publish: true }],
        ['publish_task', { taskId }],
        ['retry_task', { taskId: failedId }],
        ['restore_deployment', { siteId: '', deploymentId: siteCommit }],
      ];
      const at = { siteId: asking.site.siteId };
      for (const [tool, args] of calls) {
        const own = 'siteId' in args ? { ...args, ...at } : args;
        for (const confirm of [undefined, null, false]) {
          const refused = await call(tool, { ...own, confirm }, keys.member, asking);
          expect(refused['error'], tool).to.match(/confirm: true\b.*\blive\b/);
        }
        const { error } = await call(tool, { ...own, confirm: true }, keys.member, asking);
        expect(error, tool).to.equal('reached the use case');
      }
      await asking.close();
    });

    it('ask the person if the client can, whatever the call says', async () => {
      const publishing = { ...pages(), publish: true, confirm: true };
      for (const [answers, count] of [
        ['accept', 1],
        ['decline', 0],
      ] as const) {
        api.started.length = 0;
        const person: Person = { asked: [], answers };
        const assistant = await connectAssistant(api.port, keys.member, person);
        const { isError, json } = await assistant.call('generate_pages', publishing);
        expect(person.asked).to.have.length(1);
        expect(person.asked[0]).to.contain(' https://demo.sites.example ');
        expect(isError).to.equal(count === 0);
        if (isError) expect(json).to.include({ code: 'CONFLICT' });
        expect(api.started).to.have.length(count);
        const unknown = { taskId: `bg-${'0'.repeat(22)}` };
        for (const tool of ['publish_task', 'retry_task'])
          expect((await assistant.call(tool, unknown)).json).to.include({ code: 'NOT_FOUND' });
        expect(person.asked, 'what was not found').to.have.length(1);
        // a preview needs nobody's word
        await assistant.call('generate_pages', pages());
        expect(person.asked).to.have.length(1);
        await assistant.close();
      }
    });
  });

  it('answers with each text of a page once', async () => {
    const reply = await post(api, callOf('get_page', { siteId: api.site.siteId, slug: '/once' }));
    expect(reply.text).to.not.include('structuredContent');
    expect(reply.text.split('s1 h1')).to.have.length(2);
  });

  describe('requests that REST rejects', () => {
    it('are rejected in the same way: media types, compression, sizes, and bodies that are not JSON', async () => {
      const statusOf = async (...args: [unknown, Record<string, string>?]) =>
        (await post(api, args[0], { ...bearer(keys.member), ...args[1] })).status;
      expect(await statusOf('{', {})).to.equal(400);
      expect(await statusOf('{"a":1,"a":2}')).to.equal(400);
      expect(await statusOf('{"__proto__":{"a":1}}')).to.equal(400);
      expect(await statusOf('{}', { 'Content-Type': 'text/plain' })).to.equal(415);
      expect(await statusOf('{}', { 'Content-Encoding': 'gzip' })).to.equal(415);
      expect(await statusOf(`"${'x'.repeat(2_000_000)}"`)).to.equal(413);
    });

    it('are rejected in the same way: other methods, origins and hosts', async () => {
      for (const method of ['GET', 'DELETE', 'PUT']) {
        const { status, headers } = await api.request(method, '/mcp');
        expect(status).to.equal(405);
        expect(headers.get('Allow')).to.equal('POST');
      }
      const from = async (Origin: string) =>
        (await post(api, message('tools/list'), { ...bearer(keys.member), Origin })).status;
      for (const own of ['https://api.example.com', `http://127.0.0.1:${api.port}`])
        expect(await from(own), own).to.equal(200);
      for (const other of ['https://evil.example', 'null', 'https://api.example.com.evil.example'])
        expect(await from(other), other).to.equal(403);
      const elsewhere = `POST /mcp HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n`;
      expect(await raw(api.port, elsewhere)).to.match(/^HTTP\/1.1 421 /);
    });
  });

  describe('arguments', () => {
    const siteId = randomUUID();
    const hostile: Record<string, [tool: string, args: object, error: RegExp]> = {
      'of a wrong type': ['list_pages', { siteId: 7 }, /siteId must be a string/],
      unknown: ['list_sites', { colour: 'red' }, /colour is not allowed/],
      'named like parts of an object': [
        'list_sites',
        { constructor: { prototype: { polluted: true } }, toString: 1 },
        /constructor is not allowed; toString is not allowed/,
      ],
      'that lead out of the site': [
        'get_page',
        { siteId, slug: '/../../etc/passwd' },
        /slug must not/,
      ],
      "that have a site's name for its id": [
        'change_site',
        { siteId: 'Northwind', prompt: 'Do it' },
        /not its name.*list_sites/,
      ],
      'that lead out of the sites': ['list_pages', { siteId: '../../etc' }, /^Site not found/],
      'that are no task': ['get_task', { taskId: 'bg-../../x' }, /^Task not found$/],
      'that wait for ever': ['get_task', { taskId: 'x', wait: 1e9 }, /wait must be less than/],
      'that are a cursor of nothing': ['list_sites', { cursor: 'AAAA' }, /nextCursor/],
    };
    for (const [what, [tool, args, error]] of Object.entries(hostile))
      it(`with the name ${what} are rejected`, async () => {
        const reply = await post(api, callOf(tool, args));
        expect(reply.status).to.equal(200);
        expect(messageIn(reply).result!.isError).to.equal(true);
        expect(toolAnswer(reply)['error']).to.match(error);
        expect(reply.text.length).to.be.below(2_000);
        expect(({} as { polluted?: boolean }).polluted).to.equal(undefined);
      });

    it('of a wrong item are reported as a problem of that item, as over REST', async () => {
      const items = [{ targetPageSlug: '/a' }, { targetPageSlug: '/b', context: 'City: Rome' }];
      const args = { siteId: api.site.siteId, templatePageSlug: '/', items };
      const { items: checked } = toolAnswer(await post(api, callOf('check_items', args)));
      expect(checked).to.have.length(1);
      expect((checked as { problems: object[] }[])[0]!.problems).to.deep.equal([
        { code: 'INVALID_INPUT', message: 'items[0].context is required' },
      ]);
    });
  });

  describe('time', () => {
    const inTime = async (overrides: Overrides, ...[name, args]: [string, object?]) => {
      const slow = await startApi({ ...overrides, callMs: 2_300 });
      const own = { ...args, ...(name === 'list_pages' && { siteId: slow.site.siteId }) };
      const answer = toolAnswer(await post(slow, callOf(name, own)));
      await slow.close();
      return answer;
    };

    it('limits get_task to the wait, which then returns the task as it is', async () => {
      const story = new Story(organizationId, taskId);
      const watchers = createTaskWatchers(story, { every: 20 });
      const { follow } = story;
      const read = (organization: string, task: string) =>
        follow(organization, task).then(({ view }) => ({ ...view, about: told }));
      const own = { follow, read, closed: () => new Promise<void>(() => undefined) };
      const tasks = { ...failingTasks(new Error('not asked for')), ...own };
      const answer = await inTime({ tasks, watchers }, 'get_task', { taskId });
      expect(answer).to.include({ taskId, status: 'running' });
      expect(answer['next']).to.match(/get_task again/);
      watchers.close();
    });
  });

  it('reports limits like REST: in header fields for a rejected message, in the answer for a rejected call', async () => {
    const limited = await startApi({
      rateLimits: createRateLimits({ createPerMinute: 1, readPerMinute: 3 }),
    });
    try {
      const check = { siteId: api.site.siteId, templatePageSlug: '/', items: [] };
      await post(limited, callOf('check_items', check));
      const second = toolAnswer(await post(limited, callOf('check_items', check)));
      expect(second).to.include({ error: 'Too Many Requests', code: 'TOO_MANY_REQUESTS' });
      expect(second['retryAfterSeconds']).to.be.within(1, 60);
      expect((await post(limited, message('tools/list'))).status).to.equal(200);
      const { status, headers, json } = await post(limited, message('tools/list'));
      expect(status).to.equal(429);
      expect(json).to.deep.equal({ error: 'Too Many Requests' });
      expect(Number(headers.get('Retry-After'))).to.be.within(1, 60);
    } finally {
      await limited.close();
    }
  });

  it('hides internal errors, and logs them', async () => {
    const broken = await startApi({
      siteList: {
        list: () => Promise.reject(new Error('a secret of the database')),
        find: () => Promise.resolve(null),
      },
    });
    const reply = await post(broken, callOf('list_sites'));
    expect(toolAnswer(reply)).to.include({
      error: 'Internal Server Error',
      code: 'INTERNAL_SERVER_ERROR',
    });
    expect(reply.text).to.not.include('secret');
    expect(JSON.stringify(broken.logs)).to.include('a secret of the database');
    await broken.close();
  });
});
