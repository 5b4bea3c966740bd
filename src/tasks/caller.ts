import type { Role } from '../contract/roles.ts';

/** The API key of a request, or the assistant's connection, and its owner. */
export interface Identity {
  keyId: string;
  organizationId: string;
  role: Role;
  /** The person whose session minted the key, or whose assistant asks. Absent for other keys. */
  userId?: string;
  /**
   * The person or first key behind this key: limits and quotas count its requests for them. Absent:
   * they count for the key itself.
   */
  countsFor?: string;
}

/** The ids that a request is about, for its log line. */
export interface Subject {
  taskId?: string;
  batchId?: string;
  siteId?: string;
  /** The tool that an assistant called, and the code of the error that it got. */
  tool?: string;
  refused?: string;
}

/** The caller of a use case, whatever the protocol. */
export interface Caller extends Identity {
  requestId: string;
  /** Use cases set its fields as soon as they know them. */
  subject: Subject;
}
