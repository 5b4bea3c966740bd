import { expect } from 'chai';
import { type ModelServer, type Reply, startModelServer } from '../../../../helpers/modelServer.ts';
import { until } from '../../../../helpers/until.ts';
import { callerOf, conversation, failure, keys, protocols, shown, takeTurn } from './callers.ts';

const SECRET = 'PromptOnlyWords about the merger';

/** An error body in the provider's own form. */
const bodies: Record<string, (status: number, code: string, message: string) => object> = {
  anthropic: (_status, type, message) => ({ type: 'error', error: { type, message } }),
  openai: (_status, code, message) => ({ error: { message, type: code, code, param: null } }),
  google: (code, status, message) => ({ error: { code, status, message } }),
  'openai-compatible': (_status, code, message) => ({ error: { message, type: code, code } }),
};

for (const protocol of protocols)
  describe(`A call that fails at ${protocol.provider}`, () => {
    let server: ModelServer;
    let reply: Reply;
    const { error: write } = console;
    let written = 0;
    before(async () => {
      console.error = () => (written += 1);
      server = await startModelServer(() => reply);
    });
    after(() => {
      console.error = write;
      return server.close();
    });

    const call = async (
      now: Reply,
      timeout?: { firstChunkMs: number; chunkMs: number; totalMs: number },
    ) => {
      reply = now;
      const before = server.requests().length;
      const caller = await callerOf(protocol, server.url(protocol.provider), timeout);
      const error = await failure(takeTurn(caller, conversation(SECRET)));
      expect(error.code).to.equal('MODEL_FAILED');
      expect(written, 'lines that a package wrote to the console').to.equal(0);
      expect(server.requests()).to.have.length(before + 1, 'a call is made once');
      for (const text of [SECRET, 'merger', 'Home', ...Object.values(keys)])
        expect(shown(error)).to.not.contain(text);
      return error;
    };
    const status = (
      status: number,
      code: string,
      message = 'Sorry',
      headers: Record<string, string> = {},
    ): Reply => ({
      status,
      headers: { 'content-type': 'application/json', ...headers },
      body: bodies[protocol.provider]!(status, code, message),
    });

    const cases: [
      title: string,
      reply: Reply,
      expected: { retryable: boolean; says: RegExp; after?: number },
    ][] = [
      [
        'waits as long as Retry-After says',
        status(429, 'rate_limit_error', 'Slow down', { 'retry-after': '7' }),
        {
          retryable: true,
          says: /\(429, rate_limit_error\)\. .*: Slow down$/,
          after: 7_000,
        },
      ],
      [
        'ends where the account has no credit',
        status(429, 'insufficient_quota'),
        { retryable: false, says: /\bcredit\b.*\b429\b/ },
      ],
      ['tries again after 500', status(500, 'api_error'), { retryable: true, says: /\(500\b/ }],
      [
        'tries again after 503',
        status(503, 'unavailable', 'Busy', { 'retry-after': '2' }),
        { retryable: true, says: /503/, after: 2_000 },
      ],
      [
        'ends after 401, and names the setting',
        status(401, 'authentication_error', `Wrong key ${keys.openai}`),
        {
          retryable: false,
          says: / (ANTHROPIC_API_KEY|OPENAI_API_KEY|GOOGLE_GENERATIVE_AI_API_KEY|AGENT_API_KEY)$/,
        },
      ],
      [
        'ends after 404',
        status(404, 'not_found_error', 'No such model'),
        { retryable: false, says: /\(404\b.*\bAGENT_BASE_URL\b/ },
      ],
      [
        'ends after 400',
        status(400, 'invalid_request_error', 'tools.0: no'),
        {
          retryable: false,
          says: /\(400, invalid_request_error\)\. .*: tools\.0: no/,
        },
      ],
      [
        'ends where the context is too long',
        status(400, 'invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum'),
        { retryable: false, says: /\bcontext\b.*\b400\b/ },
      ],
      [
        'quotes no message that quotes the request',
        status(400, 'invalid_request_error', `messages.0: "${SECRET}" is bad`),
        { retryable: false, says: /\(400, invalid_request_error\)$/ },
      ],
      [
        'quotes no key',
        status(400, 'invalid_request_error', `Bad ${keys.google} and ${keys.anthropic}`),
        { retryable: false, says: /: Bad … and …$/ },
      ],
      [
        'tries again after 200 that is no answer',
        { status: 200, headers: { 'content-type': 'text/html' }, body: `<h1>${SECRET}</h1>` },
        { retryable: true, says: /\bprotocol\b.* AGENT_BASE_URL$/ },
      ],
      [
        'tries again after a stream of something else',
        {
          status: 200,
          headers: { 'content-type': 'text/event-stream' },
          body: `data: {"a": ${SECRET}\n\ndata: {"b": "${SECRET}"}\n\n`,
        },
        { retryable: true, says: /\bprotocol\b.* AGENT_BASE_URL$/ },
      ],
      [
        'follows no redirect',
        { status: 307, headers: { location: 'http://127.0.0.1:9/v1' } },
        { retryable: false, says: /\(307\).* AGENT_BASE_URL\b/ },
      ],
      [
        'tries again where the stream was cut',
        { text: SECRET, calls: [{ name: 'finish', arguments: {} }], cutAfter: 300 },
        { retryable: true, says: /\bincomplete\b.* AGENT_BASE_URL$/ },
      ],
      ['tries again where nothing was said', { text: '' }, { retryable: true, says: /\bempty\b/ }],
      [
        'ends where the model refuses',
        { text: SECRET, finishReason: 'content_filter' },
        { retryable: false, says: /\brefused\b.*\brules\b/ },
      ],
      [
        'ends where the answer reached its limit',
        { text: SECRET, finishReason: 'length' },
        { retryable: false, says: /\btoken limit\b/ },
      ],
    ];
    for (const [title, reply, { retryable, says, after }] of cases)
      it(title, async () => {
        const error = await call(reply);
        expect(error.message).to.match(says);
        expect(error.retryable, error.message).to.equal(retryable);
        expect(error.retryAfter).to.equal(after);
      });

    it('reads Retry-After as a date', async () => {
      const at = new Date(Date.now() + 90_000).toUTCString();
      const error = await call(status(429, 'rate_limit_error', 'Slow down', { 'retry-after': at }));
      expect(error.retryAfter).to.be.within(60_000, 91_000);
    });

    const hangs: [
      title: string,
      reply: Reply,
      ms: { firstChunkMs: number; chunkMs: number; totalMs: number },
    ][] = [
      ['answers nothing at all', 'hang', { firstChunkMs: 150, chunkMs: 600_000, totalMs: 600_000 }],
      [
        'stops in the middle',
        { text: 'a'.repeat(5_000), hangAfter: 900 },
        { firstChunkMs: 20_000, chunkMs: 150, totalMs: 1_000 },
      ],
    ];
    for (const [title, reply, ms] of hangs)
      it(`is retried if the server ${title}, and closes the connection`, async () => {
        const given = server.requests().filter(({ aborted }) => aborted).length;
        const error = await call(reply, ms);
        expect(error.retryable).to.equal(true);
        expect(error.message).to.match(/\bin time$/);
        await server.aborted(given + 1, 5_000);
      });

    it('is given up on request: the server sees the connection close', async () => {
      reply = 'hang';
      const given = server.requests().length;
      const caller = await callerOf(protocol, server.url(protocol.provider));
      const cancel = new AbortController();
      const reason = new Error('The task was cancelled');
      const messages = [{ role: 'user' as const, content: 'a' }];
      const ask = () =>
        caller.turn(
          {
            organizationId: 'o',
            siteId: 's',
            taskId: 'bg-1',
            instructions: 'a',
            messages,
            tools: [],
          },
          cancel.signal,
        );
      const end = ask().catch((error: unknown) => error);
      await server.requested(given + 1);
      cancel.abort(reason);
      expect(await end).to.equal(reason);
      await until('the connection closes', () => server.requests()[given]!.aborted, 5_000, 5);
      const late = await ask().catch((error: unknown) => error);
      expect(late).to.equal(reason);
      expect(server.requests()).to.have.length(given + 1, 'nothing is asked for a cancelled task');
    });

    it('is retried if nothing listens', async () => {
      const gone = await startModelServer(() => ({ text: '' }));
      await gone.close();
      const caller = await callerOf(protocol, gone.url(protocol.provider));
      const error = await failure(takeTurn(caller, conversation(SECRET)));
      expect(error.retryable).to.equal(true);
      expect(error.message).to.match(/\(ECONNREFUSED\).* AGENT_BASE_URL\b/);
      expect(shown(error)).to.not.contain('merger');
    });
  });
