import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { JobOwner } from '../threads/threadPool.ts';
import type { AgentConversation, ToolResult, ModelTurn } from './shared/agentTypes.ts';
import type { Workspace } from './workspace.ts';

/** The number of turns of a task, and their digest, which is absent if there are none. */
export interface TurnsRef {
  count: number;
  digest?: string;
}

/** A conversation with the workspace of its edits. Only one step at a time holds and changes it. */
export interface OpenConversation {
  conversation: Omit<AgentConversation, 'taskId' | 'siteId'>;
  workspace: Workspace;
  /** The workspace's work. Each step of a task sets its own signal. */
  work: JobOwner;
  digest: string;
  /** Bytes of the turns in the history. */
  bytes: number;
  /** Characters of the results of all turns. */
  answered: number;
}

export interface ConversationCache {
  /** Removes and returns a conversation. A repeated step finds none and rebuilds it. */
  take(taskId: string, turns: TurnsRef): OpenConversation | undefined;
  keep(taskId: string, conversation: OpenConversation): void;
}

/** Conversations kept in memory: a worker has many tasks at once. */
const MAX_CONVERSATIONS = 100;
const MAX_CHARACTERS = 64_000_000;

/**
 * Keeps this process's most recently used conversations, so that their next step need not replay
 * all turns.
 */
export function createConversationCache({
  max = MAX_CONVERSATIONS,
  maxSize = MAX_CHARACTERS,
} = {}): ConversationCache {
  const sizeCalculation = ({ workspace, bytes, answered }: OpenConversation) =>
    1 + workspace.size() + bytes + answered;
  const cache = new LRUCache<string, OpenConversation>({ max, maxSize, sizeCalculation });
  return {
    take(taskId, { count, digest = '' }) {
      const key = conversationCacheKey(taskId, count, digest);
      const cached = cache.get(key);
      cache.delete(key);
      return cached;
    },
    keep: (taskId, openConversation) =>
      void cache.set(
        conversationCacheKey(
          taskId,
          openConversation.conversation.turns.length,
          openConversation.digest,
        ),
        openConversation,
      ),
  };
}

const conversationCacheKey = (taskId: string, count: number, digest: string) =>
  `${taskId} ${count} ${digest}`;

/** Opens a conversation that was rebuilt on a workspace. */
export function openRebuiltConversation(
  { turns, ...beginning }: Omit<AgentConversation, 'taskId' | 'siteId'>,
  openWorkspace: Pick<OpenConversation, 'workspace' | 'work'>,
): OpenConversation {
  const openConversation = {
    ...openWorkspace,
    conversation: { ...beginning, turns: [] },
    digest: '',
    bytes: 1,
    answered: 0,
  };
  for (const { turn, results } of turns) appendTurn(openConversation, turn, results);
  return openConversation;
}

/** Adds a turn. The digest then covers it and all earlier turns. */
export function appendTurn(
  openConversation: OpenConversation,
  turn: ModelTurn,
  results: ToolResult[],
): void {
  const turnJson = JSON.stringify(turn);
  // parsed again, so that the model reads the same as after a replay from the history
  openConversation.conversation.turns.push({ turn: JSON.parse(turnJson) as ModelTurn, results });
  openConversation.digest = createHash('sha256')
    .update(`${openConversation.digest}\n${turnJson}`)
    .digest('hex')
    .slice(0, 32);
  openConversation.bytes += Buffer.byteLength(turnJson) + 1;
  openConversation.answered += results.reduce((sum, { content }) => sum + content.length, 0);
}
