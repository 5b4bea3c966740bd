import type { PageItem } from '../../contract/task.ts';
import type { Row, Use } from './table.ts';

/** What happens to a task's result. */
export type AfterChoice = 'preview' | 'hold' | 'publish';

/** The options that people choose below the table. */
export interface Options {
  facts: NonNullable<PageItem['facts']>;
  linkFrom: string;
  title: string;
  after: AfterChoice;
}

/** A table whose tasks are not all started yet, with everything that its person changed. */
export interface Draft {
  /** The `group` of the tasks that are started from it. */
  id: string;
  names: string[];
  /** Whether the table's first row gave the names. */
  isNamed: boolean;
  rows: Row[];
  /** The template's slug; '' until one is chosen. */
  template: string;
  /**
   * The uses that a person chose, by the column's index. Other columns keep their suggested use.
   */
  chosen: Record<number, Use>;
  options: Options;
}

export const firstOptions: Options = { facts: 'keep', linkFrom: '', title: '', after: 'preview' };
