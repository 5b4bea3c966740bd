import { withoutUndefined } from '../src/contract/withoutUndefined.ts';
import type { Site } from '../src/contract/site.ts';
import { DomainError } from '../src/errors.ts';
import {
  type ConversationCache,
  openRebuiltConversation,
  type OpenConversation,
  type TurnsRef,
} from '../src/agents/conversationCache.ts';
import { createWorkspace, replayTurns } from '../src/agents/workspace.ts';
import { newHostFileOf } from '../src/sites/redirects/hostFileNames.ts';
import type { Tree } from '../src/sites/git/repository.ts';
import type { ActivityDependencies, TaskRef } from './deps.ts';

/** The part of an argument that identifies a prompt task's conversation. */
export interface ConversationArgument {
  task: TaskRef;
  /** Only for the first turn, because the history stores the argument of every activity. */
  prompt?: string;
  /** The turns so far. */
  turns: TurnsRef;
  /** The language model that does the work. Absent: the rules do it. */
  model?: string;
  /** Whether the model may ask people. */
  ask?: 'allowed';
}

export type ConversationDependencies = Pick<
  ActivityDependencies,
  'pages' | 'texts' | 'recorded'
> & {
  conversations: ConversationCache;
};

interface OpenConversationOptions {
  site: Pick<Site, 'host'>;
  tree: Tree;
  signal: AbortSignal;
  /**
   * Whether to throw CHANGED_BY_DEPLOY if a repeated turn has another result than recorded.
   * Default: true. False if the task's commit exists already, and only its notes are needed.
   */
  checksDigests?: boolean;
}

/**
 * Opens a prompt task's conversation: the prompt, the turns so far with the results of their tools,
 * and the workspace with the edited pages. Takes it from the cache of this process, or rebuilds it
 * by repeating the turns, which it reads from the workflow. The caller owns it, may change it, and
 * may put it back with `conversations.keep`.
 * @throws DomainError CHANGED_BY_DEPLOY if a repeated turn has another result than recorded,
 *   CONFLICT if the workflow was reset and now has other turns, UNAVAILABLE
 */
export async function openConversation(
  { pages, texts, recorded, conversations }: ConversationDependencies,
  { task, prompt: firstTurnPrompt, turns, model, ask }: ConversationArgument,
  { site, tree, signal, checksDigests = true }: OpenConversationOptions,
): Promise<OpenConversation> {
  const { taskId, organizationId } = task;
  const cachedConversation = conversations.take(taskId, turns);
  if (cachedConversation) {
    cachedConversation.jobOwner.signal = signal;
    return cachedConversation;
  }
  const { count } = turns;
  const recordedTurns = count === 0 ? [] : await recorded.turns(taskId, count, signal);
  const prompt = firstTurnPrompt ?? (await recorded.contexts(taskId, signal)).join('\n');
  const jobOwner = { organizationId, signal };
  const workspace = createWorkspace({
    tree,
    pages: pages.for(jobOwner),
    texts: texts.for(jobOwner),
    agent: model === undefined ? 'rules' : 'model',
    mayAsk: ask === 'allowed',
    request: prompt,
    date: task.createdAt,
    ...withoutUndefined({ newHostFile: newHostFileOf(site) }),
  });
  const turnsToReplay = checksDigests
    ? recordedTurns
    : recordedTurns.map(({ digest: _, ...turn }) => turn);
  const replayed = await replayTurns(workspace, prompt, turnsToReplay);
  const openedConversation = openRebuiltConversation(
    { ...replayed, ...(ask && { mayAsk: true }) },
    { workspace, jobOwner },
  );
  if (checksDigests && turns.digest !== undefined && turns.digest !== openedConversation.digest)
    throw turnsChanged();
  return openedConversation;
}

/** The error of an attempt during which somebody reset the workflow, so that its turns changed. */
const turnsChanged = () =>
  new DomainError(
    'CONFLICT',
    'The turns of the task have changed since this activity was scheduled',
  );
