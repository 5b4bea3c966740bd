import { createHash } from 'node:crypto';
import type { ThreadPool, JobOwner } from '../../threads/threadPool.ts';
import type { AgentConversation, ModelTurn } from '../shared/agentTypes.ts';
import type { LanguageModel } from '../agentPorts.ts';
import { askToolDefinition, type ToolDefinition } from './tools/modelTools.ts';
import type { ModelCaller } from './calls/modelCaller.ts';
import { writeModelPageOrAsk, writeModelPage } from './page/writeModelPage.ts';
import {
  listTurnDigests,
  createConversationMessages,
  type ProviderTurnData,
} from './prompt/conversationMessages.ts';
import { promptInstructions } from './prompt/promptInstructions.ts';

interface ModelAgentOptions {
  caller: ModelCaller;
  tools: ToolDefinition[];
  threads: ThreadPool;
}

/**
 * Makes an agent of a language model.
 * @param options.tools the tools of the model in prompt tasks
 * @param options.threads the worker threads that read the texts of pages
 */
export function createModelAgent({ caller, tools, threads }: ModelAgentOptions): LanguageModel {
  return {
    generatePage: (pageJob, work) => writeModelPage(caller, pageJob, work, threads),
    writeOrAsk: (pageJob, work) => writeModelPageOrAsk(caller, pageJob, work, threads),
    step: (conversation, work) =>
      callNextTurn(
        caller,
        conversation.mayAsk ? [...tools, askToolDefinition] : tools,
        conversation,
        work,
      ),
  };
}

/**
 * Calls a model once, with the conversation so far. If the instructions or tools differ from those
 * of the turn before, the turn records a digest of them (see `ProviderTurnData`).
 */
async function callNextTurn(
  caller: ModelCaller,
  tools: ToolDefinition[],
  conversation: AgentConversation,
  { organizationId, signal }: JobOwner,
): Promise<ModelTurn> {
  const digest = createHash('sha256')
    .update(JSON.stringify([promptInstructions, tools]))
    .digest('hex')
    .slice(0, 16);
  const { taskId, siteId } = conversation;
  const messages = createConversationMessages(conversation, digest);
  const turn = await caller.turn(
    { organizationId, siteId, taskId, instructions: promptInstructions, messages, tools },
    signal,
  );
  if (listTurnDigests(conversation).at(-1) === digest) return turn;
  return {
    ...turn,
    opaque: { digest, ...(turn.opaque as ProviderTurnData) } satisfies ProviderTurnData,
  };
}
