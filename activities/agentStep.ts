import { limits } from '../src/contract/task.ts';
import type { Turn } from '../src/agents/agent.ts';
import { createWorkspace, replay } from '../src/agents/workspace.ts';
import type { ActivityDeps, TaskRef } from './deps.ts';
import { bytesOf, refuseTooMuch } from './refuseTooMuch.ts';
import { baseOf, openSite } from './site.ts';

interface AgentStep {
  task: TaskRef;
  base: string;
  prompt: string;
  turns: Turn[];
  /** The language model that does the work; absent: the rules. */
  model?: string;
}

/**
 * One model call after the turns so far. Repeatable: its edits are only in its answer.
 * Throws NOT_UNDERSTOOD, CHANGED_BY_DEPLOY, LIMIT_EXCEEDED.
 */
export function createAgentStep(deps: Pick<ActivityDeps, 'sites' | 'repositories' | 'pages' | 'texts' | 'agents'>) {
  return async (
    { task, base, prompt, turns, model }: AgentStep,
    signal: AbortSignal,
  ): Promise<{ turn: Turn; done: boolean }> => {
    const { repository } = await openSite(deps, task);
    const tree = await repository.tree(baseOf({ task, base }), signal);
    const work = { organizationId: task.organizationId, signal };
    const workspace = createWorkspace({ tree, pages: deps.pages.for(work), texts: deps.texts.for(work) });
    const conversation = await replay(workspace, prompt, turns);
    const turn = await deps.agents.of(model).step({ ...conversation, taskId: task.taskId }, work);
    const { digest, finished } = await workspace.take(turn);
    const recorded = { ...turn, digest };
    const bytes = bytesOf([...turns, recorded]);
    refuseTooMuch(bytes, limits.turnsBytes, `The agent's turns have ${bytes} bytes`, 'are possible in one task');
    return { turn: recorded, done: finished };
  };
}
