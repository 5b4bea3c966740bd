import type { PageItem } from '../../../contract/task.ts';
import { ITEMS_PER_TASK, type DraftRow, type ColumnUse } from './tableColumns.ts';

/** What happens to the result: only a preview, publish if there are no notes, or publish always. */
export type AfterChoice = 'preview' | 'hold' | 'publish';

/** The options that people choose below the table. */
export interface DraftOptions {
  facts: NonNullable<PageItem['facts']>;
  linkFrom: string;
  title: string;
  after: AfterChoice;
  /** For a task: whether a language model may ask people. */
  mayAsk: boolean;
  /** For a batch: how many pages are created first, for a person to approve; '' for all at once. */
  canary: string;
  /** For a batch: a page with a smaller share of its own text waits for a person; '' for none. */
  holdBelow: string;
}

/** A table that is not started yet, with everything that its person changed. */
export interface TableDraft {
  /** A UUID, which is a part of the idempotency key of its requests. */
  id: string;
  names: string[];
  /** Whether the table's first row gave the names. */
  isNamed: boolean;
  rows: DraftRow[];
  /** The template's slug; '' until one is chosen. */
  template: string;
  /**
   * The uses that a person chose, by the column's index. Other columns keep their suggested use.
   */
  chosen: Record<number, ColumnUse>;
  options: DraftOptions;
}

export const firstOptions: DraftOptions = {
  facts: 'keep',
  linkFrom: '',
  title: '',
  after: 'preview',
  mayAsk: false,
  canary: '',
  holdBelow: '',
};

/** Whether there are more rows than one task can have, so that a batch creates the pages. */
export const isBatchSize = (rowCount: number) => rowCount > ITEMS_PER_TASK;
