import type { ComponentChildren } from 'preact';
import type { LoadedList } from '../useData.ts';
import { Loaded, MoreButton } from './states.tsx';
import { Time } from './time.tsx';

interface TableProps {
  columns: string[];
  /** Whether there is one more column, for buttons. Its head is for screen readers only. */
  hasActions?: boolean;
  /** Whether a click anywhere in a row follows its first link. */
  isLinked?: boolean;
  /** Whether the head is for screen readers only. */
  isHeadless?: boolean;
  hidden?: boolean;
  /** The rows. */
  children: ComponentChildren;
}

/** A table with one item per row. */
export const ListTable = ({ columns, children, ...tableOptions }: TableProps) => (
  <table class={tableOptions.isLinked ? 'list linked' : 'list'} hidden={tableOptions.hidden}>
    <thead class={tableOptions.isHeadless ? 'unseen' : undefined}>
      <tr>
        {columns.map((columnName) => (
          <th key={columnName}>{columnName}</th>
        ))}
        {tableOptions.hasActions && (
          <th>
            <span class="unseen">Actions</span>
          </th>
        )}
      </tr>
    </thead>
    <tbody>{children}</tbody>
  </table>
);

interface ListedProps<T> {
  of: LoadedList<T>;
  lines?: number | undefined;
  /** Shown in place of an empty list. */
  empty?: ComponentChildren;
  children: (items: T[]) => ComponentChildren;
}

/** Shows a list of the API: items, an error or a placeholder, and a button for the next part. */
export const ListedItems = <T,>({ of: loadedList, lines, empty, children }: ListedProps<T>) => (
  <>
    <Loaded of={loadedList} lines={lines}>
      {(items) => (items.length === 0 && empty ? empty : children(items))}
    </Loaded>
    <MoreButton more={loadedList.more} />
  </>
);

type ListedTableProps<T> = Omit<ListedProps<T>, 'children'> &
  Omit<TableProps, 'children'> & { row: (item: T, index: number) => ComponentChildren };

/** Shows a list of the API as a table, with a row for each item. */
export const ListedTable = <T,>({
  of: loadedList,
  lines,
  empty,
  row: renderRow,
  ...tableProps
}: ListedTableProps<T>) => (
  <ListedItems of={loadedList} lines={lines} empty={empty}>
    {(items) => <ListTable {...tableProps}>{items.map(renderRow)}</ListTable>}
  </ListedItems>
);

interface MainCellProps {
  /** The link of the title. */
  href?: string | undefined;
  title: ComponentChildren;
  /** More details, in a line below the title. */
  children?: ComponentChildren;
}

/** The first cell of a row. It names what the row is about. */
export const MainCell = ({ href, title, children }: MainCellProps) => (
  <td class="main">
    {href ? (
      <a class="title" href={href}>
        {title}
      </a>
    ) : (
      <span class="title">{title}</span>
    )}
    {children && <span class="under">{children}</span>}
  </td>
);

export const TimeCell = ({ at }: { at: string }) => (
  <td class="muted">
    <Time at={at} />
  </td>
);
