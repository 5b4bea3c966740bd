import { hostPath } from '../../../../browser/hostPath.ts';
import { api, post } from '../../client/api.ts';
import type {
  DeploymentResponse,
  PushedPages,
  PageNames,
  SiteSummary,
  StartedTaskResponse,
} from '../../../../contract/responses.ts';
import { forgetData, useList } from '../../useData.ts';
import { navigate } from '../../router.ts';
import { Button } from '../../ui/controls.tsx';
import { askToConfirm } from '../../ui/dialog.tsx';
import { StateDot, Empty } from '../../ui/states.tsx';
import { toast } from '../../ui/toasts.tsx';
import { displayName, deploymentWords } from '../../words/taskWords.ts';
import { ListedTable, MainCell, TimeCell } from '../../ui/table.tsx';
import { countNoun, pageNames } from '../../../../browser/counts.ts';

/** Lists the versions of a site that went live. Each of them can go live again. */
export function DeploymentHistory({ site }: { site: SiteSummary }) {
  const deployments = useList<DeploymentResponse>(
    hostPath`/sites/${site.siteId}/deployments`,
    'deployments',
  );
  return (
    <section class="card" aria-label="Deployments">
      <ListedTable
        of={deployments}
        empty={
          <Empty icon="branch" title="Nothing has been published yet">
            After you publish pages, each version of the site is listed here. You can put any of
            them live again.
          </Empty>
        }
        columns={['Version', 'When', 'State']}
        hasActions
        row={(deployment) => (
          <DeploymentRow key={deployment.deploymentId} site={site} deployment={deployment} />
        )}
      />
    </section>
  );
}

function DeploymentRow({
  site,
  deployment,
}: {
  site: SiteSummary;
  deployment: DeploymentResponse;
}) {
  const { name, restores, pages, message, commit, taskId, at, isLive, canRestore } = deployment;
  const title = displayName(name, restores);
  return (
    <tr>
      <MainCell href={taskId ? `/tasks/${taskId}` : undefined} title={title}>
        {deploymentWords(pages)} · {!taskId && message && `${message} · `}
        <span class="mono">{commit.slice(0, 8)}</span>
      </MainCell>
      <TimeCell at={at} />
      <td>
        {isLive ? <StateDot kind="good">Live</StateDot> : <StateDot kind="">Earlier</StateDot>}
      </td>
      <td class="end">
        {canRestore && !isLive && (
          <Button
            little
            label={`Put live again: ${title}`}
            onClick={() => askToRestore(site, deployment)}
          >
            Put live again
          </Button>
        )}
      </td>
    </tr>
  );
}

async function askToRestore(
  site: SiteSummary,
  { deploymentId, at }: DeploymentResponse,
): Promise<void> {
  const restorePath = hostPath`/sites/${site.siteId}/deployments/${deploymentId}/restore`;
  const changes = await api<PushedPages>(restorePath);
  const deployedAt = new Date(at).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' });
  askToConfirm({
    title: 'Put this version live again?',
    text: `The live site of ${site.name} returns to its version of ${deployedAt}. Everything published after it stays in the repository’s history.`,
    details: <RestoreChanges changes={changes} />,
    submit: 'Put live again',
    isDanger: false,
    async onSubmit() {
      const { taskId } = await post<StartedTaskResponse>(restorePath);
      forgetData();
      toast('The version is being put live');
      navigate(`/tasks/${taskId}`);
    },
  });
}

/** Lists what changes when an earlier version goes live again. */
function RestoreChanges({ changes: { created, modified, deleted } }: { changes: PushedPages }) {
  if (created.count + modified.count + deleted.count === 0) return <p>No page changes.</p>;
  return (
    <ul>
      <RestoreLine pages={deleted} one="page would be removed" many="pages would be removed" />
      <RestoreLine
        pages={modified}
        one="page returns to its older text"
        many="pages return to their older texts"
      />
      <RestoreLine pages={created} one="page comes back" many="pages come back" />
    </ul>
  );
}

const RestoreLine = ({
  pages,
  one: singularWords,
  many: pluralWords,
}: {
  pages: PageNames;
  one: string;
  many: string;
}) =>
  pages.count > 0 && (
    <li>
      {countNoun(pages.count, singularWords, pluralWords)}: {pageNames(pages)}
    </li>
  );
