import { createHash } from 'node:crypto';
import {
  jsonSchema,
  Output,
  streamText,
  tool,
  type JSONSchema7,
  type LanguageModelUsage,
  type ModelMessage,
  type TextStreamPart,
  type ToolSet,
} from 'ai';
import { defined } from '../../contract/defined.ts';
import type { CallUse, Usage } from '../../contract/task.ts';
import { DomainError } from '../../errors.ts';
import type { Turn } from '../agent.ts';
import type { CallMeter } from '../port.ts';
import type { ToolDefinition } from '../tools.ts';
import {
  broken,
  failureOf,
  isRefused,
  mayRefusePictures,
  nameOf,
  tooLong,
  type Called,
} from './errors.ts';
import { timeouts } from './fetch.ts';
import { parseObject } from './parseObject.ts';
import { pictureTokens, withoutPictures } from './pictureMessages.ts';
import type { Model, Provider } from './models.ts';
import { turnOf, type GivenCall, type TurnContent } from './turn.ts';

/** For whom a call is made. */
interface CallFor {
  organizationId: string;
  siteId: string;
  taskId: string;
}

/** A request for the next turn of a conversation with tools. */
interface TurnRequest extends CallFor {
  instructions: string;
  messages: ModelMessage[];
  tools: ToolDefinition[];
}

/** A request for an object of a JSON schema. */
export interface ObjectRequest extends CallFor {
  instructions: string;
  prompt: string | ModelMessage[];
  schema: JSONSchema7;
}

/** A model's answer: parsed, but not yet checked. `value` is undefined if the text is no JSON. */
interface ObjectAnswer {
  value: unknown;
  text: string;
  usage: Usage;
}

/**
 * Calls one language model. Both functions stream, and retry nothing. They throw DomainError, or
 * the signal's reason.
 */
export interface Caller {
  turn(request: TurnRequest, signal?: AbortSignal): Promise<Turn>;
  object(request: ObjectRequest, signal?: AbortSignal): Promise<ObjectAnswer>;
}

interface CallerOptions {
  /** Keys of providers. Errors must not contain them. */
  secrets?: string[];
  /** Milliseconds, as options of the SDK. */
  timeout?: { firstChunkMs: number; chunkMs: number; totalMs: number };
  /** Default: calls are not counted. */
  meter?: CallMeter;
}

const unmetered: CallMeter = { begin: () => Promise.resolve(() => Promise.resolve()) };
const nothing: Usage = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 };
/** Characters of a request or an answer for one token, about. */
const CHARACTERS_PER_TOKEN = 4;
const tokensOf = (characters: number) => Math.ceil(characters / CHARACTERS_PER_TOKEN);

// The SDK would write warnings to the console, but these may contain customers' texts.
globalThis.AI_SDK_LOG_WARNINGS = false;

/**
 * Makes the caller of a language model. It retries nothing: Temporal repeats steps that failed for
 * now.
 */
export function createCaller(
  model: Model,
  provider: Provider,
  options: CallerOptions = {},
): Caller {
  const defaults = { timeout: timeouts, secrets: [], meter: unmetered };
  const call = { model, provider, ...defaults, ...options };
  return {
    async turn({ tools, ...request }, signal) {
      const offered = tools.map(({ name, description, parameters }) => [
        name,
        tool({ description, inputSchema: jsonSchema(plain(parameters)) }),
      ]);
      const answer = await ask(
        call,
        { ...request, tools: Object.fromEntries(offered) as ToolSet },
        signal,
      );
      const turn = turnOf(
        answer,
        request.messages,
        tools.map(({ name }) => name),
      );
      return { ...turn, ...defined({ isWithoutPictures: answer.isWithoutPictures }) };
    },
    async object({ schema, prompt, ...request }, signal) {
      const messages: ModelMessage[] =
        typeof prompt === 'string' ? [{ role: 'user', content: prompt }] : prompt;
      const { text, usage } = await ask(
        call,
        { ...request, messages, output: asText(schema) },
        signal,
      );
      return { value: parseObject(text), text, usage };
    },
  };
}

/**
 * Requests an object of a schema as plain text. The SDK would otherwise parse the text again at
 * each part of the answer.
 */
const asText = (schema: JSONSchema7) => ({
  ...Output.object({ schema: jsonSchema<string>(plain(schema)) }),
  parseCompleteOutput: ({ text }: { text: string }) => Promise.resolve(text),
  parsePartialOutput: () => Promise.resolve(undefined),
});

/** A schema without `$schema`: not every provider accepts that key. */
const plain = ({ $schema: _, ...schema }: JSONSchema7): JSONSchema7 => schema;

/** A whole answer of a model. */
interface ModelAnswer {
  text: string;
  content: TurnContent;
  calls: GivenCall[];
  usage: Usage;
  isWithoutPictures?: boolean;
}

type Call = Required<CallerOptions> & { model: Model; provider: Provider };
interface Request extends Omit<TurnRequest, 'tools'> {
  tools?: ToolSet;
  output?: ReturnType<typeof asText>;
}

/**
 * Calls the model. No package and no protocol says whether a model takes pictures, so they are sent
 * to every model. If it refuses the request, it is asked once more without them.
 */
async function ask(call: Call, request: Request, signal?: AbortSignal): Promise<ModelAnswer> {
  signal?.throwIfAborted();
  const { organizationId, taskId, instructions, messages, tools } = request;
  const bare = withoutPictures(messages);
  const { length } = JSON.stringify([instructions, bare, tools]);
  const estimatedTokens = tokensOf(length) + pictureTokens(messages);
  const answered = await call.meter.begin({
    organizationId,
    taskId,
    model: `${call.provider}/${call.model.modelId}`,
    estimatedTokens,
  });
  // a slow database may have held the call until the task was cancelled
  if (signal?.aborted) await answered(nothing);
  signal?.throwIfAborted();
  try {
    return await stream(call, request, { answered, estimatedTokens, signal });
  } catch (error) {
    if (isRefused(error)) await answered(nothing);
    if (signal?.aborted) throw signal.reason;
    if (bare.length < messages.length && mayRefusePictures(error))
      return {
        ...(await ask(call, { ...request, messages: bare }, signal)),
        isWithoutPictures: true,
      };
    throw failureOf(error, { ...calledOf(call), texts: textsOf(bare) });
  }
}

/**
 * The key by which a provider finds the calls that begin alike. It is the same for all tasks of a
 * site, and never for two organizations.
 */
const cacheKeyOf = (organizationId: string, siteId: string) =>
  createHash('sha256')
    .update(JSON.stringify([organizationId, siteId]))
    .digest('hex')
    .slice(0, 32);

interface Answering {
  /** Counts what the call used. */
  answered: (used: CallUse) => Promise<void>;
  /** Of the request. */
  estimatedTokens: number;
  signal: AbortSignal | undefined;
}

async function stream(
  call: Call,
  { organizationId, siteId, taskId: _, tools, output, ...request }: Request,
  { answered, estimatedTokens, signal }: Answering,
) {
  const result = streamText({
    model: call.model,
    ...request,
    timeout: call.timeout,
    maxRetries: 0,
    ...(signal && { abortSignal: signal }),
    // Newer models refuse a forced tool call.
    ...(tools && { tools, toolChoice: 'auto' as const }),
    ...(output && { output }),
    providerOptions: {
      anthropic: { cacheControl: { type: 'ephemeral' }, toolStreaming: false },
      openai: { store: false, promptCacheKey: cacheKeyOf(organizationId, siteId) },
    },
    // Errors arrive in the stream. By default, the SDK would also write them to the console, with
    // the whole prompt.
    onError: () => undefined,
  });
  const calls: GivenCall[] = [];
  let end: { finishReason: string; usage: LanguageModelUsage } | undefined;
  let characters = 0;
  for await (const part of result.stream) {
    if (part.type === 'error') throw part.error;
    if (part.type === 'abort') throw new DOMException('No answer in time', 'TimeoutError');
    if (part.type === 'tool-call') calls.push(part);
    characters += lengthOf(part);
    if (part.type === 'finish-step') end = part;
  }
  // the provider bills every answer, also one that is refused below
  const used = end && useOf(end.usage, [estimatedTokens, tokensOf(characters)]);
  if (used) await answered(used);
  refuse(call, end?.finishReason);
  const messages = await result.responseMessages;
  const { content = [] } = messages.find(({ role }) => role === 'assistant') ?? {};
  const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content;
  const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
  if (text.trim() === '' && calls.length === 0)
    throw later(`${nameOf(calledOf(call))} answered nothing`);
  return { text, content: parts as never, calls, usage: usageOf(used ?? nothing) };
}

/** Refuses incomplete answers: a stream that was cut off can end without an error. */
function refuse(call: Call, reason: string | undefined) {
  if (reason === 'stop' || reason === 'tool-calls') return;
  const name = nameOf(calledOf(call));
  if (reason === 'content-filter')
    throw new DomainError(
      'MODEL_FAILED',
      `${name} refused to answer: its provider's rules forbid the task or a text of it`,
    );
  if (reason === 'length')
    throw new DomainError(
      'MODEL_FAILED',
      `${name} ended its answer at its limit of tokens. ${tooLong(name)}`,
    );
  throw later(broken(name));
}

const later = (says: string) => new DomainError('MODEL_FAILED', says, { retryable: true });

const calledOf = ({ provider, model, secrets }: Call): Called => ({
  provider,
  model: model.modelId,
  secrets,
  texts: [],
});

/** The tokens alone, as a task's steps record them. */
const usageOf = ({ inputTokens, cachedInputTokens, outputTokens }: CallUse): Usage => ({
  inputTokens,
  cachedInputTokens,
  outputTokens,
});

/** Characters that a part of an answer adds to it. */
function lengthOf(part: TextStreamPart<ToolSet>): number {
  if (part.type === 'text-delta' || part.type === 'reasoning-delta') return part.text.length;
  return part.type === 'tool-call' ? JSON.stringify(part.input ?? null).length : 0;
}

/**
 * What a call used, as its provider reports it. Some servers report nothing, or zeros: these are
 * estimated.
 * @param estimates tokens of the request and of its answer
 */
function useOf(reported: LanguageModelUsage, [input, output]: [number, number]): CallUse {
  const { inputTokens = 0, outputTokens = 0, inputTokenDetails } = reported;
  const isWhole = inputTokens !== 0 && (outputTokens !== 0 || output === 0);
  return {
    inputTokens: inputTokens || input,
    cachedInputTokens: inputTokenDetails.cacheReadTokens ?? 0,
    outputTokens: outputTokens || output,
    ...(!isWhole && { isEstimated: true }),
  };
}

/** All texts in messages, at any depth. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}
