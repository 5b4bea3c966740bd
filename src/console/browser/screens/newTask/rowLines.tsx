import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ChangeDraft } from '../../table/useDraft.ts';
import type { DraftLine } from '../../table/draftLines.ts';
import type { TableColumn, DraftRow } from '../../table/tableColumns.ts';
import { Button } from '../../ui/controls.tsx';
import { AddressCell } from './addressCell.tsx';
import { RowRemarks, CarriedOverTexts } from './rowRemarks.tsx';
import type { TableChecks } from './useTableChecks.ts';

interface RowLinesProps {
  line: DraftLine;
  columns: TableColumn[];
  checks: TableChecks;
  about: string;
  change: ChangeDraft;
}

/** A row of the table. Below it is what the check found, if a person has opened that. */
export function RowLines(props: RowLinesProps) {
  const { line, columns, checks, about, change } = props;
  const [isOpen, setOpen] = useState(false);
  const { row } = line;
  const rowCheck = checks.pages.get(row.id);
  const problems = checks.problemsOf(line);
  const setFields = (fields: Partial<DraftRow>) =>
    change((draft) => ({
      ...draft,
      rows: draft.rows.map((draftRow) =>
        draftRow.id === row.id ? { ...draftRow, ...fields } : draftRow,
      ),
    }));
  const remarkProps = {
    problems,
    check: rowCheck,
    isOpen,
    about,
    otherwise: checks.otherwise,
    row: row.id,
  };
  return (
    <>
      {row.isOut === true ? (
        <RemovedRowCells {...props} set={setFields} />
      ) : (
        <tr>
          <td class="number">
            {row.id}
            <Button
              {...({ look: 'ghost', icon: 'close' } as const)}
              little
              label={`Remove row ${row.id}`}
              onClick={() => setFields({ isOut: true })}
            />
          </td>
          <td>
            <AddressCell line={line} set={setFields} isBad={problems.length > 0} />
          </td>
          <td>
            <RowRemarks {...remarkProps} onToggle={() => setOpen(!isOpen)} />
          </td>
          <RowCells row={row} columns={columns} />
        </tr>
      )}
      {isOpen && rowCheck && row.isOut !== true && (
        <CheckResultRow width={columns.length + 3}>
          <CarriedOverTexts check={rowCheck} about={about} />
        </CheckResultRow>
      )}
    </>
  );
}

/**
 * A row for what the check found. It scrolls into view, because it may be below the visible part of
 * the table.
 */
function CheckResultRow({ width, children }: { width: number; children: ComponentChildren }) {
  const rowRef = useRef<HTMLTableRowElement>(null);
  useEffect(() => rowRef.current?.scrollIntoView({ block: 'nearest' }), []);
  return (
    <tr ref={rowRef} class="opened">
      <td class="gap" colSpan={width}>
        <div>{children}</div>
      </td>
    </tr>
  );
}

/** The cells of a row that a person has left out. */
const RemovedRowCells = ({
  line: { row, address },
  columns,
  set,
}: RowLinesProps & { set: (fields: Partial<DraftRow>) => void }) => (
  <tr class="away">
    <td class="number">{row.id}</td>
    <td>{address.slug}</td>
    <td>
      <Button little label={`Put back row ${row.id}`} onClick={() => set({ isOut: false })}>
        Put back
      </Button>
    </td>
    <RowCells row={row} columns={columns} />
  </tr>
);

const RowCells = ({ row, columns }: { row: DraftRow; columns: TableColumn[] }) => (
  <>
    {columns.map(({ use }, columnIndex) => (
      <td key={columnIndex} class={use === 'out' ? 'out' : ''}>
        <span class="clip">{row.cells[columnIndex]}</span>
      </td>
    ))}
  </>
);
