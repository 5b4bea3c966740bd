import { hostPath } from '../../../../browser/hostPath.ts';
import { useState } from 'preact/hooks';
import { useAccount } from '../../client/session.ts';
import type { ListedShareResponse, SiteSummary } from '../../../../contract/responses.ts';
import { useList, useSites } from '../../useData.ts';
import { Button, Toggle } from '../../ui/controls.tsx';
import { Empty } from '../../ui/states.tsx';
import { ListedTable, MainCell, TimeCell } from '../../ui/table.tsx';
import { creatorName } from '../../words/taskWords.ts';
import { accessWords, askToEndLink } from '../tasks/shareDialog.tsx';
import { Card } from '../../ui/card.tsx';

/** Lists the organization's links for people without an account. */
export function SharesCard() {
  const { user } = useAccount();
  const [whose, setWhose] = useState<'all' | 'own'>('all');
  const shares = useList<ListedShareResponse>(hostPath`/shares`, 'shares', {
    limit: 50,
    createdBy: whose === 'own' ? user.userId : undefined,
  });
  const { data: sites = [] } = useSites();
  return (
    <Card
      title="Share links"
      lead="Everybody who has one of these links can see its pages without an account. To create a link, choose Share on a task or a batch."
      actions={
        <Toggle
          label="Which links"
          value={whose}
          onChange={setWhose}
          choices={[
            ['all', 'All'],
            ['own', 'Yours'],
          ]}
        />
      }
    >
      <ListedTable
        of={shares}
        empty={
          <Empty icon="shared" title="No active links">
            Open a finished task or a batch and choose Share to let somebody without an account look
            at its pages.
          </Empty>
        }
        columns={['Pages', 'People can', 'Expires']}
        hasActions
        row={(share) => (
          <ShareRow
            key={share.shareId}
            share={share}
            site={sites.find(({ siteId }) => siteId === share.siteId)}
            reload={shares.reload}
          />
        )}
      />
    </Card>
  );
}

interface ShareRowProps {
  share: ListedShareResponse;
  site: SiteSummary | undefined;
  reload: () => void;
}

const ShareRow = ({ share, site, reload }: ShareRowProps) => (
  <tr>
    <MainCell
      href={share.batchId === null ? `/tasks/${share.taskId}` : `/batches/${share.batchId}`}
      title={share.title ?? (share.batchId === null ? 'A task' : 'A batch')}
    >
      {site?.name}
      {creatorName(share.createdBy) && ` · by ${creatorName(share.createdBy)}`}
    </MainCell>
    <td>{accessWords(share)}</td>
    <TimeCell at={share.expiresAt} />
    <td class="end">
      <Button
        little
        look="danger"
        onClick={() => askToEndLink(share, reload)}
        label={`Revoke the link to ${share.title ?? 'these pages'}`}
      >
        Revoke
      </Button>
    </td>
  </tr>
);
