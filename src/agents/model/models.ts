import type { LanguageModel } from 'ai';
import { DomainError } from '../../errors.ts';

export const providers = ['anthropic', 'openai', 'google', 'openai-compatible'] as const;
export type Provider = (typeof providers)[number];

/** Keys and the address that replaces the provider's own. */
export interface ModelSettings {
  keys: { anthropic?: string; openai?: string; google?: string; compatible?: string };
  baseUrl?: string;
}

/**
 * Reads `<provider>/<model>`. The model's name may have slashes and colons.
 * @throws DomainError INVALID_INPUT
 */
export function parseModel(text: string): { provider: Provider; model: string } {
  const [, provider, model] = /^([^/]*)\/(.+)$/s.exec(text) ?? [];
  const known = providers.find((name) => name === provider);
  if (known && model) return { provider: known, model };
  throw new DomainError(
    'INVALID_INPUT',
    `A language model is written <provider>/<model>, with one of the providers ${providers.join(', ')}`,
  );
}

/** Loads the packages of the providers. @throws DomainError CONFIGURATION where a model's key is missing */
export function createModels(_settings: ModelSettings): Promise<{ of(model: string): LanguageModel }> {
  throw new DomainError('CONFIGURATION', 'Language models come with a later commit');
}
