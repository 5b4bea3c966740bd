import type { LinkGuest } from '../approvals.ts';
import type { Creator } from '../creator.ts';
import type { PageOddity, ReviewedText, ReviewPlace } from '../responses/reviews.ts';
import type { OpenableSite, RetainedCommitRef } from '../site.ts';
import { type PageMark, type ReviewVerdict, verdictOfMarks } from './reviewKinds.ts';

/**
 * Reviews: people look at what is different on each page of a task or batch, and mark the page as
 * fine or leave it out. `PageReviewer` compares the pages with their templates, and `PageMarks`
 * stores the marks.
 */

/** Bounds of one review. */
export const reviewLimits = {
  pages: 1_000,
  textsPerPage: 60,
  textLength: 300,
  wordsLength: 60,
} as const;

/** A page to compare, and the slug of its template. null: it has none. */
export interface ReviewedPage {
  slug: string;
  template: string | null;
}

export interface ComparisonRequest {
  site: OpenableSite;
  /** The commit with the pages. */
  shown: RetainedCommitRef;
  /** The commit with the templates. */
  base: RetainedCommitRef;
  pages: ReviewedPage[];
}

/** A page, compared with its template. */
export interface ComparedPage {
  slug: string;
  /** The blob of its file. */
  version: string;
  texts: ReviewedText[];
  oddities: PageOddity[];
}

export interface PageComparison {
  places: ReviewPlace[];
  /** Odd pages first. Pages that are no longer in the commit are missing. */
  pages: ComparedPage[];
  omitted: number;
}

/** A page of a commit, shown at one of its texts. */
export interface PageCrop {
  site: OpenableSite;
  commit: RetainedCommitRef;
  slug: string;
  /** The page's own URL, the base of its relative URLs. */
  url: string;
  /** The name of the attribute that marks texts, and the markup for the page's head. */
  attribute: string;
  head: string;
}

interface ReviewWork {
  organizationId: string;
  signal?: AbortSignal | undefined;
}

export interface PageReviewer {
  /** Throws UNAVAILABLE if a retry may help, or CONFLICT if the repository can't be read. */
  compare(request: ComparisonRequest, work: ReviewWork): Promise<PageComparison>;
  /** The current version of each page by its slug. Throws as `compare`. */
  versions(
    request: Pick<ComparisonRequest, 'site' | 'shown'>,
    work: ReviewWork,
  ): Promise<Map<string, string>>;
  /** The source of a page for a frame. Throws as `compare`, and NOT_FOUND without the page. */
  frame(crop: PageCrop, work: ReviewWork): Promise<string>;
}

/** A person's mark on a version of a page. */
export interface StoredPageMark {
  slug: string;
  mark: PageMark;
  version: string;
  /** null: a guest, or somebody who is not known any more. */
  by: Creator | null;
  guest?: LinkGuest;
  at: Date;
}

/** Marks of one person. `mark: null` removes them. */
export interface PageMarkChange {
  organizationId: string;
  /** The task or batch of the pages. */
  taskId: string;
  by: Creator | LinkGuest;
  mark: PageMark | null;
  pages: { slug: string; version: string }[];
  at: Date;
}

export interface PageMarks {
  /** The marks on the pages of a task or batch, the newest first. */
  of(taskId: string): Promise<StoredPageMark[]>;
  /** Replaces a person's marks on pages. Repeatable. */
  set(change: PageMarkChange): Promise<void>;
}

/** What the marks on a page come to. @param version its current version */
export function reviewVerdict(
  marks: Pick<StoredPageMark, 'mark' | 'version'>[],
  version: string,
): ReviewVerdict {
  return verdictOfMarks(
    marks.map((mark) => ({ mark: mark.mark, isOutdated: mark.version !== version })),
  );
}
