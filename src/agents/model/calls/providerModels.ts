import type { LanguageModel } from 'ai';
import { withoutUndefined } from '../../../contract/withoutUndefined.ts';
import { DomainError, invalidInputError } from '../../../errors.ts';
import { createProviderFetch } from './providerFetch.ts';

export const modelProviders = ['anthropic', 'openai', 'google', 'openai-compatible'] as const;
export type ModelProvider = (typeof modelProviders)[number];

/**
 * A model object of a provider's package. A name alone is excluded: the SDK would send it to a
 * gateway.
 */
export type ProviderModel = Exclude<LanguageModel, string>;

/** The providers' keys, and the base URL that replaces a provider's own. */
export interface ModelSettings {
  keys: { anthropic?: string; openai?: string; google?: string; compatible?: string };
  baseUrl?: string;
}

/** Each provider's base URL, and the name of the setting with its key. */
export const providerDefaults = {
  anthropic: { baseUrl: 'https://api.anthropic.com/v1', setting: 'ANTHROPIC_API_KEY' },
  openai: { baseUrl: 'https://api.openai.com/v1', setting: 'OPENAI_API_KEY' },
  google: {
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    setting: 'GOOGLE_GENERATIVE_AI_API_KEY',
  },
  'openai-compatible': { baseUrl: undefined, setting: 'AGENT_API_KEY' },
} as const satisfies Record<ModelProvider, { baseUrl: string | undefined; setting: string }>;

/**
 * Parses `<provider>/<model>`. The model's name may contain slashes and colons.
 * @throws DomainError INVALID_INPUT
 */
export function parseModelName(text: string): { provider: ModelProvider; model: string } {
  const slash = text.indexOf('/');
  const provider = modelProviders.find((name) => name === text.slice(0, slash));
  const model = text.slice(slash + 1);
  if (provider && isModelName(model)) return { provider, model };
  throw invalidInputError(
    `A language model must be <provider>/<model>, such as openai-compatible/qwen3:8b. The providers are ${modelProviders.join(', ')}`,
  );
}

/**
 * Whether a text can be a model's name: at most 200 printable characters without white space. The
 * name appears in URLs and errors.
 */
const isModelName = (model: string) =>
  model.length <= 200 && /^[\w.:@/+-]+$/.test(model) && !model.includes('..');

/**
 * The base URL and the key for a model's provider.
 * @throws DomainError CONFIGURATION if the URL is unknown or contains a user or a password, or if
 *   the provider's key is missing
 */
export function findProviderConnection(
  provider: ModelProvider,
  { keys, baseUrl }: ModelSettings,
): { url: string; apiKey?: string } {
  const { setting, baseUrl: defaultUrl } = providerDefaults[provider];
  const apiKey = keys[provider === 'openai-compatible' ? 'compatible' : provider];
  const url = baseUrl ?? defaultUrl;
  if (url === undefined)
    throw new DomainError('CONFIGURATION', `${provider} requires a base URL: set AGENT_BASE_URL`);
  if (new URL(url).password !== '' || new URL(url).username !== '')
    throw new DomainError(
      'CONFIGURATION',
      'AGENT_BASE_URL must not contain a user or a password: use the setting of the key',
    );
  if (!apiKey && provider !== 'openai-compatible')
    throw new DomainError('CONFIGURATION', `${provider} requires an API key: set ${setting}`);
  return { url, ...withoutUndefined({ apiKey }) };
}

/**
 * Makes the models of all providers. Loads their packages, which takes 0.3 s, so call this only if
 * a model is configured.
 * @param options.firstMs milliseconds until a provider's answer begins
 */
export async function createProviderModels(
  settings: ModelSettings,
  options: { firstMs?: number } = {},
): Promise<{ of(model: string): ProviderModel }> {
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
  const createByProvider: Record<
    ModelProvider,
    (options: ProviderConnection, model: string) => ProviderModel
  > = {
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
          messages: (messages as ChatMessage[]).map(joinMessageTexts),
        }),
      }).chatModel(model),
  };
  return {
    of(text) {
      const { provider, model } = parseModelName(text);
      const { url, ...key } = findProviderConnection(provider, settings);
      return createByProvider[provider](
        { ...key, baseURL: url, fetch: createProviderFetch(url, options) },
        model,
      );
    },
  };
}

interface ChatMessage {
  content: string | null | { type: string; text?: string }[];
}

/** Joins the texts of a message, since not every server accepts a list of texts. */
function joinMessageTexts(message: ChatMessage): ChatMessage {
  const { content } = message;
  if (!Array.isArray(content) || content.some(({ type }) => type !== 'text')) return message;
  return { ...message, content: content.map(({ text }) => text).join('\n') };
}

interface ProviderConnection {
  apiKey?: string;
  baseURL: string;
  fetch: typeof fetch;
}
