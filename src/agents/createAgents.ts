import type { Traces } from '../contract/traces.ts';
import { DomainError } from '../errors.ts';
import type { ThreadPool } from '../threads/threadPool.ts';
import type { AgentRegistry, CallMeter, LanguageModel, RulesAgent } from './agentPorts.ts';
import { type ModelChoices, configuredModels } from './modelAssignment.ts';
import { createModelAgents } from './model/modelAgents.ts';
import {
  findProviderConnection,
  type ModelSettings,
  parseModelName,
  type ModelProvider,
} from './model/calls/providerModels.ts';
import { modelTools } from './model/tools/modelTools.ts';

/** The settings of language models. */
export type AgentSettings = Omit<ModelChoices, 'budget'> &
  Pick<ModelSettings, 'keys'> & { baseUrl?: string | undefined };

/**
 * Checks the settings of language models, and lists the URLs of their APIs.
 * @param options.needsKeys false if this process calls no models: then the list is empty
 * @throws DomainError CONFIGURATION for an unknown provider, or one without its key or base URL
 */
export function listModelUrls(
  settings: AgentSettings,
  { needsKeys }: { needsKeys: boolean },
): string[] {
  const providers = new Set(configuredModels(settings).map(configuredProvider));
  if (!needsKeys) return [];
  return [
    ...new Set(
      [...providers].map(
        (provider) => findProviderConnection(provider, providerSettings(provider, settings)).url,
      ),
    ),
  ];
}

function configuredProvider(modelName: string): ModelProvider {
  try {
    return parseModelName(modelName).provider;
  } catch (cause) {
    const { message } = cause as DomainError;
    throw new DomainError(
      'CONFIGURATION',
      `"${modelName}" can't be used in AGENT_MODEL. ${message}`,
      {
        cause,
      },
    );
  }
}

/**
 * The keys and base URL for a provider. If `openai-compatible` is used, only it gets the base URL;
 * otherwise every provider does.
 */
function providerSettings(
  provider: ModelProvider,
  { keys, baseUrl, ...choices }: AgentSettings,
): ModelSettings {
  const requiresBaseUrl = (providerName: ModelProvider) => providerName === 'openai-compatible';
  const takesBaseUrl =
    requiresBaseUrl(provider) ||
    !configuredModels(choices).map(configuredProvider).some(requiresBaseUrl);
  return baseUrl !== undefined && takesBaseUrl ? { keys, baseUrl } : { keys };
}

/**
 * Creates the agents of a process: the rules, and one for each configured language model.
 * @param options.meter counts what calls of models use; absent if nothing is to be counted
 * @param options.traces makes a span for each call of a model. Default: no traces
 * @returns the registry that finds an agent by its model's name
 * @throws DomainError CONFIGURATION for settings that can't be used
 */
export async function createAgents(
  settings: AgentSettings,
  {
    rules,
    ...options
  }: { rules: RulesAgent; threads: ThreadPool; meter?: CallMeter; traces?: Traces },
): Promise<AgentRegistry> {
  const modelAgents = new Map<string, LanguageModel>();
  for (const name of configuredModels(settings)) {
    const providerAgents = await createModelAgents(
      providerSettings(configuredProvider(name), settings),
      {
        ...options,
        tools: modelTools,
      },
    );
    modelAgents.set(name, providerAgents.of(name));
  }
  return {
    of(model) {
      if (model === undefined) return rules;
      const agent = modelAgents.get(model);
      if (agent) return agent;
      throw new DomainError(
        'CONFIGURATION',
        `The language model of the task, ${model}, is not configured in the service. Ask its operator to add it to AGENT_MODEL`,
        // while settings are rolled out, another worker may already have the model
        { retryable: true },
      );
    },
  };
}
