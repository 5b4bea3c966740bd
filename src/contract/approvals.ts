import type { Creator } from './creator.ts';
import type { OpenableSite, ResultCommit } from './site.ts';

/*
 * Approvals. A site whose setting `publishApproval` is `another-person` publishes pages only if
 * another person has approved the current version: the commit at the tip of the hidden ref of the
 * task or batch. A later edit is a new version, which nobody has approved yet.
 */

/** Whether publishing needs the approval of another person. */
export const publishApprovals = ['none', 'another-person'] as const;
export type PublishApproval = (typeof publishApprovals)[number];

/** A person without an account who has a share link. */
export interface LinkGuest {
  shareId: string;
  /** The name that the person gave. */
  name: string;
}

/** An approval of a version by a member of the team, or by a guest. */
export interface StoredApproval {
  /** The commit that was approved. */
  version: string;
  by: { userId: string } | LinkGuest;
  at: Date;
}

export interface NewApproval extends Omit<StoredApproval, 'at'> {
  organizationId: string;
  /** The task or batch. */
  taskId: string;
}

export interface Approvals {
  /** The approvals of all versions of a task or batch, the latest first. */
  of(taskId: string): Promise<StoredApproval[]>;
  /** Records an approval. Repeatable. */
  add(approval: NewApproval): Promise<void>;
  /** The person who created something. For an API key, the person who created the key. */
  personBehind(creator: Creator): Promise<string | null>;
}

/** The current version of a result. */
export interface CurrentVersion {
  commit: string;
  /** The id of the person who made it by hand, if known. */
  editor: string | null;
  /** The API key that made it, if a program did. */
  keyId?: string | undefined;
}

/** Reads the current version of a result, with edits by hand. Throws GIT_FAILED, UNAVAILABLE. */
export type CurrentVersionReader = (
  site: OpenableSite,
  result: ResultCommit,
) => Promise<CurrentVersion>;
