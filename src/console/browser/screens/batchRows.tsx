import { useState } from 'preact/hooks';
import { count } from '../../../browser/counts.ts';
import { path } from '../../../browser/path.ts';
import type { BatchRow } from '../../../contract/answers.ts';
import { rowStates, rowWords, totalOf } from '../batchWords.ts';
import { isOpen, withoutSlug } from '../noteWords.ts';
import { setQuery, usePlace } from '../router.ts';
import { useAnswer } from '../useData.ts';
import { Button, type Choice, Out, Select } from '../ui/controls.tsx';
import { Dot, Empty, Loaded } from '../ui/states.tsx';
import { ListTable, MainCell } from '../ui/table.tsx';
import { type ActionsProps, askToLeaveOut, askToLeaveOutAll, command } from './batchActions.tsx';

const ROWS = 50;
const LIVE_EVERY_MS = 3_000;

interface Part {
  rows: BatchRow[];
  nextCursor: string | null;
}

/** The rows of a batch, in parts. The state that is asked for is in the address's query. */
export function BatchRows(props: ActionsProps) {
  const { batchId, rows } = props.batch;
  const state = usePlace().query.get('state') ?? '';
  const choices = rowStates
    .filter((each) => rows[each] > 0 || each === state)
    .map((each): Choice => [each, `${rowWords[each][1]} (${rows[each]})`]);
  return (
    <section class="card" aria-label="Rows">
      <div class="card-head">
        <h2>Rows</h2>
        <span class="row">
          {leavable(props.batch).map((each) => (
            <Button key={each} little onClick={() => askToLeaveOutAll(props, each)}>
              Leave out {rows[each]} {each}
            </Button>
          ))}
          <Select
            aria-label="State"
            value={state}
            onChange={(chosen) => setQuery({ state: chosen })}
            choices={[['', `Any state (${totalOf(rows)})`], ...choices]}
          />
        </span>
      </div>
      <Parts key={batchId + state} {...props} state={state} />
    </section>
  );
}

/** The numbers of a part's rows, in words. */
function numbersOf({ rows }: Part = { rows: [], nextCursor: null }): string {
  const [first, last] = [rows[0], rows.at(-1)];
  return first && last ? `${first.number} to ${last.number}` : '';
}

/** States whose rows can be left out together. */
const leavable = ({ status, rows }: ActionsProps['batch']) =>
  (['failed', 'held'] as const).filter((state) => status !== 'cancelled' && rows[state] > 0);

function Parts({ state, ...props }: ActionsProps & { state: string }) {
  const [before, setBefore] = useState<string[]>([]);
  const part = useAnswer<Part>(
    path`/agent/batches/${props.batch.batchId}/rows`,
    { state, limit: ROWS, cursor: before.at(-1) },
    LIVE_EVERY_MS,
  );
  const onChange: ActionsProps['onChange'] = (batch) => {
    props.onChange(batch);
    part.reload();
  };
  const next = part.data?.nextCursor;
  return (
    <>
      <Loaded of={part} lines={6}>
        {({ rows }) =>
          rows.length === 0 ? (
            <Empty icon="table" title="No row is in this state" />
          ) : (
            <ListTable hasActions columns={['Page', 'State', 'Own text', 'Look']}>
              {rows.map((row) => (
                <Row key={row.number} row={row} batch={props.batch} onChange={onChange} />
              ))}
            </ListTable>
          )
        }
      </Loaded>
      {(before.length > 0 || next) && (
        <div class="more row">
          <Button
            little
            disabled={before.length === 0}
            onClick={() => setBefore(before.slice(0, -1))}
          >
            Earlier rows
          </Button>
          <span class="muted small">{numbersOf(part.data)}</span>
          <Button little disabled={!next} onClick={() => next && setBefore([...before, next])}>
            Later rows
          </Button>
        </div>
      )}
    </>
  );
}

function Row({ row, ...props }: ActionsProps & { row: BatchRow }) {
  const { number, targetPageSlug, externalId, state, error, ownShare } = row;
  const [kind, words] = rowWords[state];
  return (
    <tr aria-label={`Row ${number}`}>
      <MainCell title={`${number}. ${targetPageSlug}`}>
        {externalId}
        {error !== undefined && <span class="under bad">{error}</span>}
        <Notes row={row} />
      </MainCell>
      <td>
        <Dot kind={kind}>{words}</Dot>
      </td>
      <td class="muted">{ownShare !== undefined && `${Math.round(ownShare * 100)} %`}</td>
      <td>
        <Links row={row} />
      </td>
      <td class="end">
        <RowActions row={row} {...props} />
      </td>
    </tr>
  );
}

/** The notes that nobody has settled. */
function Notes({ row: { notes = [], targetPageSlug } }: { row: BatchRow }) {
  const open = notes.filter(isOpen);
  return open.length === 0 ? null : (
    <details class="settled">
      <summary>{count(open.length, 'note')}</summary>
      <ul class="under" aria-label={`Notes on ${targetPageSlug}`}>
        {open.map((note) => (
          <li key={note.id}>{withoutSlug(note)}</li>
        ))}
      </ul>
    </details>
  );
}

const Links = ({ row: { previewUrl, editUrl, publishedUrl } }: { row: BatchRow }) => (
  <span class="row">
    {previewUrl && <Out href={previewUrl}>Preview</Out>}
    {editUrl !== null && <Out href={editUrl}>Edit</Out>}
    {publishedUrl && <Out href={publishedUrl}>Live page</Out>}
  </span>
);

function RowActions({ row: { number, state }, ...props }: ActionsProps & { row: BatchRow }) {
  const { status } = props.batch;
  if (status === 'cancelled' || (state !== 'held' && state !== 'failed')) return null;
  const [name, text] =
    state === 'held' ? (['approve', 'Approve'] as const) : (['retry', 'Retry'] as const);
  return (
    <span class="row">
      <NamedButton text={text} number={number} onClick={() => command(props, name, [number])} />
      <NamedButton
        text="Leave out"
        number={number}
        onClick={() => askToLeaveOut(`row ${number}`, () => command(props, 'skip', [number]))}
      />
    </span>
  );
}

interface NamedProps {
  text: string;
  number: number;
  onClick: () => unknown;
}

const NamedButton = ({ text, number, onClick }: NamedProps) => (
  <Button little label={`${text} row ${number}`} onClick={onClick}>
    {text}
  </Button>
);
