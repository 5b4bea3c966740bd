import type { Turn } from '../../../../../src/agents/agent.ts';
import { nextTurn } from '../../../../../src/agents/rules/prompt/step.ts';
import { texts } from '../../../../helpers/texts.ts';
import { createWorkspace, replay } from '../../../../../src/agents/workspace.ts';
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
    if (finished)
      return { turns, workspace, changed: new Map(workspace.changes().map(({ path, content }) => [path, content])) };
  }
  throw new Error(`Not finished after ${TURNS} turns: ${prompt}`);
}
