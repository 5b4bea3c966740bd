import { createHash } from 'node:crypto';
import { withoutUndefined } from '../../contract/withoutUndefined.ts';
import { foldSlug } from '../../sites/pages/urls/slug.ts';
import type { RequestedRow } from '../../tasks/batches/create.ts';
import type { BatchBody } from '../routes/batches/batches.schema.ts';

/** A row that was validated alone. `digest` is that of the row, or of an invalid row as sent. */
export interface ValidatedRow {
  row: Omit<RequestedRow, 'number'>;
  digest: string;
}

/** Collects the rows of a request in their order, and numbers them. */
export interface RowList {
  rows: RequestedRow[];
  /** Adds rows. If two rows have the same page, the second one gets an `error`. */
  add(checked: ValidatedRow[]): void;
  /** The digest of the request. It does not depend on the order of fields. */
  digest(): string;
}

/** @param options the options of the whole batch, which the digest includes */
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
        const { targetPageSlug, externalId } = row;
        const invalidRow = { targetPageSlug, templatePageSlug: '', context: '', externalId };
        rows.push({
          number: rowNumber,
          ...(duplicateRow === undefined
            ? row
            : withoutUndefined({ ...invalidRow, error: samePageError(duplicateRow) })),
        });
      }
    },
    digest: () => hash.digest('hex'),
  };
}

/** The error of a row with the page of an earlier one. */
export const samePageError = (earlierRow: number) =>
  `targetPageSlug must not be the same page as that of row ${earlierRow}`;
