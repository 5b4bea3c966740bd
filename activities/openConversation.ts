import { defined } from '../src/contract/defined.ts';
import type { Site } from '../src/contract/site.ts';
import { DomainError } from '../src/errors.ts';
import {
  type Conversations,
  opened,
  type OpenConversation,
  type TurnsRef,
} from '../src/agents/conversations.ts';
import { createWorkspace, replay } from '../src/agents/workspace.ts';
import { newHostFileOf } from '../src/sites/redirects/hostFileNames.ts';
import type { Tree } from '../src/sites/git/repository.ts';
import type { ActivityDeps, TaskRef } from './deps.ts';

/** The part of an argument that identifies a prompt task's conversation. */
export interface ConversationArgument {
  task: TaskRef;
  /** Only for the first turn, because the history stores every step's argument. */
  prompt?: string;
  /** The turns so far. */
  turns: TurnsRef;
  /** The language model that does the work. Absent: the rules do it. */
  model?: string;
  /** Whether the model may ask people. */
  ask?: 'allowed';
}

export type ConversationDeps = Pick<ActivityDeps, 'pages' | 'texts' | 'recorded'> & {
  conversations: Conversations;
};

interface Opening {
  site: Pick<Site, 'host'>;
  tree: Tree;
  signal: AbortSignal;
  asRecorded?: boolean;
}

/**
 * Opens the task's conversation: the one that this process kept, or one rebuilt from the prompt and
 * the turns, which the workflow supplies. The caller owns it, may change it, and may return it with
 * `conversations.keep`.
 * @param how.asRecorded whether repeating the turns must give the recorded digests
 * @throws DomainError CHANGED_BY_DEPLOY, UNAVAILABLE
 */
export async function openConversation(
  { pages, texts, recorded, conversations }: ConversationDeps,
  { task, prompt: given, turns, model, ask }: ConversationArgument,
  { site, tree, signal, asRecorded = true }: Opening,
): Promise<OpenConversation> {
  const { taskId, organizationId } = task;
  const kept = conversations.take(taskId, turns);
  if (kept) {
    kept.work.signal = signal;
    return kept;
  }
  const { count } = turns;
  const told = count === 0 ? [] : await recorded.turns(taskId, count, signal);
  const prompt = given ?? (await recorded.contexts(taskId, signal)).join('\n');
  const work = { organizationId, signal };
  const workspace = createWorkspace({
    tree,
    pages: pages.for(work),
    texts: texts.for(work),
    agent: model === undefined ? 'rules' : 'model',
    mayAsk: ask === 'allowed',
    request: prompt,
    ...defined({ newHostFile: newHostFileOf(site) }),
  });
  const known = asRecorded ? told : told.map(({ digest: _, ...turn }) => turn);
  const replayed = await replay(workspace, prompt, known);
  const made = opened({ ...replayed, ...(ask && { mayAsk: true }) }, { workspace, work });
  if (asRecorded && turns.digest !== undefined && turns.digest !== made.digest) throw otherTurns();
  return made;
}

/**
 * The error of an attempt during which somebody reset the workflow, so that its turns differ now.
 */
const otherTurns = () =>
  new DomainError('CONFLICT', 'The task has other turns by now than those that this step follows');
