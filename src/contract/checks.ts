/**
 * Checks: what a task or a batch would do, without starting it. `TaskChecker` takes a valid request
 * and returns a `TaskCheck`, e.g. `{ problems: [{ code: 'TEMPLATE_NOT_FOUND', … }], items: [] }`.
 * `OutlineReader` reads the texts of a page for assistants. Imports types only.
 */

import type {
  CheckProblem,
  ContextRemark,
  CarriedOverText,
  TriedChanges,
} from './responses/taskDetails.ts';
import type { BatchRow } from './batches/batch.ts';
import type { OpenableSite, ResultCommit } from './site.ts';
import type { Note, TaskResult, TaskWork } from './task.ts';

export type {
  ContextRemark as CellRemark,
  CheckProblem,
  CarriedOverText as StayingText,
  TriedChanges,
} from './responses/taskDetails.ts';

/** A valid request of a task, to check. */
export interface TaskCheckRequest {
  site: OpenableSite;
  /** The result of another task to build on. */
  baseTask?: TaskResult | undefined;
  work: TaskWork;
  /**
   * Whether a language model will do the work. If so, the check does not say whether the rules
   * understand the prompt.
   */
  isModel: boolean;
}

/** @param jobOwner the organization that asks, and the signal that aborts the check */
export type TaskChecker = (
  request: TaskCheckRequest,
  jobOwner: { organizationId: string; signal?: AbortSignal | undefined },
) => Promise<TaskCheck>;

/** The texts of a page, as an assistant reads them. */
export interface TextOutline {
  /** A line for each text, with its slot's id and its kind: `s57 h3 Starter`. */
  outline: string;
  /** The maximum number of characters for a new text in a slot, by slot id. */
  maxLengths: Record<string, number>;
  /** The id of the next text; null at the page's end. */
  nextFrom: string | null;
}

/** The outline of a page, with what a context for it may contain. */
export interface PageOutline extends TextOutline {
  /** Commit of the production branch, or of the task's result. */
  commit: string;
  slug: string;
  /** The keys that a context of this template may have, with the slots that they fill. */
  keys: Record<string, string>;
}

/** Which part of a page to read. */
export interface OutlineRequest {
  slug: string;
  part?: 'texts' | 'chrome' | 'head';
  /** The id of the first line. */
  from?: string;
  /** A task's result. Absent: the production branch. */
  result?: ResultCommit | undefined;
}

/** @throws DomainError NOT_FOUND that names similar pages; UNAVAILABLE, CONFLICT */
export type OutlineReader = (
  site: OpenableSite,
  page: OutlineRequest,
  jobOwner: { organizationId: string; signal?: AbortSignal | undefined },
) => Promise<PageOutline>;

/** One page as the embedded rules would write it. */
export interface ItemCheck {
  targetPageSlug: string;
  problems: CheckProblem[];
  /** Parts of the context that would not appear on the page. */
  unused: string[];
  stays: CarriedOverText[];
  /**
   * The first 100 values of the context that are unusable or do not fit, such as `#REF!`. They do
   * not prevent the task from starting.
   */
  remarks: ContextRemark[];
  /** Notes that the task would have on this page. */
  notes: Note[];
}

export interface TemplateIdentity {
  /** BCP 47 tag. */
  language: string | null;
  /** Host and folder of the site: `www.example.com/shop`. */
  home: string | null;
}

/** What a check of a task found. */
export interface TaskCheck {
  /** Problems of the task as a whole. */
  problems: CheckProblem[];
  /** One for each requested page, in the order of the request. Empty for a prompt. */
  items: ItemCheck[];
  /** Language and home of the template. Absent for a prompt, and if the page could not be read. */
  template?: TemplateIdentity;
  /** For a prompt that was tried. */
  changes?: TriedChanges;
  /** For a prompt: the notes that the task would have. */
  notes?: Note[];
}

/** Rows of a batch, to check. */
export interface BatchCheckRequest {
  site: OpenableSite;
  rows: BatchRow[];
  linkFrom?: string;
}

/** Why a row's page can't be created. */
export interface RowProblem {
  number: number;
  problem: CheckProblem;
}

/** What a check of a batch found. */
export interface BatchCheck {
  /** Problems of the batch as a whole. */
  problems: CheckProblem[];
  /** Only rows with problems. */
  rows: RowProblem[];
  /** Estimates of what a language model would use for the other rows. */
  inputTokens: number;
  outputTokens: number;
}

/** @param jobOwner the organization that asks, and the signal that aborts the check */
export type BatchChecker = (
  request: BatchCheckRequest,
  jobOwner: { organizationId: string; signal?: AbortSignal | undefined },
) => Promise<BatchCheck>;
