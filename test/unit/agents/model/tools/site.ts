import { resolve } from 'node:path';
import { texts } from '../../../../helpers/texts.ts';
import { createWorkspace } from '../../../../../src/agents/workspace.ts';
import type { Tree } from '../../../../../src/sites/git/repository.ts';
import type { PageMethods } from '../../../../../src/sites/pages/pages.ts';
import { folderTree } from '../../memoryTree.ts';

export const demo = folderTree(resolve(import.meta.dirname, '../../../../../src/demo/site'));

/** The tools of a language model on a site, with the files that they changed. */
export function openModelTools(tree: Tree, pages: PageMethods) {
  const date = '2026-11-30T12:34:56.789Z';
  const workspace = createWorkspace({ tree, pages, texts, agent: 'model', date });
  const run = (name: string, args: object) =>
    workspace.runCall({ id: 'c', name, arguments: { ...args } });
  const done = async (name: string, args: object) => {
    const { content, isError } = await run(name, args);
    if (isError) throw new Error(content);
    return content;
  };
  const refusal = async (name: string, args: object) => {
    const { content, isError } = await run(name, args);
    return isError ? content : `not refused: ${content}`;
  };
  const changed = () => new Map(workspace.changes().map(({ path, content }) => [path, content]));
  return { workspace, done, refusal, changed };
}

/** A tree with an entry of another kind, such as a symbolic link. */
export const withMode = (tree: Tree, path: string, mode: string): Tree => ({
  ...tree,
  entries: new Map(
    [...tree.entries].map(([key, entry]) => [key, key === path ? { ...entry, mode } : entry]),
  ),
});
