import { hostPath } from '../../../../browser/hostPath.ts';
import type { BatchResponse, SiteSummary } from '../../../../contract/responses.ts';
import { countWords } from '../../words/batchWords.ts';
import { creatorName } from '../../words/taskWords.ts';
import { useList } from '../../useData.ts';
import { Card } from '../../ui/card.tsx';
import { MoreButton } from '../../ui/states.tsx';
import { ListTable, MainCell, TimeCell } from '../../ui/table.tsx';
import { BatchState } from './batch.tsx';

const REFRESH_MS = 4_000;
const SHOWN_BATCHES = 5;

/** The latest batches; nothing if there is none. */
export function Batches({ siteId, sites }: { siteId: string | undefined; sites: SiteSummary[] }) {
  const { data = [], more } = useList<BatchResponse>(
    hostPath`/agent/batches`,
    'batches',
    { siteId, limit: SHOWN_BATCHES },
    REFRESH_MS,
  );
  if (data.length === 0) return null;
  const siteName = (id: string) =>
    sites.find((site) => site.siteId === id)?.name ?? 'A removed site';
  return (
    <Card title="Batches" lead="Pages from tables of more than ten rows.">
      <ListTable isLinked columns={['Batch', 'State', 'By', 'When']}>
        {data.map((batch) => (
          <tr key={batch.batchId}>
            <MainCell href={hostPath`/batches/${batch.batchId}`.toString()} title={batch.title}>
              {siteName(batch.siteId)} · {countWords(batch.rows)}
            </MainCell>
            <td>
              <BatchState batch={batch} />
            </td>
            <td class="muted">{creatorName(batch.createdBy) || '—'}</td>
            <TimeCell at={batch.finishedAt ?? batch.createdAt} />
          </tr>
        ))}
      </ListTable>
      <MoreButton more={more} />
    </Card>
  );
}
