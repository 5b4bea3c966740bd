import type { Role } from '../contract/roles.ts';

/** The owner of a request's key. */
export interface Identity {
  keyId: string;
  organizationId: string;
  role: Role;
  /** The person whose session minted the key; other keys have none. */
  userId?: string;
  /**
   * The person, or the first key, that made this key: limits and quotas count it for them. Absent:
   * for itself.
   */
  countsFor?: string;
}

/** What a request is about, for the log. */
export interface Subject {
  taskId?: string;
  siteId?: string;
}

/** Who asks, and in which request, by whatever protocol. */
export interface Caller extends Identity {
  requestId: string;
  /** Filled in as soon as it is known. */
  subject: Subject;
}
