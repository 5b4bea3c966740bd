import { countNoun } from '../../../../browser/counts.ts';
import {
  ROWS_SHOWN,
  type ShownRowRange,
  shownLines,
  type RowFilter,
} from '../../table/shownRows.ts';
import { isToStart, type DraftLine } from '../../table/draftLines.ts';
import { Button, type SelectChoice, Select, Toggle } from '../../ui/controls.tsx';
import type { ChangeDraft } from '../../table/useDraft.ts';

interface RowPartsProps {
  lines: DraftLine[];
  /** Ids of the rows that can't be started. */
  bad: number[];
  shown: ShownRowRange;
  onShow: (shown: ShownRowRange) => void;
  change: ChangeDraft;
}

/** Chooses which rows of a long table are shown. */
export function RowParts({ lines, bad, shown, onShow, change }: RowPartsProps) {
  const leftOutIds = lines.filter((line) => !isToStart(line)).map(({ row }) => row.id);
  const chooseRows = (which: RowFilter) => onShow(rowsOfFilter(which, { bad, out: leftOutIds }));
  const { which } = shown;
  const putBack = () =>
    change((draft) => ({ ...draft, rows: draft.rows.map((row) => ({ ...row, isOut: false })) }));
  return (
    <div class="card-head">
      <Toggle
        label="Rows"
        value={which}
        onChange={chooseRows}
        choices={[
          ['all', `All ${countNoun(lines.length, 'row')}`],
          (bad.length > 0 || which === 'bad') && ['bad', `With problems (${bad.length})`],
          (leftOutIds.length > 0 || which === 'out') && ['out', `Left out (${leftOutIds.length})`],
        ]}
      />
      <span class="row">
        {which === 'out' && leftOutIds.length > 0 && (
          <Button little onClick={putBack}>
            Put all back
          </Button>
        )}
        <RowPager lines={lines} shown={shown} onShow={onShow} />
      </span>
    </div>
  );
}

function rowsOfFilter(
  which: RowFilter,
  { bad, out }: Record<'bad' | 'out', number[]>,
): ShownRowRange {
  if (which === 'all') return { which, from: 0 };
  return { which, from: 0, ids: new Set(which === 'bad' ? bad : out) };
}

/** Turns to other rows; nothing if all are shown. */
function RowPager({ lines, shown, onShow }: Pick<RowPartsProps, 'lines' | 'shown' | 'onShow'>) {
  const { asked: chosenLines, first: firstIndex } = shownLines(lines, shown);
  if (chosenLines.length <= ROWS_SHOWN) return null;
  const showFrom = (from: number) => onShow({ ...shown, from });
  const partChoices = Array.from(
    { length: Math.ceil(chosenLines.length / ROWS_SHOWN) },
    (_, partIndex): SelectChoice => {
      const from = partIndex * ROWS_SHOWN;
      const lastRowId = chosenLines[Math.min(from + ROWS_SHOWN, chosenLines.length) - 1]!.row.id;
      return [String(from), `${chosenLines[from]!.row.id} to ${lastRowId}`];
    },
  );
  const nextIndex = firstIndex + ROWS_SHOWN;
  return (
    <>
      <Button little disabled={firstIndex === 0} onClick={() => showFrom(firstIndex - ROWS_SHOWN)}>
        Earlier
      </Button>
      <Select
        aria-label="Shown rows"
        value={String(firstIndex)}
        choices={partChoices}
        onChange={(from) => showFrom(Number(from))}
      />
      <Button little disabled={nextIndex >= chosenLines.length} onClick={() => showFrom(nextIndex)}>
        Later
      </Button>
    </>
  );
}
