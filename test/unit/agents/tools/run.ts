import { type Edit, edits, type Reading } from '../../../../src/agents/siteCalls.ts';
import { createWorkspace } from '../../../../src/agents/workspace.ts';
import { DomainError } from '../../../../src/errors.ts';
import type { Tree } from '../../../../src/sites/git/repository.ts';
import type { Pages } from '../../../../src/sites/pages/pages.ts';
import { texts } from '../../../helpers/texts.ts';

/** The calls of the rules on a site, with the files that they changed. */
export function openCalls(tree: Tree, pages: Pages) {
  const workspace = createWorkspace({ tree, pages, texts });
  const edit = (name: Edit['name'], args: object) =>
    workspace.edit({ name, arguments: args } as Edit);
  const answer = async <T>(name: Reading['name'], args: object) =>
    (await workspace.answer({ name, arguments: args } as never)) as T;
  const refusal = (name: (Edit | Reading)['name'], args: object) =>
    (name in edits ? edit(name as Edit['name'], args) : answer(name as Reading['name'], args)).then(
      () => 'not refused',
      (error: unknown) => {
        if (error instanceof DomainError) return error.message;
        throw error;
      },
    );
  const changed = () => new Map(workspace.changes().map(({ path, content }) => [path, content]));
  return { workspace, edit, answer, refusal, changed };
}
