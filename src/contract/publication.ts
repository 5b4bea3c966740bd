/** How much of a task's published result is still live. Times are ISO 8601 in UTC. */
export interface Publication {
  publishedAt: string;
  /**
   * The task that put it live: the task itself, its publish task, or the publish task of a task
   * that builds on it.
   */
  publishedBy: string;
  /** The production commit that went live with it. */
  commit: string;
  /**
   * The commit from which the result began. For a publish task: the part of the published task
   * that was already live before.
   */
  base: string;
  /** The commit of the result that went live. It does not contain later edits by hand. */
  result: string;
  /** Slugs of the published pages that the live site still has unchanged. */
  live: string[];
  replaced: string[];
  /**
   * When the last replaced page was replaced, and by which task. null if no page was replaced, or
   * if no task replaced it.
   */
  replacedAt: string | null;
  replacedBy: string | null;
}

export interface PublicationReader {
  /** Publications by task id. Tasks that never went live are missing. */
  of(taskIds: string[]): Promise<Map<string, Publication>>;
  /**
   * The publications of tasks in the order of their ids, for display only: they may miss a change
   * that another process just made. null for a task that never went live.
   */
  known(taskIds: string[]): Promise<(Publication | null)[]>;
}
