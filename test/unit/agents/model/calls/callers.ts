import type { AgentConversation, ModelTurn } from '../../../../../src/agents/shared/agentTypes.ts';
import { createModelAgent } from '../../../../../src/agents/model/modelAgent.ts';
import {
  type ModelCaller,
  createModelCaller,
} from '../../../../../src/agents/model/calls/modelCaller.ts';
import {
  createProviderModels,
  type ModelProvider,
} from '../../../../../src/agents/model/calls/providerModels.ts';
import type { ToolDefinition } from '../../../../../src/agents/model/tools/modelTools.ts';
import type { CallMeter } from '../../../../../src/agents/agentPorts.ts';
import { DomainError } from '../../../../../src/errors.ts';
import { createThreadPool } from '../../../../../src/threads/threadPool.ts';

/** A model of each protocol that reasons. */
export const protocols: { provider: ModelProvider; model: string }[] = [
  { provider: 'anthropic', model: 'claude-sonnet-4-5' },
  { provider: 'openai', model: 'gpt-5' },
  { provider: 'google', model: 'gemini-2.5-pro' },
  { provider: 'openai-compatible', model: 'org/qwen3:8b' },
];

export const keys = {
  anthropic: 'key-of-anthropic-1',
  openai: 'key-of-openai-2',
  google: 'key-of-google-3',
  compatible: 'key-of-another-4',
};
const WORK = { organizationId: 'o' };

export const tools: ToolDefinition[] = [
  {
    name: 'read_page',
    description: 'Reads a page.',
    parameters: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: { slug: { type: 'string' } },
      required: ['slug'],
      additionalProperties: false,
    },
  },
  { name: 'finish', description: 'Ends the task.', parameters: { type: 'object', properties: {} } },
];

/** They start with the first page that is written. */
export const threads = createThreadPool();

const long = { firstChunkMs: 20_000, chunkMs: 20_000, totalMs: 20_000 };

/** Calls of a scripted model. */
export async function callerOf(
  { provider, model }: { provider: ModelProvider; model: string },
  baseUrl: string,
  timeout = long,
  meter?: CallMeter,
): Promise<ModelCaller> {
  const models = await createProviderModels({ keys, baseUrl }, { firstMs: timeout.firstChunkMs });
  return createModelCaller(models.of(`${provider}/${model}`), provider, {
    timeout,
    secrets: Object.values(keys),
    ...(meter && { meter }),
  });
}

export const conversation = (prompt = 'Make the hero shorter'): AgentConversation => ({
  taskId: 'bg-aaaaaaaaaaaaaaaaaaaaaa',
  siteId: 'site-a',
  prompt,
  pages: [
    { slug: '/', title: 'Home' },
    { slug: '/about', title: 'About us' },
  ],
  turns: [],
});

/**
 * The next turn, as a workflow's history holds it, and its results are added to the conversation.
 */
export async function takeTurn(
  caller: ModelCaller,
  conversation: AgentConversation,
  result = 'Done',
): Promise<ModelTurn> {
  const agent = createModelAgent({ caller, tools, threads });
  const turn = JSON.parse(JSON.stringify(await agent.step(conversation, WORK))) as ModelTurn;
  const results = turn.toolCalls.map(({ id, invalid }) => ({
    id,
    content: invalid ?? result,
    isError: invalid !== undefined,
  }));
  conversation.turns.push({ turn, results });
  return turn;
}

/** How a call failed. */
export async function failure(call: Promise<unknown>): Promise<DomainError> {
  const error: unknown = await call.then(
    () => new Error('The call did not fail'),
    (error: unknown) => error,
  );
  if (!(error instanceof DomainError)) throw error;
  return error;
}

/** All that a log, a history or a person could see of an error. */
export const shown = (error: Error): string =>
  [
    JSON.stringify(error),
    error.message,
    error.stack,
    String(error.cause),
    JSON.stringify(Object.getOwnPropertyDescriptors(error)),
  ].join('\n');
