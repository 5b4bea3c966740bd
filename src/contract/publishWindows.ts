import type { ResultCommit } from './site.ts';

/** A task's result that waits to be published. */
export interface PendingPublish extends ResultCommit {
  taskId: string;
  /** The commit of the production branch that the work began from. */
  base: string;
  /** ISO 8601: when the task was created. */
  createdAt: string;
}

/**
 * The publish windows of external hosts: publishes of a site within some seconds wait for each
 * other, so that one push, and one build, contains them all. The windows are in the database, which
 * all workers share.
 */
export interface PublishWindows {
  /**
   * Joins the site's open window, or opens one. Repeatable: a commit stays in its window.
   * @param seconds how long a new window is open
   * @returns milliseconds until the window ends; 0 if it has ended
   */
  join(siteId: string, publish: PendingPublish, seconds: number): Promise<number>;
  /**
   * Takes the publishes of windows that have ended, each of them once. If the taker does not
   * publish one, whoever waits for it publishes it alone.
   */
  take(siteId: string): Promise<PendingPublish[]>;
}
