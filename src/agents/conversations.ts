import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Work } from '../threads/threads.ts';
import type { Conversation, ToolResult, Turn } from './agent.ts';
import type { Workspace } from './workspace.ts';

/** The number of turns of a task, and their digest, which is absent if there are none. */
export interface TurnsRef {
  count: number;
  digest?: string;
}

/** A conversation with the workspace of its edits. Only one step at a time holds and changes it. */
export interface OpenConversation {
  conversation: Omit<Conversation, 'taskId' | 'siteId'>;
  workspace: Workspace;
  /** The workspace's work. Each step of a task sets its own signal. */
  work: Work;
  digest: string;
  /** Bytes of the turns in the history. */
  bytes: number;
  /** Characters of the results of all turns. */
  answered: number;
}

export interface Conversations {
  /** Removes and returns a conversation. A repeated step finds none and rebuilds it. */
  take(taskId: string, turns: TurnsRef): OpenConversation | undefined;
  keep(taskId: string, conversation: OpenConversation): void;
}

/** Conversations kept in memory: a worker has many tasks at once. */
const MOST = 100;
const MOST_CHARACTERS = 64_000_000;

/**
 * Keeps this process's most recently used conversations, so that their next step need not replay
 * all turns.
 */
export function createConversations({ max = MOST, maxSize = MOST_CHARACTERS } = {}): Conversations {
  const sizeCalculation = ({ workspace, bytes, answered }: OpenConversation) =>
    1 + workspace.size() + bytes + answered;
  const kept = new LRUCache<string, OpenConversation>({ max, maxSize, sizeCalculation });
  return {
    take(taskId, { count, digest = '' }) {
      const key = keyOf(taskId, count, digest);
      const found = kept.get(key);
      kept.delete(key);
      return found;
    },
    keep: (taskId, opened) =>
      void kept.set(keyOf(taskId, opened.conversation.turns.length, opened.digest), opened),
  };
}

const keyOf = (taskId: string, count: number, digest: string) => `${taskId} ${count} ${digest}`;

/** Opens a conversation that was rebuilt on a workspace. */
export function opened(
  { turns, ...beginning }: Omit<Conversation, 'taskId' | 'siteId'>,
  where: Pick<OpenConversation, 'workspace' | 'work'>,
): OpenConversation {
  const made = {
    ...where,
    conversation: { ...beginning, turns: [] },
    digest: '',
    bytes: 1,
    answered: 0,
  };
  for (const { turn, results } of turns) addTurn(made, turn, results);
  return made;
}

/** Adds a turn. The digest then covers it and all earlier turns. */
export function addTurn(made: OpenConversation, turn: Turn, results: ToolResult[]): void {
  const text = JSON.stringify(turn);
  // parsed again, so that the model reads the same as after a replay from the history
  made.conversation.turns.push({ turn: JSON.parse(text) as Turn, results });
  made.digest = createHash('sha256').update(`${made.digest}\n${text}`).digest('hex').slice(0, 32);
  made.bytes += Buffer.byteLength(text) + 1;
  made.answered += results.reduce((sum, { content }) => sum + content.length, 0);
}
