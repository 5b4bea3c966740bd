import { useState } from 'preact/hooks';
import { hostPath } from '../../../../browser/hostPath.ts';
import type { BatchRowResponse } from '../../../../contract/responses.ts';
import { rowStateWords, rowWords, totalRows } from '../../words/batchWords.ts';
import { setQuery, usePlace } from '../../router.ts';
import { useAnswer } from '../../useData.ts';
import { Button, type SelectChoice, OutsideLink, Select } from '../../ui/controls.tsx';
import { StateDot, Empty, Loaded } from '../../ui/states.tsx';
import { ListTable, MainCell } from '../../ui/table.tsx';
import {
  type BatchActionsProps,
  askToSkip,
  askToSkipFailed,
  sendBatchCommand,
} from './batchActions.tsx';

const ROWS = 50;
const LIVE_EVERY_MS = 3_000;

interface RowListPart {
  rows: BatchRowResponse[];
  nextCursor: string | null;
}

/** The rows of a batch, 50 at a time. The URL's query says which state of rows is shown. */
export function BatchRowTable(props: BatchActionsProps) {
  const { batchId, rows } = props.batch;
  const state = usePlace().query.get('state') ?? '';
  const choices = rowStateWords
    .filter((rowState) => rows[rowState] > 0 || rowState === state)
    .map((rowState): SelectChoice => [rowState, `${rowWords[rowState][1]} (${rows[rowState]})`]);
  return (
    <section class="card" aria-label="Rows">
      <div class="card-head">
        <h2>Rows</h2>
        <span class="row">
          {props.batch.status !== 'cancelled' && rows.failed > 0 && (
            <Button little onClick={() => askToSkipFailed(props)}>
              Skip {rows.failed} failed
            </Button>
          )}
          <Select
            aria-label="State"
            value={state}
            onChange={(chosenState) => setQuery({ state: chosenState })}
            choices={[['', `Any state (${totalRows(rows)})`], ...choices]}
          />
        </span>
      </div>
      <RowListParts key={batchId + state} {...props} state={state} />
    </section>
  );
}

/** The numbers of the shown rows: `51 to 100`. */
function rowRange({ rows }: RowListPart = { rows: [], nextCursor: null }): string {
  const [firstRow, lastRow] = [rows[0], rows.at(-1)];
  return firstRow && lastRow ? `${firstRow.number} to ${lastRow.number}` : '';
}

function RowListParts({ state, ...props }: BatchActionsProps & { state: string }) {
  const [cursorsBefore, setBefore] = useState<string[]>([]);
  const rowPart = useAnswer<RowListPart>(
    hostPath`/agent/batches/${props.batch.batchId}/rows`,
    { state, limit: ROWS, cursor: cursorsBefore.at(-1) },
    LIVE_EVERY_MS,
  );
  const onChange: BatchActionsProps['onChange'] = (batch) => {
    props.onChange(batch);
    rowPart.reload();
  };
  const nextCursor = rowPart.data?.nextCursor;
  return (
    <>
      <Loaded of={rowPart} lines={6}>
        {({ rows }) =>
          rows.length === 0 ? (
            <Empty icon="table" title="No row is in this state" />
          ) : (
            <ListTable hasActions columns={['Page', 'State', 'Own text', 'Open']}>
              {rows.map((row) => (
                <BatchRowLine key={row.number} row={row} batch={props.batch} onChange={onChange} />
              ))}
            </ListTable>
          )
        }
      </Loaded>
      {(cursorsBefore.length > 0 || nextCursor) && (
        <div class="more row">
          <Button
            little
            disabled={cursorsBefore.length === 0}
            onClick={() => setBefore(cursorsBefore.slice(0, -1))}
          >
            Earlier rows
          </Button>
          <span class="muted small">{rowRange(rowPart.data)}</span>
          <Button
            little
            disabled={!nextCursor}
            onClick={() => nextCursor && setBefore([...cursorsBefore, nextCursor])}
          >
            Later rows
          </Button>
        </div>
      )}
    </>
  );
}

function BatchRowLine({ row, ...props }: BatchActionsProps & { row: BatchRowResponse }) {
  const { number, targetPageSlug, externalId, state, error, ownShare } = row;
  const [kind, stateWords] = rowWords[state];
  return (
    <tr aria-label={`Row ${number}`}>
      <MainCell title={`${number}. ${targetPageSlug}`}>
        {externalId}
        {error !== undefined && <span class="under bad">{error}</span>}
      </MainCell>
      <td>
        <StateDot kind={kind}>{stateWords}</StateDot>
      </td>
      <td class="muted">{ownShare !== undefined && `${Math.round(ownShare * 100)} %`}</td>
      <td>
        <RowLinks row={row} />
      </td>
      <td class="end">
        <RowActions row={row} {...props} />
      </td>
    </tr>
  );
}

const RowLinks = ({ row: { previewUrl, editUrl, publishedUrl } }: { row: BatchRowResponse }) => (
  <span class="row">
    {previewUrl && <OutsideLink href={previewUrl}>Preview</OutsideLink>}
    {editUrl !== null && <OutsideLink href={editUrl}>Edit</OutsideLink>}
    {publishedUrl && <OutsideLink href={publishedUrl}>Live page</OutsideLink>}
  </span>
);

function RowActions({
  row: { number, state },
  ...props
}: BatchActionsProps & { row: BatchRowResponse }) {
  if (props.batch.status === 'cancelled' || state !== 'failed') return null;
  return (
    <span class="row">
      <NamedButton
        text="Retry"
        number={number}
        onClick={() => sendBatchCommand(props, 'retry', [number])}
      />
      <NamedButton
        text="Skip"
        number={number}
        onClick={() => askToSkip(`row ${number}`, () => sendBatchCommand(props, 'skip', [number]))}
      />
    </span>
  );
}

interface NamedButtonProps {
  text: string;
  number: number;
  onClick: () => unknown;
}

const NamedButton = ({ text, number, onClick }: NamedButtonProps) => (
  <Button little label={`${text} row ${number}`} onClick={onClick}>
    {text}
  </Button>
);
