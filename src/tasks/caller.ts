import type { KeyOwner } from '../organizations/apiKeys.ts';

/** Who calls: the API key of a request, or the connection of an assistant, and its owner. */
export type CallerIdentity = KeyOwner;

/** The ids that a request is about, for its log line. */
export interface LogContext {
  taskId?: string;
  batchId?: string;
  siteId?: string;
  /** The tool that an assistant called, and the code of the error that it got. */
  tool?: string;
  refused?: string;
  /** The id of an event that was not sent, because Temporal did not answer. */
  unsentEvent?: string;
}

/** The caller of a use case, whatever the protocol. */
export interface RequestCaller extends CallerIdentity {
  requestId: string;
  /** Use cases set its fields as soon as they know them. */
  logContext: LogContext;
}
