import type { PageItem } from '../../contract/task.ts';
import type { Row, Use } from './table.ts';

/** What becomes of a task's result. */
export type AfterChoice = 'preview' | 'hold' | 'publish';

/** What people choose below the table. */
export interface Options {
  facts: NonNullable<PageItem['facts']>;
  linkFrom: string;
  title: string;
  after: AfterChoice;
}

/** A table that is not started yet, with all that its person changed. */
export interface Draft {
  /** The `group` of the tasks that are started from it. */
  id: string;
  names: string[];
  /** Whether the table's first row gave the names. */
  isNamed: boolean;
  rows: Row[];
  /** '' until one is chosen. */
  template: string;
  /** What columns are used for, by their number from 0; the others are used as suggested. */
  chosen: Record<number, Use>;
  options: Options;
}

export const firstOptions: Options = { facts: 'keep', linkFrom: '', title: '', after: 'preview' };
