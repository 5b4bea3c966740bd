import { createHash } from 'node:crypto';
import { withoutUndefined } from '../../contract/withoutUndefined.ts';
import { foldSlug } from '../../sites/pages/urls/slug.ts';
import type { RequestedRow } from '../../tasks/batches/create.ts';
import type { BatchBody } from '../routes/batches/batches.schema.ts';

/** A row that was checked alone. `digest`: of the row; of a wrong one, as it was sent. */
export interface ValidatedRow {
  row: Omit<RequestedRow, 'number'>;
  digest: string;
}

/** The rows of a request, in their order, as they come. */
export interface RowList {
  rows: RequestedRow[];
  /** Adds rows. Of two rows with the same page, the second is wrong. */
  add(checked: ValidatedRow[]): void;
  /** Equal for equal requests, whatever the order of their fields. */
  digest(): string;
}

/** @param options what the request asks of all rows */
export function createRowList(options: BatchBody): RowList {
  const rowNumbersBySlug = new Map<string, number>();
  const hash = createHash('sha256');
  hash.update(
    JSON.stringify(
      Object.entries(options).toSorted(([firstName], [secondName]) =>
        firstName < secondName ? -1 : 1,
      ),
    ),
  );
  const rows: RequestedRow[] = [];
  return {
    rows,
    add(validatedRows) {
      for (const { row, digest } of validatedRows) {
        hash.update(digest);
        const rowNumber = rows.length + 1;
        const foldedSlug = row.error === undefined ? foldSlug(row.targetPageSlug) : undefined;
        const duplicateRow =
          foldedSlug === undefined ? undefined : rowNumbersBySlug.get(foldedSlug);
        if (foldedSlug !== undefined && duplicateRow === undefined)
          rowNumbersBySlug.set(foldedSlug, rowNumber);
        const error = `targetPageSlug must not be the same page as that of row ${duplicateRow}`;
        const { targetPageSlug, externalId } = row;
        const invalidRow = { targetPageSlug, templatePageSlug: '', context: '', error };
        rows.push({
          number: rowNumber,
          ...(duplicateRow === undefined ? row : withoutUndefined({ ...invalidRow, externalId })),
        });
      }
    },
    digest: () => hash.digest('hex'),
  };
}
