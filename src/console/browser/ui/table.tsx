import type { ComponentChildren } from 'preact';

interface TableProps {
  columns: string[];
  /** Whether a last column, whose head is for screen readers only, has buttons. */
  hasActions?: boolean;
  hidden?: boolean;
  /** Rows. */
  children: ComponentChildren;
}

/** A list of things, one a row. */
export const ListTable = ({
  columns,
  hasActions = false,
  hidden = false,
  children,
}: TableProps) => (
  <table class="list" hidden={hidden}>
    <thead>
      <tr>
        {columns.map((name) => (
          <th key={name}>{name}</th>
        ))}
        {hasActions && (
          <th>
            <span class="unseen">What can be done</span>
          </th>
        )}
      </tr>
    </thead>
    <tbody>{children}</tbody>
  </table>
);
