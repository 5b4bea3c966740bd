import { DomainError } from '../errors.ts';
import type { Threads } from '../threads/threads.ts';
import type { Agents, CallMeter, LanguageModel, Rules } from './port.ts';
import { type ModelChoices, modelsOf } from './assignment.ts';
import { createModelAgents } from './model/agents.ts';
import { connectionOf, type ModelSettings, parseModel, type Provider } from './model/models.ts';
import { modelTools } from './tools.ts';

/** The settings of language models. */
export type AgentSettings = Omit<ModelChoices, 'budget'> &
  Pick<ModelSettings, 'keys'> & { baseUrl?: string | undefined };

/**
 * The API addresses of all models.
 * @param needsKeys false if this process calls no models: then there are no addresses
 * @throws DomainError CONFIGURATION for an unknown provider, or one without its key or address
 */
export function addressesOf(
  settings: AgentSettings,
  { needsKeys }: { needsKeys: boolean },
): string[] {
  const providers = new Set(modelsOf(settings).map(providerOf));
  if (!needsKeys) return [];
  return [
    ...new Set(
      [...providers].map((provider) => connectionOf(provider, settingsOf(provider, settings)).url),
    ),
  ];
}

function providerOf(name: string): Provider {
  try {
    return parseModel(name).provider;
  } catch (cause) {
    const { message } = cause as DomainError;
    throw new DomainError('CONFIGURATION', `"${name}" can't be used in AGENT_MODEL. ${message}`, {
      cause,
    });
  }
}

/**
 * The keys and base URL for a provider. If `openai-compatible` is used, only it gets the base URL;
 * otherwise every provider does.
 */
function settingsOf(
  provider: Provider,
  { keys, baseUrl, ...choices }: AgentSettings,
): ModelSettings {
  const needsIt = (name: Provider) => name === 'openai-compatible';
  const isTheirs = needsIt(provider) || !modelsOf(choices).map(providerOf).some(needsIt);
  return baseUrl !== undefined && isTheirs ? { keys, baseUrl } : { keys };
}

/**
 * The agents of a process: the embedded rules, and the configured language models.
 * @param options.meter counts the calls of models. Default: they are not counted
 */
export async function createAgents(
  settings: AgentSettings,
  { rules, ...options }: { rules: Rules; threads: Threads; meter?: CallMeter },
): Promise<Agents> {
  const made = new Map<string, LanguageModel>();
  for (const name of modelsOf(settings)) {
    const agents = await createModelAgents(settingsOf(providerOf(name), settings), {
      ...options,
      tools: modelTools,
    });
    made.set(name, agents.of(name));
  }
  return {
    of(model) {
      if (model === undefined) return rules;
      const agent = made.get(model);
      if (agent) return agent;
      throw new DomainError(
        'CONFIGURATION',
        `This task's language model, ${model}, is not among the service's: ask its operator to put it into AGENT_MODEL`,
        // while settings are rolled out, another worker may already have the model
        { retryable: true },
      );
    },
  };
}
