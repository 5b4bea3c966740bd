import { defined } from '../../../../src/contract/defined.ts';
import type { Toolset } from '../../../../src/agents/tools.ts';
import { texts } from '../../../helpers/texts.ts';
import { createWorkspace } from '../../../../src/agents/workspace.ts';
import type { Pages } from '../../../../src/sites/pages/pages.ts';
import type { Tree } from '../../../../src/sites/git/repository.ts';

/** Tools on a site, with the files that they changed. */
export function openTools(tree: Tree, pages: Pages, toolset?: Toolset) {
  const workspace = createWorkspace({ tree, pages, texts, ...defined({ toolset }) });
  const run = (name: string, args: Record<string, unknown>) => workspace.run({ id: 'c', name, arguments: args });
  const done = async (name: string, args: Record<string, unknown>) => {
    const { content, isError } = await run(name, args);
    if (isError) throw new Error(content);
    return content;
  };
  const json = async <T>(name: string, args: Record<string, unknown>) => JSON.parse(await done(name, args)) as T;
  const refusal = async (name: string, args: Record<string, unknown>) => {
    const { content, isError } = await run(name, args);
    return isError ? content : `not refused: ${content}`;
  };
  const changed = () => new Map(workspace.changes().map(({ path, content }) => [path, content]));
  return { workspace, done, json, refusal, changed };
}
