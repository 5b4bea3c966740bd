import { type ChatCompletionRequest, type FixtureResponse, LLMock } from '@copilotkit/aimock';
import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ModelProvider } from '../../src/agents/model/calls/providerModels.ts';
import { until } from './until.ts';

/** What a scripted model is asked: the same for all protocols. */
export interface ModelRequest {
  /** Counts from 0, for all providers together. */
  number: number;
  provider: ModelProvider;
  model: string;
  /**
   * System instructions, prompts, calls and results, in OpenAI Chat's shape whatever the protocol
   * was.
   */
  messages: {
    role: string;
    content: string;
    toolCallId?: string;
    toolCalls: { id: string; name: string; arguments: string }[];
  }[];
  /** Names of the tools that the model was offered. */
  tools: string[];
  /** The request's body as it came. */
  body: string;
}

/**
 * What a model answers, in the provider's own protocol. `usage` is OpenAI's, and cached tokens are
 * among its prompt's.
 */
export interface Answer {
  text?: string;
  calls?: { name: string; arguments: Record<string, unknown> | string; id?: string }[];
  reasoning?: string;
  /** Anthropic's signature of the reasoning. */
  signature?: string;
  usage?: { prompt_tokens: number; completion_tokens: number; cached_tokens?: number };
  /** In OpenAI's words: `stop`, `tool_calls`, `length`, `content_filter`. */
  finishReason?: string;
  /** Sends so many bytes of the answer, and closes the connection. */
  cutAfter?: number;
  /** Sends so many bytes of the answer, and ends it as if it were whole. */
  endAfter?: number;
  /** Sends so many bytes of the answer, and nothing more. */
  hangAfter?: number;
}
/** What a server answers instead of a model: a status with its body, as it stands. */
export interface Raw {
  status: number;
  body?: string | object;
  headers?: Record<string, string>;
}
/** `hang`: the request is taken, and nothing ever comes. */
export type Reply = Answer | Raw | 'hang';
export type Script = (asked: ModelRequest) => Reply | Promise<Reply>;

export interface RecordedCall {
  provider: ModelProvider;
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  /**
   * Bytes that this body has in common, from its start, with an earlier one: what a provider's
   * cache could give.
   */
  shared: number;
  /** Bytes of the whole answer, where it is a scripted model's. */
  answered: number;
  /** Whether the client closed the connection before the answer was whole. */
  aborted: boolean;
}

export interface ModelServer {
  /** The base URL for a provider: the value of AGENT_BASE_URL. */
  url(provider: ModelProvider): string;
  /** Where the proxy gets its answers. */
  inner: string;
  /** All requests so far, in the order in which they came. */
  requests(): RecordedCall[];
  /** Waits for so many requests, or so many that the client gave up. */
  requested(count: number, ms?: number): Promise<RecordedCall[]>;
  aborted(count: number, ms?: number): Promise<RecordedCall[]>;
  close(): Promise<void>;
}

const paths: Record<ModelProvider, string> = {
  anthropic: '/v1',
  openai: '/v1',
  google: '/v1beta',
  'openai-compatible': '/v1',
};

/**
 * A scripted model on 127.0.0.1 that speaks the protocols of all four providers, behind a proxy
 * that records.
 */
export async function startModelServer(script: Script): Promise<ModelServer> {
  const requests: RecordedCall[] = [];
  const replies = new Map<string, Reply>();
  const mock = new LLMock({ host: '127.0.0.1', port: 0 });
  // The mock writes an answer in the protocol of the request; what is no answer, the proxy plays
  // itself.
  mock.on({ predicate: () => true }, async (asked) => {
    const number = String(asked._context);
    const reply = await script(askedOf(requests, Number(number), asked));
    replies.set(number, reply);
    return fixtureOf(reply);
  });
  await mock.start();
  const server = createServer(
    (request, response) => void proxy(request, response, { mock, requests, replies }),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const waitFor = (what: string, count: number, found: () => RecordedCall[], ms = 30_000) =>
    until(`${count} ${what}`, () => found().length >= count && found(), ms, 10);
  return {
    url: (provider) => `http://127.0.0.1:${port}${paths[provider]}`,
    inner: mock.url,
    requests: () => [...requests],
    requested: (count, ms) => waitFor('requests to the model', count, () => requests, ms),
    aborted: (count, ms) =>
      waitFor(
        'requests that were given up',
        count,
        () => requests.filter(({ aborted }) => aborted),
        ms,
      ),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await mock.stop();
    },
  };
}

interface Parts {
  mock: LLMock;
  requests: RecordedCall[];
  replies: Map<string, Reply>;
}

async function proxy(
  request: IncomingMessage,
  response: ServerResponse,
  { mock, requests, replies }: Parts,
) {
  const { method = '', url = '', headers } = request;
  // Google's protocol under the address of the others, as a gateway has it.
  const path = url.replace(/^\/v1\/(?=models\/[^/]+:\w+GenerateContent)/, '/v1beta/');
  const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString();
  const number = String(requests.length);
  const shared = Math.max(0, ...requests.map((earlier) => sharedBytes(earlier.body, body)));
  const recorded: RecordedCall = {
    provider: providerOf(path),
    method,
    path,
    headers,
    body,
    shared,
    answered: 0,
    aborted: false,
  };
  requests.push(recorded);
  let cut = false;
  response.on('close', () => (recorded.aborted = !cut && !response.writableEnded));
  const answer = await fetch(mock.url + path, {
    method,
    headers: { 'content-type': 'application/json', 'x-aimock-context': number },
    ...(body !== '' && { body }),
  });
  const reply = replies.get(number);
  if (reply === 'hang') return;
  if (reply && 'status' in reply)
    return void response.writeHead(reply.status, reply.headers).end(textOf(reply.body));
  const { cutAfter, endAfter, hangAfter, finishReason, usage } = reply ?? {};
  const said = asProvidersSay(await answer.text(), finishReason);
  const bytes = Buffer.from(withCached(said, recorded.provider, usage));
  recorded.answered = bytes.length;
  response.writeHead(answer.status, {
    'content-type': answer.headers.get('content-type') ?? 'application/json',
  });
  if (cutAfter === undefined && hangAfter === undefined)
    return void response.end(bytes.subarray(0, endAfter));
  response.write(bytes.subarray(0, cutAfter ?? hangAfter), () => {
    cut = cutAfter !== undefined;
    if (cut) response.destroy();
  });
}

function providerOf(path: string): ModelProvider {
  if (path.startsWith('/v1/messages')) return 'anthropic';
  if (path.startsWith('/v1/responses')) return 'openai';
  return path.startsWith('/v1beta') ? 'google' : 'openai-compatible';
}

/** What the mock does not say as the providers do: how an answer ended. */
function asProvidersSay(text: string, finishReason?: string): string {
  const reason = finishReason === 'length' ? 'max_output_tokens' : 'content_filter';
  const incomplete = `"status":"incomplete","incomplete_details":{"reason":"${reason}"}`;
  const said = text
    .replaceAll('"finishReason":"FUNCTION_CALL"', '"finishReason":"STOP"')
    .replaceAll('"stop_reason":"content_filter"', '"stop_reason":"refusal"');
  const at = said.search(/event: response\.(?:completed|incomplete)/);
  if (at === -1 || !['length', 'content_filter'].includes(finishReason ?? '')) return said;
  const last = said.slice(at).replaceAll('response.completed', 'response.incomplete');
  return said.slice(0, at) + last.replace(/"status":"\w+"/, incomplete);
}

/** The mock counts no cached tokens. Only Anthropic's other tokens are without them. */
function withCached(text: string, provider: ModelProvider, usage: Answer['usage']): string {
  if (!usage?.cached_tokens) return text;
  const { prompt_tokens: all, cached_tokens: cached } = usage;
  const [name, count, words] = {
    anthropic: ['input_tokens', all - cached, `"cache_read_input_tokens":${cached}`],
    openai: ['input_tokens', all, `"input_tokens_details":{"cached_tokens":${cached}}`],
    google: ['promptTokenCount', all, `"cachedContentTokenCount":${cached}`],
    'openai-compatible': [
      'prompt_tokens',
      all,
      `"prompt_tokens_details":{"cached_tokens":${cached}}`,
    ],
  }[provider];
  return text.replaceAll(`"${name}":${all},`, `"${name}":${count},${words},`);
}

function sharedBytes(a: string, b: string): number {
  const [one, other] = [Buffer.from(a), Buffer.from(b)];
  const end = one.findIndex((byte, i) => byte !== other[i]);
  return end === -1 ? one.length : end;
}

const textOf = (body: string | object = '') =>
  typeof body === 'string' ? body : JSON.stringify(body);

function askedOf(
  requests: RecordedCall[],
  number: number,
  { model, messages, tools = [] }: ChatCompletionRequest,
): ModelRequest {
  const { provider, body } = requests[number]!;
  return {
    number,
    provider,
    model,
    messages: messages.map(
      ({ role, content, tool_call_id: toolCallId, tool_calls: calls = [] }) => ({
        role,
        content:
          typeof content === 'string'
            ? content
            : (content ?? []).map(({ text = '' }) => text).join(''),
        ...(toolCallId !== undefined && { toolCallId }),
        toolCalls: calls.map(({ id, function: { name, arguments: args } }) => ({
          id,
          name,
          arguments: args,
        })),
      }),
    ),
    tools: tools.map((tool) => tool.function.name),
    body,
  };
}

function fixtureOf(reply: Reply) {
  if (reply === 'hang' || 'status' in reply) return { content: 'The proxy answers' };
  const { text, calls, reasoning, signature, usage, finishReason } = reply;
  return {
    ...(text !== undefined || !calls ? { content: text ?? '' } : {}),
    ...(calls && { toolCalls: calls.map(toolCall) }),
    ...(reasoning !== undefined && { reasoning }),
    ...(signature !== undefined && { reasoningSignature: signature }),
    ...(usage && {
      usage: { prompt_tokens: usage.prompt_tokens, completion_tokens: usage.completion_tokens },
    }),
    ...(finishReason !== undefined && { finishReason }),
  } as FixtureResponse;
}

const toolCall = ({ id, name, arguments: args }: NonNullable<Answer['calls']>[number]) => ({
  name,
  arguments: typeof args === 'string' ? args : JSON.stringify(args),
  ...(id !== undefined && { id }),
});
