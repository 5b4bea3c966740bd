import type { LanguageModel } from 'ai';
import { defined } from '../../contract/defined.ts';
import { DomainError, invalidInput } from '../../errors.ts';
import { createFetch } from './fetch.ts';

export const providers = ['anthropic', 'openai', 'google', 'openai-compatible'] as const;
export type Provider = (typeof providers)[number];

/** A model of a provider's package: never its name alone, which the SDK would send to a gateway. */
export type Model = Exclude<LanguageModel, string>;

/** Keys and the address that replaces the provider's own. */
export interface ModelSettings {
  keys: { anthropic?: string; openai?: string; google?: string; compatible?: string };
  baseUrl?: string;
}

/** Each provider's address, and the setting that has its key. */
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
 * Reads `<provider>/<model>`. The model's name may have slashes and colons.
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
 * A name goes into an address and into errors: a few hundred printable characters without white
 * space.
 */
export const isName = (model: string) =>
  model.length <= 200 && /^[\w.:@/+-]+$/.test(model) && !model.includes('..');

/**
 * The address that a model's provider answers at.
 * @throws DomainError CONFIGURATION where it is not known, or the provider's key is missing
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
 * The models of all providers. Loads their packages, which takes 0.3 s: only where a model is
 * configured.
 * @param options.firstMs milliseconds that a provider has to begin an answer
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

interface Connection {
  apiKey?: string;
  baseURL: string;
  fetch: typeof fetch;
}
