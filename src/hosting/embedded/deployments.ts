/** Which commits the embedded host shows, as it needs to know and to change it. */
export interface Deployments {
  live(siteId: string): Promise<{ commit: string } | null>;
  /** Compare-and-set: false where another commit than `expected` is live. */
  setLive(change: { siteId: string; commit: string; taskId: string | null; expected: string | null }): Promise<boolean>;
  /** `heldBy` is the task under whose hidden ref the commit is found, where that is another one. */
  preview(taskId: string): Promise<{ siteId: string; commit: string; heldBy?: string } | null>;
  setPreview(preview: { siteId: string; taskId: string; commit: string; heldBy?: string | null }): Promise<void>;
  /** Compare-and-set: false where another commit than `expected` is shown. */
  movePreview(change: { taskId: string; commit: string; expected: string }): Promise<boolean>;
}
