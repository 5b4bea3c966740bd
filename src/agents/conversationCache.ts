import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { JobOwner } from '../threads/threadPool.ts';
import type { AgentConversation, ToolResult, ModelTurn } from './shared/agentTypes.ts';
import type { Workspace } from './workspace.ts';

/**
 * The turns of a conversation so far (a turn: one call of a model, with the tools that its answer
 * calls): their number, and their digest, which is absent if there are none.
 */
export interface TurnsRef {
  count: number;
  digest?: string;
}

/** A conversation with a model, and the workspace with its edits. One activity at a time has it. */
export interface OpenConversation {
  conversation: Omit<AgentConversation, 'taskId' | 'siteId'>;
  workspace: Workspace;
  /** For whom the workspace works. Each activity of the task sets its own signal here. */
  jobOwner: JobOwner;
  digest: string;
  /** Bytes of the turns in the history. */
  bytes: number;
  /** Characters of the results of all tool calls. */
  resultCharacters: number;
}

export interface ConversationCache {
  /** Takes a conversation out of the cache. A retried activity finds none, and rebuilds it. */
  take(taskId: string, turns: TurnsRef): OpenConversation | undefined;
  keep(taskId: string, conversation: OpenConversation): void;
}

/** Most conversations in memory. A worker has many tasks at once. */
const MAX_CONVERSATIONS = 100;
const MAX_CHARACTERS = 64_000_000;

/**
 * Creates the cache of this process's most recently used conversations. Without it, each turn of a
 * task would have to replay all earlier turns on a new workspace.
 */
export function createConversationCache({
  max = MAX_CONVERSATIONS,
  maxSize = MAX_CHARACTERS,
} = {}): ConversationCache {
  const sizeCalculation = ({ workspace, bytes, resultCharacters }: OpenConversation) =>
    1 + workspace.size() + bytes + resultCharacters;
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

/** Turns the conversation that `replayTurns` of workspace.ts rebuilt into an open one. */
export function openRebuiltConversation(
  { turns, ...beginning }: Omit<AgentConversation, 'taskId' | 'siteId'>,
  openWorkspace: Pick<OpenConversation, 'workspace' | 'jobOwner'>,
): OpenConversation {
  const openConversation = {
    ...openWorkspace,
    conversation: { ...beginning, turns: [] },
    digest: '',
    bytes: 1,
    resultCharacters: 0,
  };
  for (const { turn, results } of turns) appendTurn(openConversation, turn, results);
  return openConversation;
}

/** Adds a turn with its results to a conversation. The new digest covers all turns up to it. */
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
  openConversation.resultCharacters += results.reduce(
    (sum, { content }) => sum + content.length,
    0,
  );
}
