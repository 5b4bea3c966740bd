import type { LanguageModel } from 'ai';
import { defined } from '../../contract/defined.ts';
import { DomainError, invalidInput } from '../../errors.ts';
import { createFetch } from './fetch.ts';

export const providers = ['anthropic', 'openai', 'google', 'openai-compatible'] as const;
export type Provider = (typeof providers)[number];

/**
 * A model object of a provider's package. A name alone is excluded: the SDK would send it to a
 * gateway.
 */
export type Model = Exclude<LanguageModel, string>;

/** The providers' keys, and the address that replaces a provider's own. */
export interface ModelSettings {
  keys: { anthropic?: string; openai?: string; google?: string; compatible?: string };
  baseUrl?: string;
}

/** Each provider's address, and the name of the setting with its key. */
export const known = {
  anthropic: { baseUrl: 'https://api.anthropic.com/v1', setting: 'ANTHROPIC_API_KEY' },
  openai: { baseUrl: 'https://api.openai.com/v1', setting: 'OPENAI_API_KEY' },
  google: {
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    setting: 'GOOGLE_GENERATIVE_AI_API_KEY',
  },
  'openai-compatible': { baseUrl: undefined, setting: 'AGENT_API_KEY' },
} as const satisfies Record<Provider, { baseUrl: string | undefined; setting: string }>;

/**
 * Parses `<provider>/<model>`. The model's name may contain slashes and colons.
 * @throws DomainError INVALID_INPUT
 */
export function parseModel(text: string): { provider: Provider; model: string } {
  const slash = text.indexOf('/');
  const provider = providers.find((name) => name === text.slice(0, slash));
  const model = text.slice(slash + 1);
  if (provider && isName(model)) return { provider, model };
  throw invalidInput(
    `A language model is written <provider>/<model>, such as openai-compatible/qwen3:8b; the providers are ${providers.join(', ')}`,
  );
}

/**
 * Whether a text can be a model's name. It appears in addresses and errors: a few hundred printable
 * characters without white space.
 */
const isName = (model: string) =>
  model.length <= 200 && /^[\w.:@/+-]+$/.test(model) && !model.includes('..');

/**
 * The address and key for a model's provider.
 * @throws DomainError CONFIGURATION if the address is unknown, or the provider's key is missing
 */
export function connectionOf(
  provider: Provider,
  { keys, baseUrl }: ModelSettings,
): { url: string; apiKey?: string } {
  const { setting, baseUrl: own } = known[provider];
  const apiKey = keys[provider === 'openai-compatible' ? 'compatible' : provider];
  const url = baseUrl ?? own;
  if (url === undefined)
    throw new DomainError('CONFIGURATION', `${provider} needs its address: set AGENT_BASE_URL`);
  if (new URL(url).password !== '' || new URL(url).username !== '')
    throw new DomainError(
      'CONFIGURATION',
      'AGENT_BASE_URL must have no user and no password: a key has a setting',
    );
  if (!apiKey && provider !== 'openai-compatible')
    throw new DomainError('CONFIGURATION', `${provider} needs a key: set ${setting}`);
  return { url, ...defined({ apiKey }) };
}

/**
 * Makes the models of all providers. Loads their packages, which takes 0.3 s, so call this only if
 * a model is configured.
 * @param options.firstMs milliseconds until a provider's answer begins
 */
export async function createModels(
  settings: ModelSettings,
  options: { firstMs?: number } = {},
): Promise<{ of(model: string): Model }> {
  const [
    { createAnthropic },
    { createOpenAI },
    { createGoogleGenerativeAI },
    { createOpenAICompatible },
  ] =
    // oxlint-disable no-restricted-imports -- late, as they should be
    await Promise.all([
      import('@ai-sdk/anthropic'),
      import('@ai-sdk/openai'),
      import('@ai-sdk/google'),
      import('@ai-sdk/openai-compatible'),
    ]);
  // oxlint-enable no-restricted-imports
  const create: Record<Provider, (options: Connection, model: string) => Model> = {
    anthropic: (connection, model) => createAnthropic(connection)(model),
    openai: (connection, model) => createOpenAI(connection).responses(model),
    google: (connection, model) => createGoogleGenerativeAI(connection)(model),
    'openai-compatible': (connection, model) =>
      createOpenAICompatible({
        ...connection,
        name: 'compatible',
        includeUsage: true,
        supportsStructuredOutputs: true,
        transformRequestBody: ({ messages, ...body }) => ({
          ...body,
          messages: (messages as ChatMessage[]).map(withOneText),
        }),
      }).chatModel(model),
  };
  return {
    of(text) {
      const { provider, model } = parseModel(text);
      const { url, ...key } = connectionOf(provider, settings);
      return create[provider]({ ...key, baseURL: url, fetch: createFetch(url, options) }, model);
    },
  };
}

interface ChatMessage {
  content: string | null | { type: string; text?: string }[];
}

/** Joins the texts of a message, since not every server accepts a list of texts. */
function withOneText(message: ChatMessage): ChatMessage {
  const { content } = message;
  if (!Array.isArray(content) || content.some(({ type }) => type !== 'text')) return message;
  return { ...message, content: content.map(({ text }) => text).join('\n') };
}

interface Connection {
  apiKey?: string;
  baseURL: string;
  fetch: typeof fetch;
}
