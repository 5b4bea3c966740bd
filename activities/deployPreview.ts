import type { PageFile } from '../src/contract/site.ts';
import type { Deployed, DeployedPage, PreviewText } from '../src/contract/deployment.ts';
import { notesApart, type NotesTogether } from '../src/contract/packedNotes.ts';
import type { ActivityDeps } from './deps.ts';
import { openSite, type ResultArgument, resultOf } from './taskRepository.ts';

interface DeployPreview extends ResultArgument {
  /** The commit that the work began from. */
  base: string;
  pages: PageFile[];
  /** What a pull request says. */
  says?: PreviewNotes;
}

/** The title of a pull request, and the notes whose texts it shows. */
export interface PreviewNotes extends Pick<PreviewText, 'title'> {
  notes: NotesTogether;
}

interface PreviewedPage extends DeployedPage {
  editUrl: string;
}

export interface Previewed extends Omit<Deployed, 'pages'> {
  pages: PreviewedPage[];
}

/**
 * Shows the task's commit as its preview. Repeatable: the same commit goes to the same address.
 * Throws DEPLOYMENT_FAILED.
 */
export function createDeployPreview(
  deps: Pick<ActivityDeps, 'sites' | 'repositories' | 'hosting' | 'editAddress'>,
) {
  return async (argument: DeployPreview, signal: AbortSignal): Promise<Previewed> => {
    const { task, base, pages } = argument;
    const { site } = await openSite(deps, task);
    const result = resultOf(argument);
    const says = argument.says && textOf(argument.says);
    const deployed = await deps.hosting.deployPreview(
      { site, taskId: task.taskId, ...result, base, onto: task.ontoTaskId, pages, says },
      signal,
    );
    const withEditUrl = deployed.pages.map((page) => ({
      ...page,
      editUrl: deps.editAddress(result.heldBy, page.slug),
    }));
    return { ...deployed, pages: withEditUrl };
  };
}

const textOf = ({ title, notes }: PreviewNotes): PreviewText => ({
  title,
  notes: notesApart(notes).map(({ text }) => text),
});
