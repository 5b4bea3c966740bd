import { path } from '../../../../browser/path.ts';
import { useState } from 'preact/hooks';
import { useAccount } from '../../client/session.ts';
import type { ListedShare, Site } from '../../../../contract/answers.ts';
import { useList } from '../../useData.ts';
import { Button, Toggle } from '../../ui/controls.tsx';
import { Empty, Loaded, More } from '../../ui/states.tsx';
import { ListTable } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { makerOf } from '../../liveAddress.ts';
import { accessWords, endLink } from '../shareDialog.tsx';
import { Card } from './card.tsx';

/** Every link of the organization for people without an account. */
export function Shares() {
  const { user } = useAccount();
  const [whose, setWhose] = useState<'all' | 'own'>('all');
  const createdBy = whose === 'own' ? user.userId : undefined;
  const shares = useList<ListedShare>(path`/shares`, 'shares', {
    limit: 50,
    ...(createdBy && { createdBy }),
  });
  const { data: sites = [] } = useList<Site>(path`/sites`, 'sites', { limit: 100 });
  return (
    <Card
      title="Shared links"
      lead="Links in force: whoever has one sees pages without an account. A task's Share makes them."
      actions={
        <Toggle
          label="Which links"
          value={whose}
          onChange={setWhose}
          choices={[
            { value: 'all', text: 'All' },
            { value: 'own', text: 'Yours' },
          ]}
        />
      }
    >
      <Loaded of={shares}>
        {(list) =>
          list.length === 0 ? (
            <Empty icon="shared" title="No links in force">
              Open a finished task and choose Share to let somebody without an account look at its
              pages.
            </Empty>
          ) : (
            <ShareTable shares={list} sites={sites} reload={shares.reload} />
          )
        }
      </Loaded>
      <More more={shares.more} />
    </Card>
  );
}

interface TableProps {
  shares: ListedShare[];
  sites: Site[];
  reload: () => void;
}

const ShareTable = ({ shares, sites, reload }: TableProps) => (
  <ListTable columns={['Pages', 'People can', 'Ends']} hasActions>
    {shares.map((share) => (
      <tr key={share.shareId}>
        <td class="main">
          <a class="title" href={`/tasks/${share.taskId}`}>
            {share.title ?? 'A task'}
          </a>
          <span class="under">
            {sites.find(({ siteId }) => siteId === share.siteId)?.name}
            {makerOf(share.createdBy) && ` · by ${makerOf(share.createdBy)}`}
          </span>
        </td>
        <td>{accessWords(share)}</td>
        <td class="muted">
          <Time at={share.expiresAt} />
        </td>
        <td class="end">
          <Button
            little
            look="danger"
            onClick={() => endLink(share, reload)}
            label={`End the link to ${share.title ?? 'the pages of a task'}`}
          >
            End
          </Button>
        </td>
      </tr>
    ))}
  </ListTable>
);
