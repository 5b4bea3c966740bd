import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Work } from '../threads/threads.ts';
import type { Conversation, ToolResult, Turn } from './agent.ts';
import type { Workspace } from './workspace.ts';

/** A task's turns in short: how many there are, and their digest. Absent where there are none. */
export interface TurnsRef {
  count: number;
  digest?: string;
}

/**
 * A conversation with the workspace that has its edits. Whoever has it is the only one, and may
 * change it.
 */
export interface OpenConversation {
  conversation: Omit<Conversation, 'taskId'>;
  workspace: Workspace;
  /** Whose work the workspace does: each step of a task brings a signal of its own. */
  work: Work;
  digest: string;
  /** Bytes of the turns in the history. */
  bytes: number;
  /** Characters of their results. */
  answered: number;
}

export interface Conversations {
  /**
   * Takes a conversation out. A step that is repeated meanwhile, or after it was cut off, finds
   * none.
   */
  take(taskId: string, turns: TurnsRef): OpenConversation | undefined;
  keep(taskId: string, conversation: OpenConversation): void;
}

/**
 * Conversations in memory, and the characters that they hold together: a worker has many tasks at
 * once.
 */
const MOST = 100;
const MOST_CHARACTERS = 64_000_000;

/**
 * The conversations of this process that were used last: the next step of each need not run its
 * turns again.
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

/** A conversation that was rebuilt on a workspace. */
export function opened(
  { turns, ...beginning }: Omit<Conversation, 'taskId'>,
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

/** Adds a turn that was taken. The digest of turns covers each of them with all before it. */
export function addTurn(made: OpenConversation, turn: Turn, results: ToolResult[]): void {
  const text = JSON.stringify(turn);
  // as the history has it: what a model reads is the same, whether the turn was kept or told again
  made.conversation.turns.push({ turn: JSON.parse(text) as Turn, results });
  made.digest = createHash('sha256').update(`${made.digest}\n${text}`).digest('hex').slice(0, 32);
  made.bytes += Buffer.byteLength(text) + 1;
  made.answered += results.reduce((sum, { content }) => sum + content.length, 0);
}
