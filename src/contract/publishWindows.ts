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
 * Publishes of a site that wait for each other, so that one push has them all. The database keeps
 * them, so all workers know the same.
 */
export interface PublishWindows {
  /**
   * Joins the site's open window, or opens one. Repeatable: a commit stays in its window.
   * @param seconds how long a new window is open
   * @returns milliseconds until the window ends; 0 if it has ended
   */
  join(siteId: string, publish: PendingPublish, seconds: number): Promise<number>;
  /**
   * Takes what waits in windows that have ended. Each is taken once: whoever waits for it publishes
   * it itself if the taker does not.
   */
  take(siteId: string): Promise<PendingPublish[]>;
}
