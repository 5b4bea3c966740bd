import { count } from '../../../browser/counts.ts';
import { ROWS_SHOWN, type Shown, shownIn, type Which } from '../shownRows.ts';
import { isToStart, type Line } from '../tableLines.ts';
import { Button, type Choice, Select, Toggle } from '../ui/controls.tsx';
import type { ChangeDraft } from '../useDraft.ts';

interface PartsProps {
  lines: Line[];
  /** Ids of the rows that can't be started. */
  bad: number[];
  shown: Shown;
  onShow: (shown: Shown) => void;
  change: ChangeDraft;
}

/** Chooses which rows of a long table are shown. */
export function RowParts({ lines, bad, shown, onShow, change }: PartsProps) {
  const out = lines.filter((line) => !isToStart(line)).map(({ row }) => row.id);
  const choose = (which: Which) => onShow(chosen(which, { bad, out }));
  const { which } = shown;
  const putBack = () =>
    change((draft) => ({ ...draft, rows: draft.rows.map((row) => ({ ...row, isOut: false })) }));
  return (
    <div class="card-head">
      <Toggle
        label="Rows"
        value={which}
        onChange={choose}
        choices={[
          ['all', `All ${count(lines.length, 'row')}`],
          (bad.length > 0 || which === 'bad') && ['bad', `With problems (${bad.length})`],
          (out.length > 0 || which === 'out') && ['out', `Left out (${out.length})`],
        ]}
      />
      <span class="row">
        {which === 'out' && out.length > 0 && (
          <Button little onClick={putBack}>
            Put all back
          </Button>
        )}
        <Turning lines={lines} shown={shown} onShow={onShow} />
      </span>
    </div>
  );
}

function chosen(which: Which, { bad, out }: Record<'bad' | 'out', number[]>): Shown {
  if (which === 'all') return { which, from: 0 };
  return { which, from: 0, ids: new Set(which === 'bad' ? bad : out) };
}

/** Turns to other rows; nothing if all are shown. */
function Turning({ lines, shown, onShow }: Pick<PartsProps, 'lines' | 'shown' | 'onShow'>) {
  const { asked, first } = shownIn(lines, shown);
  if (asked.length <= ROWS_SHOWN) return null;
  const turn = (from: number) => onShow({ ...shown, from });
  const parts = Array.from({ length: Math.ceil(asked.length / ROWS_SHOWN) }, (_, at): Choice => {
    const from = at * ROWS_SHOWN;
    const last = asked[Math.min(from + ROWS_SHOWN, asked.length) - 1]!.row.id;
    return [String(from), `${asked[from]!.row.id} to ${last}`];
  });
  const next = first + ROWS_SHOWN;
  return (
    <>
      <Button little disabled={first === 0} onClick={() => turn(first - ROWS_SHOWN)}>
        Earlier
      </Button>
      <Select
        aria-label="Shown rows"
        value={String(first)}
        choices={parts}
        onChange={(from) => turn(Number(from))}
      />
      <Button little disabled={next >= asked.length} onClick={() => turn(next)}>
        Later
      </Button>
    </>
  );
}
