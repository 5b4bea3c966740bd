import { type AskedQuestion, type Budget, limits } from '../src/contract/task.ts';
import { defined } from '../src/contract/defined.ts';
import type { Turn } from '../src/agents/agent.ts';
import type { LanguageModel } from '../src/agents/port.ts';
import type { Repository } from '../src/sites/git/repository.ts';
import { addTurn, type OpenConversation } from '../src/agents/conversations.ts';
import { hear, type Taken } from '../src/agents/workspace.ts';
import { endingOf } from '../src/agents/tools/model/finish.ts';
import {
  type ConversationArgument,
  type ConversationDeps,
  openConversation,
} from './openConversation.ts';
import type { Attempt } from './attempt.ts';
import type { ActivityDeps, TaskRef } from './deps.ts';
import { countTime, refuseOverBudget, refuseRepeats } from './modelLimits.ts';
import { loadPictures } from './loadPictures.ts';
import { refuseTooMuch } from './refuseTooMuch.ts';
import { openBase } from './taskRepository.ts';

interface AgentStep extends ConversationArgument {
  base: string;
  /** Absent: there is no limit on changed pages. */
  budget?: Budget;
  /** What people answered to the last turn's question; null: nobody did. */
  answered?: string | null;
}

interface Step {
  turn: Turn;
  done: boolean;
  /** The question to people that the turn asks. */
  asked?: AskedQuestion;
  /** Digest of all turns, including this one. */
  digest: string;
  /** The model's own summary, with its last turn. */
  summary?: string;
  /** Milliseconds of work, without waiting. Only for a task with a budget. */
  workedMs?: number;
}

type Deps = Pick<ActivityDeps, 'sites' | 'repositories' | 'agents'> & ConversationDeps;

/**
 * Makes one model call, after the turns so far. Repeatable: its edits are only in its answer.
 * Throws NOT_UNDERSTOOD, CHANGED_BY_DEPLOY, LIMIT_EXCEEDED, CHECK_FAILED, MODEL_FAILED,
 * UNAVAILABLE.
 */
export function createAgentStep(deps: Deps) {
  return async (step: AgentStep, signal: AbortSignal, attempt: Attempt): Promise<Step> => {
    const { task, model, budget, answered } = step;
    if (model !== undefined) countTime(attempt, budget);
    const { site, tree, repository } = await openBase(deps, step, signal);
    const conversation = await openConversation(deps, step, { site, tree, signal });
    const { workspace } = conversation;
    if (answered !== undefined) hear(conversation, answered);
    const taking = { conversation, repository, attempt };
    const { turn, results, digest, finished: done, asked } = await take(deps, step, taking);
    const recorded = { ...turn, digest, ...defined({ answered }) };
    addTurn(conversation, recorded, results);
    const { bytes } = conversation;
    refuseTooMuch(
      bytes,
      limits.turnsBytes,
      `The agent's turns have ${bytes} bytes`,
      'are possible in one task',
    );
    if (model !== undefined) refuseRepeats(conversation.conversation);
    if (budget) refuseOverBudget(budget, workspace.counts());
    deps.conversations.keep(task.taskId, conversation);
    const said = model !== undefined && done ? saidAtEnd(turn) : undefined;
    return {
      turn: recorded,
      done,
      digest: conversation.digest,
      ...defined({ asked, summary: said, workedMs: budget && attempt.workedMs() }),
    };
  };
}

/** Asks the model for a turn. If that fails, keeps the conversation for the next attempt. */
async function nextTurn(
  { conversations }: Deps,
  model: LanguageModel,
  { taskId, siteId }: Pick<TaskRef, 'taskId' | 'siteId'>,
  { conversation, repository }: Pick<Taking, 'conversation' | 'repository'>,
): Promise<Turn> {
  try {
    const pictures = await loadPictures(repository, conversation.conversation);
    const turn = await model.step(
      { ...conversation.conversation, taskId, siteId, pictures },
      conversation.work,
    );
    conversation.work.signal?.throwIfAborted();
    return turn;
  } catch (error) {
    conversations.keep(taskId, conversation);
    throw error;
  }
}

interface Taking {
  conversation: OpenConversation;
  repository: Pick<Repository, 'blob'>;
  attempt: Pick<Attempt, 'setDetails'>;
}

/** Gets the next turn, and applies it to the conversation's workspace. */
async function take(
  deps: Deps,
  { task, model }: AgentStep,
  { conversation, repository, attempt }: Taking,
): Promise<Taken & { turn: Turn }> {
  const { workspace, work } = conversation;
  const { prompt } = conversation.conversation;
  const agent = deps.agents.of(model);
  if ('carryOut' in agent) return agent.carryOut(workspace, prompt, work);
  const turn = await nextTurn(deps, agent, task, { conversation, repository });
  // the call is paid for, whatever fails after it
  if (turn.usage) attempt.setDetails({ usage: turn.usage });
  return { turn, ...(await workspace.take(turn)) };
}

function saidAtEnd({ toolCalls }: Turn): string | undefined {
  const finish = toolCalls.find(({ name }) => name === 'finish');
  return (finish && endingOf(finish.arguments).summary) || undefined;
}
