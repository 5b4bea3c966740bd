import { createHash } from 'node:crypto';
import { defined } from '../../contract/defined.ts';
import { foldSlug } from '../../sites/pages/slug.ts';
import type { AskedRow } from '../../tasks/batches/create.ts';
import type { BatchBody } from '../routes/batches.schema.ts';

/** A row that was checked alone. `digest`: of the row; of a wrong one, as it was sent. */
export interface CheckedRow {
  row: Omit<AskedRow, 'number'>;
  digest: string;
}

/** The rows of a request, in their order, as they come. */
export interface RowList {
  rows: AskedRow[];
  /** Adds rows. Of two rows with the same page, the second is wrong. */
  add(checked: CheckedRow[]): void;
  /** Equal for equal requests, whatever the order of their fields. */
  digest(): string;
}

/** @param options what the request asks of all rows */
export function createRowList(options: BatchBody): RowList {
  const pages = new Map<string, number>();
  const hash = createHash('sha256');
  hash.update(JSON.stringify(Object.entries(options).toSorted(([a], [b]) => (a < b ? -1 : 1))));
  const rows: AskedRow[] = [];
  return {
    rows,
    add(checked) {
      for (const { row, digest } of checked) {
        hash.update(digest);
        const number = rows.length + 1;
        const name = row.error === undefined ? foldSlug(row.targetPageSlug) : undefined;
        const twin = name === undefined ? undefined : pages.get(name);
        if (name !== undefined && twin === undefined) pages.set(name, number);
        const error = `targetPageSlug must not be the same page as that of row ${twin}`;
        const { targetPageSlug, externalId } = row;
        const wrong = { targetPageSlug, templatePageSlug: '', context: '', error };
        rows.push({ number, ...(twin === undefined ? row : defined({ ...wrong, externalId })) });
      }
    },
    digest: () => hash.digest('hex'),
  };
}
