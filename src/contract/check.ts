/** What a check says of a task that is not started. Imports types only. */

import type { OpenableSite } from './site.ts';
import type { Note, TaskResult, TaskWork } from './task.ts';

/** What is to be checked: a request that the creation would take. */
export interface CheckRequest {
  site: OpenableSite;
  /** The result to work on top of. */
  onto?: TaskResult | undefined;
  work: TaskWork;
  /** Whether a language model will do the work: then the rules do not say whether they understand a prompt. */
  isModel: boolean;
}

/** @param work whose check it is; its signal ends it */
export type CheckTask = (
  request: CheckRequest,
  work: { organizationId: string; signal?: AbortSignal | undefined },
) => Promise<TaskChecked>;

/** Why a task, or a page of it, would fail. The code is one of the catalogue of errors. */
export interface CheckProblem {
  code: string;
  message: string;
}

/** A text of the template that a new page would still have. */
export interface StayingText {
  slot: string;
  /** What people call it: `headline`. */
  label: string;
  text: string;
}

/** One page as the embedded rules would write it. */
export interface CheckedItem {
  targetPageSlug: string;
  problems: CheckProblem[];
  /** Parts of the context that would find no place. */
  unused: string[];
  stays: StayingText[];
  /** What the task would say of the page. */
  notes: Note[];
}

export interface TaskChecked {
  /** Of the task as a whole. */
  problems: CheckProblem[];
  /** In the order of the request; none for a prompt. */
  items: CheckedItem[];
}
