/** What a check says of a task that is not started. Imports types only. */

import type { OpenableSite } from './site.ts';
import type { Note, TaskResult, TaskWork } from './task.ts';

/** What is to be checked: a request that the creation would take. */
export interface CheckRequest {
  site: OpenableSite;
  /** The result to work on top of. */
  onto?: TaskResult | undefined;
  work: TaskWork;
  /**
   * Whether a language model will do the work: then the rules do not say whether they understand a
   * prompt.
   */
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
  /** The part of the prompt that it is about. */
  part?: string;
  /**
   * Instructions that would work in its place. `"…"` stands for a text that a person is to put
   * there.
   */
  suggestions?: string[];
}

/** The slugs of the pages that a prompt would change. */
export interface TriedChanges {
  pagesCreated: string[];
  pagesModified: string[];
  pagesDeleted: string[];
}

/** An instruction that works on a site, and what it would change. */
export interface Example {
  prompt: string;
  changes: TriedChanges;
}

/** Instructions that work on a site as it is. */
export interface SiteExamples {
  /** Of the production branch. */
  commit: string;
  examples: Example[];
}

/** @throws DomainError UNAVAILABLE, CONFLICT where the repository can't be read */
export type FindExamples = (
  site: OpenableSite,
  work: { organizationId: string; signal?: AbortSignal | undefined },
) => Promise<SiteExamples>;

/** A text of the template that a new page would still have. */
export interface StayingText {
  slot: string;
  /** What people call it: `headline`. */
  label: string;
  text: string;
}

/** What is wrong with a value of a context, judged by what it would fill. */
export interface CellRemark {
  /**
   * The key that it stands under, folded: lower case, words parted by one space. Empty for running
   * text.
   */
  label: string;
  value: string;
  /** What it would fill, for people: `telephone number`. */
  fills: string;
  /** For programs: `spreadsheet-error`. */
  code: string;
  message: string;
  /** `error`: the value is not used. `warning`: it is, as the message says. */
  severity: 'error' | 'warning';
}

/** One page as the embedded rules would write it. */
export interface CheckedItem {
  targetPageSlug: string;
  problems: CheckProblem[];
  /** Parts of the context that would find no place. */
  unused: string[];
  stays: StayingText[];
  /**
   * Values that are junk, or would not do: the first 100. Nothing of them keeps a task from being
   * started.
   */
  remarks: CellRemark[];
  /** What the task would say of the page. */
  notes: Note[];
}

export interface TemplateIdentity {
  /** BCP 47 tag. */
  language: string | null;
  /** Where the site is: `www.example.com`, with the folder that it lies in. */
  home: string | null;
}

export interface TaskChecked {
  /** Of the task as a whole. */
  problems: CheckProblem[];
  /** In the order of the request; none for a prompt. */
  items: CheckedItem[];
  /** What the template says of itself; absent for a prompt, and where it could not be read. */
  template?: TemplateIdentity;
  /** Of a prompt that was tried. */
  changes?: TriedChanges;
  /** What a task of such a prompt would say. */
  notes?: Note[];
}
