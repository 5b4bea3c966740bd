import type { LinkGuest } from '../approvals.ts';
import type { Note } from '../task.ts';

/*
 * What guests, who have a share link and no account, say about pages under review. A comment is an
 * open note on its page, like the notes that a task writes itself.
 */

/** Bounds of what guests send. */
export const guestLimits = {
  nameLength: 60,
  commentLength: 1_000,
  /** Comments of one share link. */
  comments: 200,
} as const;

/** A comment to store. */
export interface NewGuestComment {
  organizationId: string;
  /** The task or batch. */
  taskId: string;
  guest: LinkGuest;
  /** Its text begins with the page and the guest's name. */
  note: Note & { page: string };
}

/** A stored comment, for the guest's own screen. */
export interface GuestComment {
  shareId: string;
  note: Note & { page: string };
}

export interface GuestComments {
  /** The comments on the pages of a task or batch, in the order in which they were made. */
  of(taskId: string): Promise<readonly GuestComment[]>;
  /**
   * Stores a comment. Repeatable.
   * @throws DomainError CONFLICT if the link has 200 comments
   */
  add(comment: NewGuestComment): Promise<void>;
}
