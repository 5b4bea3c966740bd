import type { Threads } from '../../threads/threads.ts';
import type { LanguageModel } from '../port.ts';
import type { ToolDefinition } from '../tools.ts';
import { createModelAgent } from './agent.ts';
import { createModels, parseModel, type ModelSettings } from './models.ts';

/**
 * The agents of all language models. Loads the packages, which takes 0.3 s: only where a model is
 * configured.
 * @param options.tools what models are offered in prompt tasks
 * @param options.threads read the texts of pages
 */
export async function createModelAgents(
  settings: ModelSettings,
  { tools, threads }: { tools: ToolDefinition[]; threads: Threads },
): Promise<{ of(model: string): LanguageModel }> {
  const [models, { createCaller }] = await Promise.all([
    createModels(settings),
    import('./call.ts'),
  ]);
  const secrets = Object.values(settings.keys);
  return {
    /** @throws DomainError INVALID_INPUT, CONFIGURATION */
    of(model) {
      const caller = createCaller(models.of(model), parseModel(model).provider, { secrets });
      return createModelAgent({ caller, tools, threads });
    },
  };
}
