import { path } from '../../../browser/path.ts';
import { api, post } from '../client/api.ts';
import type {
  Deployment,
  PageChanges,
  PageNames,
  Site,
  Started,
} from '../../../contract/answers.ts';
import { forgetData, useList } from '../useData.ts';
import { navigate } from '../router.ts';
import { Button } from '../ui/controls.tsx';
import { confirm } from '../ui/dialog.tsx';
import { Dot, Empty } from '../ui/states.tsx';
import { toast } from '../ui/toasts.tsx';
import { calledBy, deploymentWords } from '../taskWords.ts';
import { ListedTable, MainCell, TimeCell } from '../ui/table.tsx';
import { count, pageNames } from '../../../browser/counts.ts';

/** Lists the versions of a site that went live. Each of them can go live again. */
export function Deployments({ site }: { site: Site }) {
  const list = useList<Deployment>(path`/sites/${site.siteId}/deployments`, 'deployments');
  return (
    <section class="card" aria-label="Deployments">
      <ListedTable
        of={list}
        empty={
          <Empty icon="branch" title="Nothing went live yet">
            Publish a task’s pages, and each version of the site stands here. Any of them can be put
            live again.
          </Empty>
        }
        columns={['Version', 'When', 'State']}
        hasActions
        row={(each) => <Row key={each.deploymentId} site={site} deployment={each} />}
      />
    </section>
  );
}

function Row({ site, deployment }: { site: Site; deployment: Deployment }) {
  const { name, restores, pages, message, commit, taskId, at, isLive, canRestore } = deployment;
  const title = calledBy(name, restores);
  return (
    <tr>
      <MainCell href={taskId ? `/tasks/${taskId}` : undefined} title={title}>
        {deploymentWords(pages)} · {!taskId && message && `${message} · `}
        <span class="mono">{commit.slice(0, 8)}</span>
      </MainCell>
      <TimeCell at={at} />
      <td>{isLive ? <Dot kind="good">Live</Dot> : <Dot kind="">Earlier</Dot>}</td>
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

async function askToRestore(site: Site, { deploymentId, at }: Deployment): Promise<void> {
  const restore = path`/sites/${site.siteId}/deployments/${deploymentId}/restore`;
  const changes = await api<PageChanges>(restore);
  const when = new Date(at).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' });
  confirm({
    title: 'Put this version live again?',
    text: `The live site of ${site.name} becomes what it was on ${when}. What went live since stays in the repository’s history.`,
    details: <Restores changes={changes} />,
    submit: 'Put live again',
    isDanger: false,
    async onSubmit() {
      const { taskId } = await post<Started>(restore);
      forgetData();
      toast('It is on its way');
      navigate(`/tasks/${taskId}`);
    },
  });
}

/** Lists what changes when an earlier version goes live again. */
function Restores({ changes: { created, modified, deleted } }: { changes: PageChanges }) {
  if (created.count + modified.count + deleted.count === 0) return <p>No page changes.</p>;
  return (
    <ul>
      <Line pages={deleted} one="page would be gone" many="pages would be gone" />
      <Line
        pages={modified}
        one="page returns to its older text"
        many="pages return to their older texts"
      />
      <Line pages={created} one="page comes back" many="pages come back" />
    </ul>
  );
}

const Line = ({ pages, one, many }: { pages: PageNames; one: string; many: string }) =>
  pages.count > 0 && (
    <li>
      {count(pages.count, one, many)}: {pageNames(pages)}
    </li>
  );
