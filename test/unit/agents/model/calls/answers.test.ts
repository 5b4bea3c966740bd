import { expect } from 'chai';
import { invalidCalls } from '../../../../../src/agents/model/prompt/readModelTurn.ts';
import { DomainError } from '../../../../../src/errors.ts';
import type { ModelProvider } from '../../../../../src/agents/model/calls/providerModels.ts';
import {
  type ModelServer,
  type Raw,
  type Reply,
  startModelServer,
} from '../../../../helpers/modelServer.ts';
import { callerOf, conversation, failure, protocols, shown, takeTurn } from './callers.ts';

/** A stream of events, as all four protocols have them. */
const stream = (...events: object[]): Raw => ({
  status: 200,
  headers: { 'content-type': 'text/event-stream' },
  body: events
    .map(
      (event) =>
        `${'type' in event ? `event: ${String(event.type)}\n` : ''}data: ${JSON.stringify(event)}\n\n`,
    )
    .join(''),
});

const call = { name: 'read_page', arguments: { slug: '/' } };

/**
 * What providers send that the mock does not: tokens from a cache, signatures of their own, broken
 * arguments.
 */
const anthropic = (json: string) =>
  stream(
    {
      type: 'message_start',
      message: {
        id: 'm',
        type: 'message',
        role: 'assistant',
        content: [],
        model: 'c',
        stop_reason: null,
        usage: {
          input_tokens: 10,
          cache_read_input_tokens: 900,
          cache_creation_input_tokens: 90,
          output_tokens: 1,
        },
      },
    },
    {
      type: 'content_block_start',
      index: 0,
      content_block: { type: 'redacted_thinking', data: 'T1BBUVVF' },
    },
    { type: 'content_block_stop', index: 0 },
    {
      type: 'content_block_start',
      index: 1,
      content_block: { type: 'tool_use', id: 't', name: call.name, input: {} },
    },
    {
      type: 'content_block_delta',
      index: 1,
      delta: { type: 'input_json_delta', partial_json: json },
    },
    { type: 'content_block_stop', index: 1 },
    {
      type: 'message_delta',
      delta: { stop_reason: 'tool_use', stop_sequence: null },
      usage: { output_tokens: 25 },
    },
    { type: 'message_stop' },
  );
const openai = (json: string) => {
  const item = {
    type: 'function_call',
    id: 'fc_1',
    call_id: 't',
    name: call.name,
    arguments: json,
    status: 'completed',
  };
  const reasoning = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'T1BBUVVF' };
  const response = { id: 'r', object: 'response', created_at: 1, model: 'gpt-5' };
  const usage = {
    input_tokens: 1000,
    input_tokens_details: { cached_tokens: 900 },
    output_tokens: 25,
    output_tokens_details: { reasoning_tokens: 5 },
    total_tokens: 1025,
  };
  return stream(
    { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
    {
      type: 'response.output_item.added',
      output_index: 0,
      item: { ...reasoning, encrypted_content: null },
    },
    { type: 'response.output_item.done', output_index: 0, item: reasoning },
    {
      type: 'response.output_item.added',
      output_index: 1,
      item: { ...item, arguments: '', status: 'in_progress' },
    },
    {
      type: 'response.function_call_arguments.delta',
      item_id: 'fc_1',
      output_index: 1,
      delta: json,
    },
    { type: 'response.output_item.done', output_index: 1, item },
    {
      type: 'response.completed',
      response: { ...response, status: 'completed', output: [reasoning, item], usage },
    },
  );
};
const google = () =>
  stream({
    candidates: [
      {
        content: {
          role: 'model',
          parts: [
            {
              functionCall: { name: call.name, args: call.arguments },
              thoughtSignature: 'T1BBUVVF',
            },
          ],
        },
        finishReason: 'STOP',
        index: 0,
      },
    ],
    usageMetadata: {
      promptTokenCount: 1000,
      cachedContentTokenCount: 900,
      candidatesTokenCount: 20,
      thoughtsTokenCount: 5,
      totalTokenCount: 1025,
    },
  });
const compatible = (json: string) =>
  stream(
    {
      id: 'x',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'q',
      choices: [
        {
          index: 0,
          delta: {
            role: 'assistant',
            reasoning_content: 'T1BBUVVF',
            tool_calls: [
              {
                index: 0,
                id: 't',
                type: 'function',
                function: { name: call.name, arguments: json },
              },
            ],
          },
          finish_reason: null,
        },
      ],
    },
    {
      id: 'x',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'q',
      choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }],
    },
    {
      id: 'x',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'q',
      choices: [],
      usage: {
        prompt_tokens: 1000,
        prompt_tokens_details: { cached_tokens: 900 },
        completion_tokens: 25,
        total_tokens: 1025,
      },
    },
  );
const answers: Record<ModelProvider, (json: string) => Raw> = {
  anthropic,
  openai,
  google,
  'openai-compatible': compatible,
};

/** A stream that begins well and then says that it failed. */
const failed = (message: string): Record<ModelProvider, [busy: Raw, tooLong: Raw]> => ({
  anthropic: [
    stream({ type: 'error', error: { type: 'overloaded_error', message } }),
    stream({
      type: 'error',
      error: { type: 'invalid_request_error', message: `prompt is too long ${message}` },
    }),
  ],
  openai: [
    stream({
      type: 'response.failed',
      sequence_number: 1,
      response: { error: { code: 'server_error', message } },
    }),
    stream({
      type: 'error',
      sequence_number: 1,
      error: {
        type: 'invalid_request_error',
        code: 'context_length_exceeded',
        message,
        param: 'input',
      },
    }),
  ],
  google: [
    stream({ error: { code: 503, status: 'UNAVAILABLE', message } }),
    stream({
      error: {
        code: 400,
        status: 'INVALID_ARGUMENT',
        message: `The input token count exceeds it ${message}`,
      },
    }),
  ],
  'openai-compatible': [
    stream({ error: { message, type: 'server_error', code: 500 } }),
    stream({
      error: {
        message: `the maximum context length ${message}`,
        type: 'BadRequestError',
        code: 400,
      },
    }),
  ],
});

const broken = {
  'end too early': '{"slug": "/',
  'are a list': '["/"]',
  'are null': 'null',
  'would change a prototype': '{"__proto__": {"a": 1}}',
};

const PARTS = 16;
const PROMPT = 'PromptOnlyWords about the merger';

for (const protocol of protocols)
  describe(`An answer of ${protocol.provider}`, () => {
    const { provider } = protocol;
    let server: ModelServer;
    let reply: Reply;
    before(async () => (server = await startModelServer(() => reply)));
    after(() => server.close());
    const caller = () => callerOf(protocol, server.url(provider));

    it('reports the cached tokens, and counts reasoning as written', async () => {
      reply = answers[provider](JSON.stringify(call.arguments));
      const { usage, toolCalls } = await takeTurn(await caller(), conversation());
      expect(
        toolCalls.map(({ name, arguments: args }) => ({ name, arguments: args })),
      ).to.deep.equal([call]);
      expect(usage).to.deep.equal({ inputTokens: 1000, cachedInputTokens: 900, outputTokens: 25 });
    });

    it('has opaque parts that are sent back unchanged', async () => {
      reply = answers[provider](JSON.stringify(call.arguments));
      const task = conversation();
      const turn = await takeTurn(await caller(), task);
      expect(JSON.stringify(turn.opaque)).to.contain('T1BBUVVF');
      await takeTurn(await caller(), task);
      expect(server.requests().at(-1)!.body).to.contain('T1BBUVVF');
    });

    // Gemini's arguments are JSON already.
    for (const [title, json] of provider === 'google' ? [] : Object.entries(broken))
      it(`with arguments that ${title} is a turn that the model can fix`, async () => {
        reply = answers[provider](json);
        const { toolCalls } = await takeTurn(await caller(), conversation());
        expect(toolCalls).to.have.length(1);
        expect(toolCalls[0]).to.deep.include({ name: 'read_page', arguments: {} });
        expect(toolCalls[0]!.invalid).to.equal(invalidCalls.noObject());
      });

    it('that ends too early is never treated as complete', async () => {
      const whole = {
        text: 'I read both pages first.',
        calls: [
          { ...call, id: 'a' },
          { ...call, id: 'b' },
        ],
      };
      reply = whole;
      const { text, toolCalls } = await takeTurn(await caller(), conversation());
      const { answered } = server.requests().at(-1)!;
      let failures = 0;
      for (let part = 0; part < PARTS; part++) {
        reply = { ...whole, endAfter: Math.floor((answered * part) / PARTS) };
        const turn = await takeTurn(await caller(), conversation()).catch(
          (error: unknown) => error as DomainError,
        );
        if (turn instanceof DomainError) failures += 1;
        if (turn instanceof DomainError)
          expect(turn).to.include({ code: 'MODEL_FAILED', retryable: true });
        else expect(turn).to.deep.include({ text, toolCalls });
      }
      expect(failures).to.be.greaterThan(PARTS / 2);
    });

    it('that fails midway is retried', async () => {
      reply = failed(`Sorry ${PROMPT}`)[provider][0];
      const error = await failure(takeTurn(await caller(), conversation(PROMPT)));
      expect(error.retryable, error.message).to.equal(true);
      expect(shown(error)).to.not.contain('merger');
    });

    it('that reports midway that the task is too long is final', async () => {
      reply = failed('here')[provider][1];
      const error = await failure(takeTurn(await caller(), conversation(PROMPT)));
      expect(error.message).to.match(/\bcontext\b.*\bsmaller tasks\b/);
      expect(error.retryable).to.equal(false);
    });
  });
