import type { ThreadPool } from '../../threads/threadPool.ts';
import type { Traces } from '../../contract/traces.ts';
import type { CallMeter, LanguageModel } from '../agentPorts.ts';
import type { ToolDefinition } from './tools/modelTools.ts';
import { createModelAgent } from './modelAgent.ts';
import {
  createProviderModels,
  parseModelName,
  type ModelSettings,
} from './calls/providerModels.ts';

/**
 * Language models as agents. They have the same ports as the rules, the embedded agent that works
 * without a language model (`agentPorts.ts`).
 *
 * - `calls/` calls a provider such as Anthropic, and converts its errors.
 * - `page/` lets a model write the texts of one new page, and checks its answer.
 * - `prompt/` converts the conversation of a prompt task to messages, and an answer to a turn. A
 *   turn is one answer of the model together with the tools that it calls.
 * - `tools/` has the tools: functions that a model calls by name to read and edit the site.
 * - `modelAgent.ts` makes one model's agent of these. This file makes the agents of all models.
 *
 * For example, `agents.of('openai-compatible/qwen3:8b').generatePage(job, work)` returns
 * `{ texts: { s12: 'Web design in Lisbon' }, notes: [], usage }`.
 */

/**
 * Makes the agents of all language models. Loads the providers' packages, which takes 0.3 s, so
 * call this only if a model is configured.
 * @param options.tools the tools of models in prompt tasks
 * @param options.threads the worker threads that read the texts of pages
 * @param options.meter counts the calls. Default: they are not counted
 * @param options.traces makes a span for each call. Default: no traces
 */
export async function createModelAgents(
  settings: ModelSettings,
  {
    tools,
    threads,
    ...callOptions
  }: { tools: ToolDefinition[]; threads: ThreadPool; meter?: CallMeter; traces?: Traces },
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
        ...callOptions,
      });
      return createModelAgent({ caller, tools, threads });
    },
  };
}
