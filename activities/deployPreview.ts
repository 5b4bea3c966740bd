import type { PageFile } from '../src/contract/site.ts';
import type {
  DeploymentResult,
  DeployedPage,
  PullRequestText,
} from '../src/contract/deployment.ts';
import { unpackNotes, type PackedNotes } from '../src/contract/notes/packNotes.ts';
import type { ActivityDependencies } from './deps.ts';
import { openSite, type ResultArgument, resultCommit } from './openSite.ts';

interface DeployPreviewInput extends ResultArgument {
  /** The commit that the work began from. */
  base: string;
  pages: PageFile[];
  /** The text of the pull request, if the host builds previews from one. */
  previewNotes?: PreviewNotes;
}

/** The title of a pull request, and the notes whose texts it shows. */
export interface PreviewNotes extends Pick<PullRequestText, 'title'> {
  notes: PackedNotes;
}

interface EditablePreviewPage extends DeployedPage {
  editUrl: string;
}

export interface DeployedPreview extends Omit<DeploymentResult, 'pages'> {
  pages: EditablePreviewPage[];
}

/**
 * Deploys the task's commit as its preview, and returns the pages with the URLs at which they are
 * read and edited. Repeatable: the same commit goes to the same address. Throws DEPLOYMENT_FAILED.
 */
export function createDeployPreview(
  deps: Pick<ActivityDependencies, 'sites' | 'repositories' | 'hosting' | 'editAddress'>,
) {
  return async (argument: DeployPreviewInput, signal: AbortSignal): Promise<DeployedPreview> => {
    const { task, base, pages } = argument;
    const { site } = await openSite(deps, task);
    const result = resultCommit(argument);
    const pullRequestText = argument.previewNotes && previewText(argument.previewNotes);
    const deployedPreview = await deps.hosting.deployPreview(
      {
        site,
        taskId: task.taskId,
        ...result,
        base,
        baseTaskId: task.baseTaskId,
        pages,
        pullRequestText,
      },
      signal,
    );
    const withEditUrl = deployedPreview.pages.map((page) => ({
      ...page,
      editUrl: deps.editAddress(result.retainedBy, page.slug),
    }));
    return { ...deployedPreview, pages: withEditUrl };
  };
}

const previewText = ({ title, notes }: PreviewNotes): PullRequestText => ({
  title,
  notes: unpackNotes(notes).map(({ text }) => text),
});
