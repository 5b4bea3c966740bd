import type { PageItem } from '../../../contract/task.ts';
import { ITEMS_PER_TASK, type DraftRow, type ColumnUse } from './tableColumns.ts';

/** What happens to a task's result. */
export type AfterChoice = 'preview' | 'hold' | 'publish';

/** The options that people choose below the table. */
export interface DraftOptions {
  facts: NonNullable<PageItem['facts']>;
  linkFrom: string;
  title: string;
  after: AfterChoice;
  /** For a task: whether a language model may ask people. */
  mayAsk: boolean;
  /** For a batch: how many pages are made first; '' for all at once. */
  canary: string;
  /** For a batch: pages with a smaller share of text of their own are held; '' for none. */
  holdBelow: string;
}

/** A table that is not started yet, with everything that its person changed. */
export interface TableDraft {
  /** A part of its requests' idempotency key. */
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

/** Whether so many rows are more than a task takes, so that a batch makes their pages. */
export const isBatchSize = (rowCount: number) => rowCount > ITEMS_PER_TASK;
