import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ChangeDraft } from '../useDraft.ts';
import type { Line } from '../tableLines.ts';
import type { Column, Row } from '../table.ts';
import { Button } from '../ui/controls.tsx';
import { AddressCell } from './addressCell.tsx';
import { Said, Stays } from './rowRemarks.tsx';
import type { TableChecks } from './useTableChecks.ts';

interface RowLinesProps {
  line: Line;
  columns: Column[];
  checks: TableChecks;
  about: string;
  change: ChangeDraft;
}

/** A row, and below it what the check found, once somebody opens that. */
export function RowLines(props: RowLinesProps) {
  const { line, columns, checks, about, change } = props;
  const [isOpen, setOpen] = useState(false);
  const { row } = line;
  const check = checks.pages.get(row.id);
  const problems = checks.problemsOf(line);
  const set = (fields: Partial<Row>) =>
    change((draft) => ({
      ...draft,
      rows: draft.rows.map((each) => (each.id === row.id ? { ...each, ...fields } : each)),
    }));
  const said = { problems, check, isOpen, about, otherwise: checks.otherwise, row: row.id };
  return (
    <>
      {row.isOut === true ? (
        <AwayCells {...props} set={set} />
      ) : (
        <tr>
          <td class="number">
            {row.id}
            <Button
              {...({ look: 'ghost', icon: 'close' } as const)}
              little
              label={`Remove row ${row.id}`}
              onClick={() => set({ isOut: true })}
            />
          </td>
          <td>
            <AddressCell line={line} set={set} isBad={problems.length > 0} />
          </td>
          <td>
            <Said {...said} onToggle={() => setOpen(!isOpen)} />
          </td>
          <Cells row={row} columns={columns} />
        </tr>
      )}
      {isOpen && check && row.isOut !== true && (
        <FoundRow width={columns.length + 3}>
          <Stays check={check} about={about} />
        </FoundRow>
      )}
    </>
  );
}

/**
 * A row for what the check found. It scrolls into view, because it may be below the visible part of
 * the table.
 */
function FoundRow({ width, children }: { width: number; children: ComponentChildren }) {
  const row = useRef<HTMLTableRowElement>(null);
  useEffect(() => row.current?.scrollIntoView({ block: 'nearest' }), []);
  return (
    <tr ref={row} class="opened">
      <td class="gap" colSpan={width}>
        <div>{children}</div>
      </td>
    </tr>
  );
}

/** The cells of a row that was taken out. */
const AwayCells = ({
  line: { row, address },
  columns,
  set,
}: RowLinesProps & { set: (fields: Partial<Row>) => void }) => (
  <tr class="away">
    <td class="number">{row.id}</td>
    <td>{address.slug}</td>
    <td>
      <Button little label={`Put back row ${row.id}`} onClick={() => set({ isOut: false })}>
        Put back
      </Button>
    </td>
    <Cells row={row} columns={columns} />
  </tr>
);

const Cells = ({ row, columns }: { row: Row; columns: Column[] }) => (
  <>
    {columns.map(({ use }, at) => (
      <td key={at} class={use === 'out' ? 'out' : ''}>
        <span class="clip">{row.cells[at]}</span>
      </td>
    ))}
  </>
);
