import { expect } from 'chai';
import { carryOutPrompt as carryOutOn } from '../../../../../src/agents/rules/carryOutPrompt.ts';
import { advanceStep, planPrompt } from '../../../../../src/agents/rules/prompt/planPrompt.ts';
import {
  createWorkspace,
  replayTurns,
  type Workspace,
} from '../../../../../src/agents/workspace.ts';
import type { RulesCalls } from '../../../../../src/agents/rules/rulesWorker.ts';
import type { ThreadCall } from '../../../../../src/threads/threadCalls.ts';
import type { Tree } from '../../../../../src/sites/git/repository.ts';
import type { PageMethods } from '../../../../../src/sites/pages/pages.ts';
import { texts } from '../../../../helpers/texts.ts';

/** The rules' reader, without its threads. What comes from a thread is a copy. */
const calls: Record<string, (...args: never[]) => unknown> = {
  planOf: planPrompt,
  advance: advanceStep,
};
export const callRules: ThreadCall<RulesCalls> = async (name, ...args) =>
  structuredClone(calls[name]!(...(structuredClone<unknown[]>(args) as never[]))) as never;

/** A prompt carried out as tasks do it, and once more from its recorded turn, as after a kill. */
export async function carryOut(tree: Tree, pages: PageMethods, prompt: string) {
  const { turn, digest, ...carried } = await carryOutAtOnce(tree, pages, prompt);
  const again = createWorkspace({ tree, pages, texts });
  await replayTurns(again, prompt, [{ ...turn, digest }]);
  expect(changedIn(again)).to.deep.equal(carried.changed);
  return { ...carried, turn };
}

/** The same on one workspace, without what repeats. */
export async function carryOutAtOnce(tree: Tree, pages: PageMethods, prompt: string) {
  const workspace = createWorkspace({ tree, pages, texts });
  const { turn, digest } = await carryOutOn(callRules, workspace, prompt);
  return { workspace, turn, digest, changed: changedIn(workspace) };
}

const changedIn = (workspace: Workspace) =>
  new Map(workspace.changes().map(({ path, content }) => [path, content]));
