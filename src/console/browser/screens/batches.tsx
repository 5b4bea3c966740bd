import { path } from '../../../browser/path.ts';
import type { Batch, Site } from '../../../contract/answers.ts';
import { countWords } from '../batchWords.ts';
import { makerOf } from '../taskWords.ts';
import { useList } from '../useData.ts';
import { Card } from '../ui/card.tsx';
import { More } from '../ui/states.tsx';
import { ListTable, MainCell, TimeCell } from '../ui/table.tsx';
import { BatchState } from './batch.tsx';

const EVERY_MS = 4_000;
const SHOWN = 5;

/** The latest batches; nothing if there is none. */
export function Batches({ siteId, sites }: { siteId: string | undefined; sites: Site[] }) {
  const { data = [], more } = useList<Batch>(
    path`/agent/batches`,
    'batches',
    { siteId, limit: SHOWN },
    EVERY_MS,
  );
  if (data.length === 0) return null;
  const nameOf = (id: string) => sites.find((site) => site.siteId === id)?.name ?? 'A removed site';
  return (
    <Card title="Batches" lead="Pages from tables of more than ten rows.">
      <ListTable isLinked columns={['Batch', 'State', 'By', 'When']}>
        {data.map((batch) => (
          <tr key={batch.batchId}>
            <MainCell href={path`/batches/${batch.batchId}`.toString()} title={batch.title}>
              {nameOf(batch.siteId)} · {countWords(batch.rows)}
            </MainCell>
            <td>
              <BatchState batch={batch} />
            </td>
            <td class="muted">{makerOf(batch.createdBy) || '—'}</td>
            <TimeCell at={batch.finishedAt ?? batch.createdAt} />
          </tr>
        ))}
      </ListTable>
      <More more={more} />
    </Card>
  );
}
