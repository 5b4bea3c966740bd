import { createHash } from 'node:crypto';
import type { Threads, Work } from '../../threads/threads.ts';
import type { Conversation, Turn } from '../agent.ts';
import type { LanguageModel } from '../port.ts';
import { askTool, type ToolDefinition } from '../tools.ts';
import type { Caller } from './call.ts';
import { writeOrAsk, writePage } from './page/writePage.ts';
import { digestsOf, messagesOf, type Opaque } from './conversation.ts';
import { instructions } from './instructions.ts';

interface ModelAgentOptions {
  caller: Caller;
  tools: ToolDefinition[];
  threads: Threads;
}

/**
 * Makes an agent of a language model.
 * @param options.tools the tools of the model in prompt tasks
 * @param options.threads read the texts of pages
 */
export function createModelAgent({ caller, tools, threads }: ModelAgentOptions): LanguageModel {
  return {
    generatePage: (job, work) => writePage(caller, job, work, threads),
    writeOrAsk: (job, work) => writeOrAsk(caller, job, work, threads),
    step: (conversation, work) =>
      nextTurn(caller, conversation.mayAsk ? [...tools, askTool] : tools, conversation, work),
  };
}

/** Calls a model once, with the conversation so far. */
async function nextTurn(
  caller: Caller,
  tools: ToolDefinition[],
  conversation: Conversation,
  { organizationId, signal }: Work,
): Promise<Turn> {
  const digest = createHash('sha256')
    .update(JSON.stringify([instructions, tools]))
    .digest('hex')
    .slice(0, 16);
  const { taskId, siteId } = conversation;
  const messages = messagesOf(conversation, digest);
  const turn = await caller.turn(
    { organizationId, siteId, taskId, instructions, messages, tools },
    signal,
  );
  if (digestsOf(conversation).at(-1) === digest) return turn;
  return { ...turn, opaque: { digest, ...(turn.opaque as Opaque) } satisfies Opaque };
}
