/** How a task's result is live. Times are ISO 8601, UTC. */
export interface Publication {
  publishedAt: string;
  /**
   * The task that put it live: itself, the one that published it, or one that published a task
   * built on it.
   */
  publishedBy: string;
  /** The commit that went live with it. */
  commit: string;
  /**
   * The commit that the result began from; of a task that publishes another one's, what was live of
   * it before.
   */
  base: string;
  /** The commit of the task's result that went live. Later edits by hand are not in it. */
  result: string;
  /** Slugs of pages that went live then, by whether the live site has them as they were. */
  live: string[];
  replaced: string[];
  /**
   * When the last of the replaced ones was replaced, and by which task; null where none was, or no
   * task did it.
   */
  replacedAt: string | null;
  replacedBy: string | null;
}

export interface PublicationReader {
  /** How the results of tasks are live, by taskId. Of those that never were, nothing. */
  of(taskIds: string[]): Promise<Map<string, Publication>>;
  /**
   * The same for one task, for what only tells of it: a moment ago another process may have changed
   * it.
   */
  known(taskId: string): Promise<Publication | null>;
}
