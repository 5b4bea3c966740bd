import type { Draft } from '../draft.ts';
import type { ChangeDraft } from '../useDraft.ts';
import type { Line } from '../tableLines.ts';
import type { Column, Use } from '../table.ts';
import { type Choice, Select } from '../ui/controls.tsx';
import { RowLines } from './rowLines.tsx';
import type { TableChecks } from './useTableChecks.ts';

interface RowsProps {
  labels: string[];
  columns: Column[];
  /** Name of the column that the addresses come from. */
  source: string | undefined;
  /** The rows that are shown. */
  lines: Line[];
  checks: TableChecks;
  /** The template's subject, such as "Austin". */
  about: string;
  change: ChangeDraft;
}

/**
 * The table. Above each column stands its use, in each row the new page's address and what the
 * check found.
 */
export function Rows(props: RowsProps) {
  const { labels, columns, source, lines, change } = props;
  const use = (at: number) => (chosen: Use) =>
    change((draft) => withUse(draft, columns, at, chosen));
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
              <span class="muted small">From “{source}”. Type another one as you like</span>
            </th>
            <th>
              <span class="name">What to look at</span>
              <span class="muted small">Looked up before anything starts</span>
            </th>
            {columns.map((column, at) => (
              <th key={at}>
                <span class="name" title={column.name}>
                  {column.name}
                </span>
                <Select
                  aria-label={`Use of ${column.name}`}
                  value={column.use}
                  choices={usesOf(column, labels)}
                  onChange={use(at)}
                />
                {column.label !== undefined && (
                  <span class="muted small">On the page as “{column.label}” too</span>
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
 * Changes a column's use. Only one column can give the address, so the former one becomes lines
 * with its own name.
 */
function withUse(draft: Draft, columns: Column[], at: number, use: Use): Draft {
  const former = columns.findIndex((column) => column.use === 'address');
  const freed = use === 'address' && former >= 0 && former !== at;
  const chosen = { ...draft.chosen, [at]: use };
  return {
    ...draft,
    chosen: freed ? { ...chosen, [former]: `as ${columns[former]!.name}` } : chosen,
  };
}

function usesOf({ name, use }: Column, labels: string[]): Choice<Use>[] {
  const own = use.startsWith('as ') ? [use.slice(3)] : [];
  const others = [...new Set([...labels, ...own])].filter((label) => label !== name);
  return [
    [`as ${name}`, `As “${name}”`],
    ...others.map((label): Choice<Use> => [`as ${label}`, `As “${label}”`]),
    ['address', 'Address of the page'],
    ['out', 'Leave out'],
  ];
}
