import type { Logger } from 'pino';
import type { Turn } from '../src/agents/agent.ts';
import type { Calls } from '../src/agents/calls.ts';
import type { Agents } from '../src/agents/port.ts';
import type { CallbackSender } from '../src/callbacks/send.ts';
import type { BatchStore } from '../src/contract/batchStore.ts';
import type { NoteStates } from '../src/contract/noteStates.ts';
import type { StepDelays } from '../src/contract/metrics.ts';
import type { PublishWindows } from '../src/contract/publishWindows.ts';
import type { Site, SiteRegister } from '../src/contract/site.ts';
import type { Heartbeats, WrittenPage } from '../src/contract/task.ts';
import type { Hosting } from '../src/hosting/hosting.ts';
import type { TextsPool } from '../src/agents/tools/textsPool.ts';
import type { NewPage } from '../src/sites/formats/format.ts';
import type { PagesPool } from '../src/sites/pages/pages.ts';
import type { Target } from '../src/sites/pages/planTargets.ts';
import type { Precedence } from '../src/threads/precedence.ts';
import type { Needs } from '../src/sites/git/ownRefs.ts';
import type { Repositories } from '../src/sites/git/repository.ts';

export interface ActivityDeps {
  sites: SiteRegister & { listAfter(siteId: string | undefined, limit: number): Promise<Site[]> };
  organizations: { callbackSecrets(organizationId: string): Promise<string[]> };
  repositories: Repositories;
  pages: Pick<PagesPool, 'for'>;
  texts: Pick<TextsPool, 'for'>;
  agents: Agents;
  calls: Calls;
  recorded: Recorded;
  hosting: Hosting;
  /** URL for editing a page of a task's result by hand. */
  editAddress(taskId: string, slug: string): string;
  noteStates: Pick<NoteStates, 'set'>;
  leases: PlacesInFlight;
  retention: Retention;
  /** `prune` removes old entries: of the audit, of calls of language models, of assistants. */
  audit: { prune(): Promise<void> };
  modelUsage: { prune(): Promise<void> };
  accounts: { assistants: { prune(): Promise<void> } };
  batches: BatchStore;
  publishWindows: PublishWindows;
  /** Default: one of its own. */
  precedence?: Precedence;
  /** URL at which a batch is read. */
  batchAddress(batchId: string): string;
  callbacks: Pick<CallbackSender, 'send'>;
  log: Logger;
  /** Aborted when the process stops taking steps. */
  stopping?: AbortSignal;
  /** How often steps send heartbeats. Default: those for the embedded server. */
  heartbeats?: Heartbeats;
  /** Called after each attempt of a step, with its waiting times. */
  onStep?: (delays: StepDelays) => void;
}

/** The places of tasks in flight. */
export interface PlacesInFlight {
  giveBack(taskId: string): Promise<void>;
  /** @returns whether the task has a place now: otherwise it is in line for one */
  takeAgain(task: TaskRef, after: Date): Promise<boolean>;
}

/** Queries to the workflow of a running task. They throw UNAVAILABLE if it does not answer. */
export interface Recorded {
  /** The first `count` turns of a prompt task. */
  turns(taskId: string, count: number, signal: AbortSignal): Promise<Turn[]>;
  /** The texts of the pages that the task commits, by slug. */
  pages(taskId: string, signal: AbortSignal): Promise<Record<string, PageTexts>>;
  /** The contexts of the task's items in their order, or the prompt of a prompt task. */
  contexts(taskId: string, signal: AbortSignal): Promise<string[]>;
}

/** The texts of one new page, and how it differs from its template otherwise. */
export type PageTexts = Pick<
  NewPage,
  'texts' | 'groups' | 'removed' | 'lang' | 'country' | 'contacts'
> &
  Pick<WrittenPage, 'links'>;

/** The texts of one new page, and its path. */
export type NewPageTexts = Target & PageTexts;

/** Tells the clean-up what must be kept. */
export interface Retention extends Needs {
  /**
   * Those of a site's tasks whose results have expired. A running task may still need such a
   * result.
   */
  endedResults(siteId: string, taskIds: string[]): Promise<string[]>;
  /** Those of a site's tasks whose previews were deleted, or taken back. */
  withdrawn(siteId: string, taskIds: string[]): Promise<string[]>;
}

/** The part that all activities' arguments share: the task that the activity works for. */
export interface TaskRef {
  taskId: string;
  organizationId: string;
  siteId: string;
  createdAt: string;
  /**
   * The other task whose result this task builds on. Its ref holds the base. Absent: the base is on
   * the production branch.
   */
  ontoTaskId?: string;
  requestId?: string;
}
