import { expect } from 'chai';
import { carryOut as carryOutOn, type Reader } from '../../../../../src/agents/rules/carryOut.ts';
import { advance, planOf } from '../../../../../src/agents/rules/prompt/promptJobs.ts';
import { createWorkspace, replay, type Workspace } from '../../../../../src/agents/workspace.ts';
import type { Tree } from '../../../../../src/sites/git/repository.ts';
import type { Pages } from '../../../../../src/sites/pages/pages.ts';
import { texts } from '../../../../helpers/texts.ts';

/** The rules' reader, without its threads. What comes from a thread is a copy. */
export const reader: Reader = {
  plan: async (request) => structuredClone(planOf(structuredClone(request))),
  advance: async (...work) => structuredClone(advance(...structuredClone(work))),
};

/** A prompt carried out as tasks do it, and once more from its recorded turn, as after a kill. */
export async function carryOut(tree: Tree, pages: Pages, prompt: string) {
  const { turn, digest, ...carried } = await carryOutAtOnce(tree, pages, prompt);
  const again = createWorkspace({ tree, pages, texts });
  await replay(again, prompt, [{ ...turn, digest }]);
  expect(changedIn(again)).to.deep.equal(carried.changed);
  return { ...carried, turn };
}

/** The same on one workspace, without what repeats. */
export async function carryOutAtOnce(tree: Tree, pages: Pages, prompt: string) {
  const workspace = createWorkspace({ tree, pages, texts });
  const { turn, digest } = await carryOutOn(reader, workspace, prompt);
  return { workspace, turn, digest, changed: changedIn(workspace) };
}

const changedIn = (workspace: Workspace) =>
  new Map(workspace.changes().map(({ path, content }) => [path, content]));
