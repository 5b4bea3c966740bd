import { createHash } from 'node:crypto';
import type { Work } from '../../threads/threads.ts';
import type { Conversation, Turn } from '../agent.ts';
import type { ToolDefinition } from '../tools.ts';
import type { Caller } from './call.ts';
import { digestsOf, messagesOf, type Opaque } from './conversation.ts';
import { instructions } from './instructions.ts';

/** Calls a model once, with the conversation so far. */
export async function nextTurn(
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
