import { type ModelQuestion, type UsageLimits, limits } from '../src/contract/task.ts';
import { withoutUndefined } from '../src/contract/withoutUndefined.ts';
import type { ModelTurn } from '../src/agents/shared/agentTypes.ts';
import type { LanguageModel } from '../src/agents/agentPorts.ts';
import type { GitRepository } from '../src/sites/git/repository.ts';
import { appendTurn, type OpenConversation } from '../src/agents/conversationCache.ts';
import { recordAnswer, type TurnOutcome } from '../src/agents/workspace.ts';
import { readFinishArguments } from '../src/agents/model/tools/finishTool.ts';
import {
  type ConversationArgument,
  type ConversationDependencies,
  openConversation,
} from './openConversation.ts';
import type { ActivityAttempt } from './activityAttempt.ts';
import type { ActivityDependencies, TaskRef } from './deps.ts';
import { countTime, refuseOverBudget, refuseRepeats } from './modelLimits.ts';
import { loadPictures } from './loadPictures.ts';
import { refuseTooMuch } from './historyLimits.ts';
import { openBase } from './openSite.ts';

interface AgentTurnInput extends ConversationArgument {
  base: string;
  /** Absent: there is no limit on changed pages. */
  budget?: UsageLimits;
  /** What people answered to the last turn's question. null: nobody answered. */
  answered?: string | null;
}

interface AgentTurnResult {
  turn: ModelTurn;
  done: boolean;
  /** The question to people that the turn asks. */
  asked?: ModelQuestion;
  /** Digest of all turns, including this one. */
  digest: string;
  /** The model's own summary, with its last turn. */
  summary?: string;
  /** Milliseconds of work, without waiting. Only for a task with a budget. */
  workedMs?: number;
}

type AgentTurnDependencies = Pick<ActivityDependencies, 'sites' | 'repositories' | 'agents'> &
  ConversationDependencies;

/**
 * Takes the next turn of a prompt task: one call of the language model, and the tools that its
 * answer calls, such as reading or editing a page. The rules do the whole prompt in one turn.
 * Repeatable: the edits are only in the returned turn, which `commitChanges` repeats. Throws
 * NOT_UNDERSTOOD, INVALID_INPUT, CHANGED_BY_DEPLOY, CONFLICT, LIMIT_EXCEEDED, CHECK_FAILED,
 * MODEL_FAILED, UNAVAILABLE.
 */
export function createRunAgentTurn(deps: AgentTurnDependencies) {
  return async (
    input: AgentTurnInput,
    signal: AbortSignal,
    attempt: ActivityAttempt,
  ): Promise<AgentTurnResult> => {
    const { task, model, budget, answered } = input;
    if (model !== undefined) countTime(attempt, budget);
    const { site, tree, repository } = await openBase(deps, input, signal);
    const conversation = await openConversation(deps, input, { site, tree, signal });
    const { workspace } = conversation;
    if (answered !== undefined) recordAnswer(conversation, answered);
    const turnContext = { conversation, repository, attempt };
    const {
      turn,
      results,
      digest,
      finished: done,
      asked,
    } = await takeTurn(deps, input, turnContext);
    const recordedTurn = { ...turn, digest, ...withoutUndefined({ answered }) };
    appendTurn(conversation, recordedTurn, results);
    const { bytes } = conversation;
    refuseTooMuch(
      bytes,
      limits.turnsBytes,
      `The turns of the agent have ${bytes} bytes`,
      'are allowed in one task',
    );
    if (model !== undefined) refuseRepeats(conversation.conversation);
    if (budget) refuseOverBudget(budget, workspace.counts());
    deps.conversations.keep(task.taskId, conversation);
    const finalText = model !== undefined && done ? finalSummary(turn) : undefined;
    return {
      turn: recordedTurn,
      done,
      digest: conversation.digest,
      ...withoutUndefined({ asked, summary: finalText, workedMs: budget && attempt.workedMs() }),
    };
  };
}

/** Asks the model for a turn. If that fails, keeps the conversation for the next attempt. */
async function askForTurn(
  { conversations }: AgentTurnDependencies,
  model: LanguageModel,
  { taskId, siteId }: Pick<TaskRef, 'taskId' | 'siteId'>,
  { conversation, repository }: Pick<TurnContext, 'conversation' | 'repository'>,
): Promise<ModelTurn> {
  try {
    const pictures = await loadPictures(repository, conversation.conversation);
    const turn = await model.step(
      { ...conversation.conversation, taskId, siteId, pictures },
      conversation.jobOwner,
    );
    conversation.jobOwner.signal?.throwIfAborted();
    return turn;
  } catch (error) {
    conversations.keep(taskId, conversation);
    throw error;
  }
}

interface TurnContext {
  conversation: OpenConversation;
  repository: Pick<GitRepository, 'blob'>;
  attempt: Pick<ActivityAttempt, 'setDetails'>;
}

/** Gets the next turn, and applies it to the conversation's workspace. */
async function takeTurn(
  deps: AgentTurnDependencies,
  { task, model }: AgentTurnInput,
  { conversation, repository, attempt }: TurnContext,
): Promise<TurnOutcome & { turn: ModelTurn }> {
  const { workspace, jobOwner } = conversation;
  const { prompt } = conversation.conversation;
  const agent = deps.agents.of(model);
  if ('carryOut' in agent) return agent.carryOut(workspace, prompt, jobOwner);
  const turn = await askForTurn(deps, agent, task, { conversation, repository });
  // the call is paid for, whatever fails after it
  if (turn.usage) attempt.setDetails({ usage: turn.usage });
  return { turn, ...(await workspace.runTurn(turn)) };
}

function finalSummary({ toolCalls }: ModelTurn): string | undefined {
  const finishCall = toolCalls.find(({ name }) => name === 'finish');
  return (finishCall && readFinishArguments(finishCall.arguments).summary) || undefined;
}
