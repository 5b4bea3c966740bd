import type { ThreadPool } from '../../threads/threadPool.ts';
import type { CallMeter, LanguageModel } from '../agentPorts.ts';
import type { ToolDefinition } from './tools/modelTools.ts';
import { createModelAgent } from './modelAgent.ts';
import {
  createProviderModels,
  parseModelName,
  type ModelSettings,
} from './calls/providerModels.ts';

/**
 * Makes the agents of all language models. Loads the providers' packages, which takes 0.3 s, so
 * call this only if a model is configured.
 * @param options.tools the tools of models in prompt tasks
 * @param options.threads read the texts of pages
 * @param options.meter counts the calls. Default: they are not counted
 */
export async function createModelAgents(
  settings: ModelSettings,
  {
    tools,
    threads,
    ...meterOptions
  }: { tools: ToolDefinition[]; threads: ThreadPool; meter?: CallMeter },
): Promise<{ of(model: string): LanguageModel }> {
  const [models, { createModelCaller }] = await Promise.all([
    createProviderModels(settings),
    import('./calls/modelCaller.ts'),
  ]);
  const secrets = Object.values(settings.keys);
  return {
    /** The agent of a model. @throws DomainError INVALID_INPUT, CONFIGURATION */
    of(model) {
      const caller = createModelCaller(models.of(model), parseModelName(model).provider, {
        secrets,
        ...meterOptions,
      });
      return createModelAgent({ caller, tools, threads });
    },
  };
}
