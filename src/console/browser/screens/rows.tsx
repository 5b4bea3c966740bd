import { Fragment } from 'preact';
import { useState } from 'preact/hooks';
import type { Table } from '../readTable.ts';
import type { Column, Use } from '../table.ts';
import { type Choice, Select } from '../ui/controls.tsx';
import { Dot } from '../ui/states.tsx';
import { count } from '../names.ts';
import type { RowCheck } from './useRowChecks.ts';

interface RowsProps {
  table: Table;
  labels: string[];
  columns: Column[];
  slugs: string[];
  wrong: (string | undefined)[];
  checks: { rows: Map<string, RowCheck>; isChecking: boolean };
  onColumns: (columns: Column[]) => void;
  onSlugs: (slugs: string[]) => void;
}

/** The table: above each column what it is for, in each row the new page's address and what would stay. */
export function Rows(props: RowsProps) {
  const { table, labels, columns, onColumns } = props;
  const use = (at: number) => (chosen: string) =>
    onColumns(columns.map((column, index) => withUse(column, index === at, chosen as Use)));
  return (
    <div class="sheet" tabIndex={0} role="region" aria-label="The table’s rows">
      <table>
        <thead>
          <tr>
            <th>
              <span class="name">Address of the new page</span>
              <span class="muted small">Suggested; change it as you like</span>
            </th>
            <th>
              <span class="name">What stays the template’s</span>
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
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, at) => (
            <Row key={at} {...props} at={at} row={row} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Only one column gives the address. */
function withUse(column: Column, isChosen: boolean, use: Use): Column {
  if (isChosen) return { ...column, use };
  return use === 'address' && column.use === 'address' ? { ...column, use: `as ${column.name}` } : column;
}

function usesOf({ name }: Column, labels: string[]): Choice[] {
  const others = labels.filter((label) => label !== name);
  return [
    [`as ${name}`, `As “${name}”`],
    ...others.map((label): Choice => [`as ${label}`, `As “${label}”`]),
    ['address', 'Address of the page'],
    ['out', 'Leave out'],
  ];
}

function Row({ row, at, columns, slugs, wrong, checks, onSlugs }: RowsProps & { row: string[]; at: number }) {
  const [isOpen, setOpen] = useState(false);
  const slug = slugs[at] ?? '';
  const check = checks.rows.get(slug);
  const problems = [...(wrong[at] ? [wrong[at]] : []), ...(check?.problems ?? [])];
  return (
    <>
      <tr>
        <td>
          <input
            aria-label={`Address of row ${at + 1}`}
            value={slug}
            spellcheck={false}
            {...(problems.length > 0 && { 'aria-invalid': 'true' })}
            onInput={(event) => onSlugs(slugs.map((each, index) => (index === at ? event.currentTarget.value : each)))}
          />
        </td>
        <td>
          <Said
            {...{ problems, check, isOpen }}
            isChecking={checks.isChecking}
            onToggle={() => setOpen(!isOpen)}
            row={at + 1}
          />
        </td>
        {columns.map(({ use }, index) => (
          <td key={index} class={use === 'out' ? 'out' : ''}>
            <span class="clip">{row[index]}</span>
          </td>
        ))}
      </tr>
      {isOpen && check && (
        <tr>
          <td class="gap" colSpan={columns.length + 2}>
            <Stays check={check} />
          </td>
        </tr>
      )}
    </>
  );
}

interface SaidProps {
  problems: string[];
  isChecking: boolean;
  check: RowCheck | undefined;
  isOpen: boolean;
  row: number;
  onToggle: () => void;
}

function Said({ problems, isChecking, check, isOpen, row, onToggle }: SaidProps) {
  if (problems.length > 0)
    return (
      <span class="said bad">
        {problems.map((problem) => (
          <span key={problem}>{problem}</span>
        ))}
      </span>
    );
  if (!check) return isChecking ? <Dot kind="busy">Checking</Dot> : <span class="muted">Not checked</span>;
  const told = check.stays.length + check.unused.length;
  if (told === 0) return <Dot kind="good">Nothing</Dot>;
  return (
    <button
      type="button"
      class="link"
      aria-expanded={isOpen}
      aria-label={`Row ${row}: ${saidOf(check)}`}
      onClick={onToggle}
    >
      <Dot kind="warn">{saidOf(check)}</Dot>
    </button>
  );
}

const saidOf = ({ stays, unused }: RowCheck) =>
  [
    stays.length > 0 && `${count(stays.length, 'text')} ${stays.length === 1 ? 'stays' : 'stay'}`,
    unused.length > 0 && `${unused.length} unused`,
  ]
    .filter(Boolean)
    .join(', ');

/** What people see comes before what only search engines read. */
function byLabel(stays: RowCheck['stays']): [label: string, texts: RowCheck['stays']][] {
  const labels = [...new Set(stays.map(({ label }) => label))];
  const isSeen = (label: string) => !/^(structured data|title|description|social)/.test(label);
  return labels
    .toSorted((one, other) => Number(isSeen(other)) - Number(isSeen(one)))
    .map((label) => [label, stays.filter((each) => each.label === label)]);
}

const Stays = ({ check: { stays, unused } }: { check: RowCheck }) => (
  <>
    {stays.length > 0 && (
      <>
        <span class="strong">These stay as the template has them</span>
        <dl class="stays">
          {byLabel(stays).map(([label, texts]) => (
            <Fragment key={label}>
              <dt>{label}</dt>
              {texts.map(({ slot, text }) => (
                <dd key={slot}>{text}</dd>
              ))}
            </Fragment>
          ))}
        </dl>
      </>
    )}
    {unused.length > 0 && (
      <p class="unused">
        <span class="strong">The template has no place for: </span>
        {unused.join(' · ')}
      </p>
    )}
  </>
);
