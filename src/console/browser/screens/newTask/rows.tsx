import type { TableDraft } from '../../table/tableDraft.ts';
import type { ChangeDraft } from '../../table/useDraft.ts';
import type { DraftLine } from '../../table/draftLines.ts';
import type { TableColumn, ColumnUse } from '../../table/tableColumns.ts';
import { type SelectChoice, Select } from '../../ui/controls.tsx';
import { RowLines } from './rowLines.tsx';
import type { TableChecks } from './useTableChecks.ts';

interface RowsProps {
  labels: string[];
  columns: TableColumn[];
  /** Name of the column that the addresses come from. */
  source: string | undefined;
  /** The rows that are shown. */
  lines: DraftLine[];
  checks: TableChecks;
  /** The template's subject, such as "Austin". */
  about: string;
  change: ChangeDraft;
}

/**
 * The table of a new task. Each column has a field for its use. Each row has the address of its new
 * page, and what the check found.
 */
export function Rows(props: RowsProps) {
  const { labels, columns, source, lines, change } = props;
  const changeUse = (columnIndex: number) => (chosenUse: ColumnUse) =>
    change((draft) => withUse(draft, columns, columnIndex, chosenUse));
  return (
    <div class="sheet" tabIndex={0} role="region" aria-label="The table’s rows">
      <table>
        <thead>
          <tr>
            <th class="number">
              <span class="unseen">Row</span>
            </th>
            <th>
              <span class="name">Address of the new page</span>
              <span class="muted small">From “{source}”. You can type another address</span>
            </th>
            <th>
              <span class="name">What to check</span>
              <span class="muted small">Checked before anything starts</span>
            </th>
            {columns.map((column, columnIndex) => (
              <th key={columnIndex}>
                <span class="name" title={column.name}>
                  {column.name}
                </span>
                <Select
                  aria-label={`Use of ${column.name}`}
                  value={column.use}
                  choices={columnUses(column, labels)}
                  onChange={changeUse(columnIndex)}
                />
                {column.label !== undefined && (
                  <span class="muted small">Also on the page as “{column.label}”</span>
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <RowLines key={line.row.id} {...props} line={line} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

/**
 * Changes a column's use. Only one column can give the addresses. If another one gave them before,
 * its values become lines of the pages' contexts.
 */
function withUse(
  draft: TableDraft,
  columns: TableColumn[],
  columnIndex: number,
  use: ColumnUse,
): TableDraft {
  const formerColumn = columns.findIndex((column) => column.use === 'address');
  const isFreed = use === 'address' && formerColumn >= 0 && formerColumn !== columnIndex;
  const chosenUses = { ...draft.chosen, [columnIndex]: use };
  return {
    ...draft,
    chosen: isFreed
      ? { ...chosenUses, [formerColumn]: `as ${columns[formerColumn]!.name}` }
      : chosenUses,
  };
}

function columnUses({ name, use }: TableColumn, labels: string[]): SelectChoice<ColumnUse>[] {
  const ownLabel = use.startsWith('as ') ? [use.slice(3)] : [];
  const otherLabels = [...new Set([...labels, ...ownLabel])].filter((label) => label !== name);
  return [
    [`as ${name}`, `As “${name}”`],
    ...otherLabels.map((label): SelectChoice<ColumnUse> => [`as ${label}`, `As “${label}”`]),
    ['address', 'Address of the page'],
    ['out', 'Leave out'],
  ];
}
