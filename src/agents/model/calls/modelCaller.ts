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
import { withoutUndefined } from '../../../contract/withoutUndefined.ts';
import type { ModelCallUsage, TokenUsage } from '../../../contract/task.ts';
import { noTraces, type SpanAttributes, type Traces } from '../../../contract/traces.ts';
import { DomainError } from '../../../errors.ts';
import type { ModelTurn } from '../../shared/agentTypes.ts';
import type { CallMeter } from '../../agentPorts.ts';
import type { ToolDefinition } from '../tools/modelTools.ts';
import {
  brokenAnswerMessage,
  createModelError,
  isRefusedCall,
  mayRefusePictures,
  describeModel,
  taskTooLongMessage,
  type CalledModel,
} from './modelErrors.ts';
import { modelTimeouts } from './providerFetch.ts';
import { parseModelJson } from './parseModelJson.ts';
import { countPictureTokens, withoutPictures } from '../prompt/pictureMessages.ts';
import type { ProviderModel, ModelProvider } from './providerModels.ts';
import { readModelTurn, type ProviderToolCall, type TurnContent } from '../prompt/readModelTurn.ts';

/**
 * Calls a language model through the AI SDK.
 *
 * - `providerModels.ts` makes the SDK's model objects, and `providerFetch.ts` their only `fetch`.
 * - `modelCaller.ts` makes one call: it counts the call, streams the answer, and refuses answers
 *   that are not complete. `parseModelJson.ts` parses JSON in an answer.
 * - `modelErrors.ts` and `cleanProviderMessage.ts` convert errors, which may quote customers'
 *   texts.
 * - `fairModelCalls.ts` limits how many calls run at the same time. `probeModelUrl.ts` checks
 *   whether a model's API can be reached.
 *
 * There are two kinds of calls. `turn` lets the model call tools, and its answer is like
 * `{ text: '', toolCalls: [{ id: 'call_1', name: 'read_page', arguments: … }], usage }`. `object`
 * asks for JSON of a schema, and its answer is like
 * `{ value: { texts: [] }, text: '{"texts":[]}', usage }`.
 */

/** For whom a call is made. */
interface ModelCallOwner {
  organizationId: string;
  siteId: string;
  taskId: string;
}

/** A request for the next turn of a conversation with tools. */
interface TurnRequest extends ModelCallOwner {
  instructions: string;
  messages: ModelMessage[];
  tools: ToolDefinition[];
}

/** A request for an object of a JSON schema. */
export interface ObjectRequest extends ModelCallOwner {
  instructions: string;
  prompt: string | ModelMessage[];
  schema: JSONSchema7;
}

/** A model's answer: parsed, but not yet checked. `value` is undefined if the text is not JSON. */
interface ObjectAnswer {
  value: unknown;
  text: string;
  usage: TokenUsage;
}

/**
 * Calls one language model. Both functions stream the answer and retry nothing. They throw a
 * DomainError (MODEL_FAILED, or an error of the meter) or the signal's reason.
 */
export interface ModelCaller {
  turn(request: TurnRequest, signal?: AbortSignal): Promise<ModelTurn>;
  object(request: ObjectRequest, signal?: AbortSignal): Promise<ObjectAnswer>;
}

interface ModelCallerOptions {
  /** Keys of providers. Errors must not contain them. */
  secrets?: string[];
  /** Milliseconds, as options of the SDK. */
  timeout?: { firstChunkMs: number; chunkMs: number; totalMs: number };
  /** Default: calls are not counted. */
  meter?: CallMeter;
  /** Default: no traces. */
  traces?: Traces;
}

const noMeter: CallMeter = { begin: () => Promise.resolve(() => Promise.resolve()) };
const noUsage: TokenUsage = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 };
/** Characters of a request or an answer for one token, about. */
const CHARACTERS_PER_TOKEN = 4;
const tokensForCharacters = (characters: number) => Math.ceil(characters / CHARACTERS_PER_TOKEN);

// The SDK would write warnings to the console, but these may contain customers' texts.
globalThis.AI_SDK_LOG_WARNINGS = false;

/**
 * Makes the caller of a language model. It retries nothing: Temporal repeats an activity whose call
 * failed for the moment.
 */
export function createModelCaller(
  model: ProviderModel,
  provider: ModelProvider,
  options: ModelCallerOptions = {},
): ModelCaller {
  const defaults = { timeout: modelTimeouts, secrets: [], meter: noMeter, traces: noTraces };
  const call = { model, provider, ...defaults, ...options };
  return {
    async turn({ tools, ...request }, signal) {
      const toolEntries = tools.map(({ name, description, parameters }) => [
        name,
        tool({ description, inputSchema: jsonSchema(omitSchemaKey(parameters)) }),
      ]);
      const answer = await askModel(
        call,
        { ...request, tools: Object.fromEntries(toolEntries) as ToolSet },
        signal,
      );
      const turn = readModelTurn(
        answer,
        request.messages,
        tools.map(({ name }) => name),
      );
      return { ...turn, ...withoutUndefined({ isWithoutPictures: answer.isWithoutPictures }) };
    },
    async object({ schema, prompt, ...request }, signal) {
      const messages: ModelMessage[] =
        typeof prompt === 'string' ? [{ role: 'user', content: prompt }] : prompt;
      const { text, usage } = await askModel(
        call,
        { ...request, messages, output: createTextOutput(schema) },
        signal,
      );
      return { value: parseModelJson(text), text, usage };
    },
  };
}

/**
 * Requests an object of a schema as plain text. The SDK would otherwise parse the text again at
 * each part of the answer.
 */
const createTextOutput = (schema: JSONSchema7) => ({
  ...Output.object({ schema: jsonSchema<string>(omitSchemaKey(schema)) }),
  parseCompleteOutput: ({ text }: { text: string }) => Promise.resolve(text),
  parsePartialOutput: () => Promise.resolve(undefined),
});

/** A schema without `$schema`: not every provider accepts that key. */
const omitSchemaKey = ({ $schema: _, ...schema }: JSONSchema7): JSONSchema7 => schema;

/** A whole answer of a model. */
interface ModelAnswer {
  text: string;
  content: TurnContent;
  calls: ProviderToolCall[];
  usage: TokenUsage;
  isWithoutPictures?: boolean;
}

type ModelCall = Required<ModelCallerOptions> & { model: ProviderModel; provider: ModelProvider };
interface StreamRequest extends Omit<TurnRequest, 'tools'> {
  tools?: ToolSet;
  output?: ReturnType<typeof createTextOutput>;
}

/**
 * Calls the model. No package and no protocol says whether a model accepts pictures, so they are
 * sent to every model. If the model refuses the request, it is asked once more without pictures.
 */
async function askModel(
  call: ModelCall,
  request: StreamRequest,
  signal?: AbortSignal,
): Promise<ModelAnswer> {
  signal?.throwIfAborted();
  const { organizationId, taskId, instructions, messages, tools } = request;
  const textMessages = withoutPictures(messages);
  const { length } = JSON.stringify([instructions, textMessages, tools]);
  const estimatedTokens = tokensForCharacters(length) + countPictureTokens(messages);
  const recordUse = await call.meter.begin({
    organizationId,
    taskId,
    model: `${call.provider}/${call.model.modelId}`,
    estimatedTokens,
  });
  // a slow database may have held the call until the task was cancelled
  if (signal?.aborted) await recordUse(noUsage);
  signal?.throwIfAborted();
  try {
    return await call.traces.inSpan('model call', { attributes: spanAttributes(call) }, () =>
      streamAnswer(call, request, { answered: recordUse, estimatedTokens, signal }),
    );
  } catch (error) {
    if (isRefusedCall(error)) await recordUse(noUsage);
    if (signal?.aborted) throw signal.reason;
    if (textMessages.length < messages.length && mayRefusePictures(error))
      return {
        ...(await askModel(call, { ...request, messages: textMessages }, signal)),
        isWithoutPictures: true,
      };
    throw createModelError(error, {
      ...describeCalledModel(call),
      texts: collectTexts(textMessages),
    });
  }
}

const spanAttributes = ({ provider, model }: ModelCall): SpanAttributes => ({
  'gen_ai.request.model': `${provider}/${model.modelId}`,
});

/**
 * The key by which a provider finds the calls that begin alike. It is the same for all tasks of a
 * site, and never for two organizations.
 */
const createSiteCacheKey = (organizationId: string, siteId: string) =>
  createHash('sha256')
    .update(JSON.stringify([organizationId, siteId]))
    .digest('hex')
    .slice(0, 32);

interface CallAccounting {
  /** Replaces the estimate of the meter by what the call used. */
  answered: (usage: ModelCallUsage) => Promise<void>;
  /** The estimated tokens of the request. */
  estimatedTokens: number;
  signal: AbortSignal | undefined;
}

async function streamAnswer(
  call: ModelCall,
  { organizationId, siteId, taskId: _, tools, output, ...request }: StreamRequest,
  { answered, estimatedTokens, signal }: CallAccounting,
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
      openai: { store: false, promptCacheKey: createSiteCacheKey(organizationId, siteId) },
    },
    // Errors arrive in the stream. By default, the SDK would also write them to the console, with
    // the whole prompt.
    onError: () => undefined,
  });
  const toolCalls: ProviderToolCall[] = [];
  let finish: { finishReason: string; usage: LanguageModelUsage } | undefined;
  let characters = 0;
  for await (const part of result.stream) {
    if (part.type === 'error') throw part.error;
    if (part.type === 'abort') throw new DOMException('No answer in time', 'TimeoutError');
    if (part.type === 'tool-call') toolCalls.push(part);
    characters += countAddedCharacters(part);
    if (part.type === 'finish-step') finish = part;
  }
  // the provider bills every answer, also one that is refused below
  const callUse =
    finish && readCallUse(finish.usage, [estimatedTokens, tokensForCharacters(characters)]);
  if (callUse) {
    call.traces.annotate({
      'gen_ai.usage.input_tokens': callUse.inputTokens,
      'gen_ai.usage.cached_tokens': callUse.cachedInputTokens,
      'gen_ai.usage.output_tokens': callUse.outputTokens,
    });
    await answered(callUse);
  }
  refuseIncompleteAnswer(call, finish?.finishReason);
  const messages = await result.responseMessages;
  const { content = [] } = messages.find(({ role }) => role === 'assistant') ?? {};
  const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content;
  const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
  if (text.trim() === '' && toolCalls.length === 0)
    throw retryableModelError(`${describeModel(describeCalledModel(call))} sent an empty answer`);
  return {
    text,
    content: parts as never,
    calls: toolCalls,
    usage: pickTokenUsage(callUse ?? noUsage),
  };
}

/** Refuses incomplete answers: a stream that was cut off can end without an error. */
function refuseIncompleteAnswer(call: ModelCall, finishReason: string | undefined) {
  if (finishReason === 'stop' || finishReason === 'tool-calls') return;
  const modelName = describeModel(describeCalledModel(call));
  if (finishReason === 'content-filter')
    throw new DomainError(
      'MODEL_FAILED',
      `${modelName} refused to answer, because the rules of its provider forbid the task or one of its texts`,
    );
  if (finishReason === 'length')
    throw new DomainError(
      'MODEL_FAILED',
      `${modelName} stopped its answer at its token limit. ${taskTooLongMessage(modelName)}`,
    );
  throw retryableModelError(brokenAnswerMessage(modelName));
}

const retryableModelError = (message: string) =>
  new DomainError('MODEL_FAILED', message, { retryable: true });

const describeCalledModel = ({ provider, model, secrets }: ModelCall): CalledModel => ({
  provider,
  model: model.modelId,
  secrets,
  texts: [],
});

/** The token counts alone, as a task's history records them. */
const pickTokenUsage = ({
  inputTokens,
  cachedInputTokens,
  outputTokens,
}: ModelCallUsage): TokenUsage => ({
  inputTokens,
  cachedInputTokens,
  outputTokens,
});

/** How many characters a streamed part adds to the answer. */
function countAddedCharacters(part: TextStreamPart<ToolSet>): number {
  if (part.type === 'text-delta' || part.type === 'reasoning-delta') return part.text.length;
  return part.type === 'tool-call' ? JSON.stringify(part.input ?? null).length : 0;
}

/**
 * What a call used, as its provider reports it. Some servers report nothing, or zeros: these are
 * estimated.
 * @param estimates tokens of the request and of its answer
 */
function readCallUse(
  reported: LanguageModelUsage,
  [estimatedInput, estimatedOutput]: [number, number],
): ModelCallUsage {
  const { inputTokens = 0, outputTokens = 0, inputTokenDetails } = reported;
  const isFullyReported = inputTokens !== 0 && (outputTokens !== 0 || estimatedOutput === 0);
  return {
    inputTokens: inputTokens || estimatedInput,
    cachedInputTokens: inputTokenDetails.cacheReadTokens ?? 0,
    outputTokens: outputTokens || estimatedOutput,
    ...(!isFullyReported && { isEstimated: true }),
  };
}

/** All texts in messages, at any depth. Errors must not quote them. */
function collectTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null
    ? Object.values(value).flatMap(collectTexts)
    : [];
}
