import {
  type RulesEdit,
  editHandlers,
  type RulesQuery,
} from '../../../../../src/agents/shared/tools/rulesCalls.ts';
import { createWorkspace } from '../../../../../src/agents/workspace.ts';
import { DomainError } from '../../../../../src/errors.ts';
import type { Tree } from '../../../../../src/sites/git/repository.ts';
import type { PageMethods } from '../../../../../src/sites/pages/pages.ts';
import { texts } from '../../../../helpers/texts.ts';

/** The calls of the rules on a site, with the files that they changed. */
export function openCalls(tree: Tree, pages: PageMethods) {
  const workspace = createWorkspace({ tree, pages, texts });
  const edit = (name: RulesEdit['name'], args: object) =>
    workspace.edit({ name, arguments: args } as RulesEdit);
  const answer = async <T>(name: RulesQuery['name'], args: object) =>
    (await workspace.answer({ name, arguments: args } as never)) as T;
  const refusal = (name: (RulesEdit | RulesQuery)['name'], args: object) =>
    (name in editHandlers
      ? edit(name as RulesEdit['name'], args)
      : answer(name as RulesQuery['name'], args)
    ).then(
      () => 'not refused',
      (error: unknown) => {
        if (error instanceof DomainError) return error.message;
        throw error;
      },
    );
  const changed = () => new Map(workspace.changes().map(({ path, content }) => [path, content]));
  return { workspace, edit, answer, refusal, changed };
}
