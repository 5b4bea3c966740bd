import type { Turn } from '../../../../../src/agents/agent.ts';
import { nextTurn } from '../../../../../src/agents/rules/prompt/step.ts';
import { texts } from '../../../../helpers/texts.ts';
import { createWorkspace, replay, type Workspace } from '../../../../../src/agents/workspace.ts';
import type { Pages } from '../../../../../src/sites/pages/pages.ts';
import type { Tree } from '../../../../../src/sites/git/repository.ts';

const TURNS = 60;

/** A prompt carried out as the activity does it: every step on a fresh workspace. */
export async function carryOut(tree: Tree, pages: Pages, prompt: string) {
  const turns: Turn[] = [];
  while (turns.length < TURNS) {
    const workspace = createWorkspace({ tree, pages, texts });
    const conversation = await replay(workspace, prompt, turns);
    const turn = nextTurn({ ...conversation, taskId: 'bg-1' });
    const { digest, finished } = await workspace.take(turn);
    turns.push({ ...turn, digest });
    if (finished) return { turns, workspace, changed: changedIn(workspace) };
  }
  throw new Error(`Not finished after ${TURNS} turns: ${prompt}`);
}

/** The same on one workspace, without what repeats. */
export async function carryOutAtOnce(tree: Tree, pages: Pages, prompt: string) {
  const workspace = createWorkspace({ tree, pages, texts });
  const conversation = await replay(workspace, prompt, []);
  while (conversation.turns.length < TURNS) {
    const turn = nextTurn({ ...conversation, taskId: 'bg-1' });
    const { results, finished } = await workspace.take(turn);
    conversation.turns.push({ turn, results });
    if (finished) return { workspace, changed: changedIn(workspace) };
  }
  throw new Error(`Not finished after ${TURNS} turns: ${prompt}`);
}

const changedIn = (workspace: Workspace) => new Map(workspace.changes().map(({ path, content }) => [path, content]));
