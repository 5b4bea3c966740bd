import type { Logger } from 'pino';
import type { ModelTurn } from '../src/agents/shared/agentTypes.ts';
import type { FairModelCalls } from '../src/agents/model/calls/fairModelCalls.ts';
import type { AgentRegistry } from '../src/agents/agentPorts.ts';
import type { CallbackSender } from '../src/callbacks/callbackSender.ts';
import type { BatchStore } from '../src/contract/batches/batchStore.ts';
import type { Approvals } from '../src/contract/approvals.ts';
import type { DeliveryLog, DisabledEndpoint, NewEvent } from '../src/contract/events.ts';
import type { ActivityDelays } from '../src/contract/metrics.ts';
import type { PublishWindows } from '../src/contract/publishWindows.ts';
import type { Site, SiteRegister } from '../src/contract/site.ts';
import type { Traces } from '../src/contract/traces.ts';
import type { HeartbeatIntervals, WrittenPage } from '../src/contract/task.ts';
import type { SiteHosting } from '../src/hosting/hosting.ts';
import type { TextsPool } from '../src/agents/shared/texts/textsPool.ts';
import type { PageCreation } from '../src/sites/formats/format.ts';
import type { PagesPool } from '../src/sites/pages/pages.ts';
import type { PageTarget } from '../src/sites/pages/listing/planTargets.ts';
import type { TaskPriority } from '../src/threads/taskPriority.ts';
import type { SiteNeeds } from '../src/sites/git/remote/ownRefs.ts';
import type { GitRepositories } from '../src/sites/git/repository.ts';

/** Everything that activities depend on. Each activity picks the ports that it needs. */
export interface ActivityDependencies {
  sites: SiteRegister & { listAfter(siteId: string | undefined, limit: number): Promise<Site[]> };
  organizations: { callbackSecrets(organizationId: string): Promise<string[]> };
  repositories: GitRepositories;
  pages: Pick<PagesPool, 'for'>;
  texts: Pick<TextsPool, 'for'>;
  agents: AgentRegistry;
  calls: FairModelCalls;
  /** What the workflow of a running task has recorded, such as its prompt and its turns. */
  recorded: RecordedTasks;
  hosting: SiteHosting;
  /** URL for editing a page of a task's result by hand. */
  editAddress(taskId: string, slug: string): string;
  approvals: Pick<Approvals, 'of'>;
  leases: TaskPermits;
  retention: CleanUpRetention;
  /** `prune` removes old entries: of the audit, of calls of language models, of assistants. */
  audit: { prune(): Promise<void> };
  modelUsage: { prune(): Promise<void> };
  accounts: { assistants: { prune(): Promise<void> } };
  batches: BatchStore;
  publishWindows: PublishWindows;
  /** Gives activities of tasks priority over those of batches. Default: a new one. */
  precedence?: TaskPriority;
  /** URL at which a batch is read. */
  batchAddress(batchId: string): string;
  callbacks: Pick<CallbackSender, 'send'>;
  eventLog: DeliveryLog;
  eventMails: EventLetters;
  /** URL of a path of the console, such as `tasks/bg-…`. */
  consoleAddress(path: string): string;
  log: Logger;
  /** Default: no traces. */
  traces?: Traces;
  /** Aborted when the process stops taking activities. */
  stopping?: AbortSignal;
  /** How often activities send heartbeats. Default: the intervals for the embedded server. */
  heartbeats?: HeartbeatIntervals;
  /** Called after each attempt of an activity, with its waiting times. */
  onAttemptEnd?: (delays: ActivityDelays) => void;
}

/** E-mails about events. Both return false if the mail server did not accept the letter. */
export interface EventLetters {
  mailCreator(letter: {
    organizationId: string;
    userId: string;
    event: NewEvent;
    url: string;
  }): Promise<boolean>;
  mailOwners(endpoint: DisabledEndpoint): Promise<boolean>;
}

/** The permits of tasks: each lets an organization have one more task running. */
export interface TaskPermits {
  release(taskId: string): Promise<void>;
  /** @returns whether the task has a permit now: otherwise it waits in line for one */
  reacquire(task: TaskRef, waitedUntil: Date): Promise<boolean>;
}

/** Queries to the workflow of a running task. They throw UNAVAILABLE if it does not answer. */
export interface RecordedTasks {
  /** The first `count` turns of a prompt task. */
  turns(taskId: string, count: number, signal: AbortSignal): Promise<ModelTurn[]>;
  /** The texts of the pages that the task commits, by slug. */
  pages(taskId: string, signal: AbortSignal): Promise<Record<string, NewPageContent>>;
  /** The contexts of the task's items in their order, or the prompt of a prompt task. */
  contexts(taskId: string, signal: AbortSignal): Promise<string[]>;
}

/** What one new page changes of its template: its texts, groups (such as cards), links and more. */
export type NewPageContent = Pick<
  PageCreation,
  'texts' | 'groups' | 'removed' | 'lang' | 'country' | 'contacts'
> &
  Pick<WrittenPage, 'links'>;

/** The texts of one new page, and its path. */
export type NewPageTexts = PageTarget & NewPageContent;

/** Tells the clean-up what must be kept. */
export interface CleanUpRetention extends SiteNeeds {
  /**
   * Returns those of a site's tasks whose results have expired. A running task may still need such
   * a result.
   */
  endedResults(siteId: string, taskIds: string[]): Promise<string[]>;
  /** Returns those of a site's tasks whose previews were deleted or withdrawn. */
  withdrawn(siteId: string, taskIds: string[]): Promise<string[]>;
}

/** The part that all activities' arguments share: the task that the activity works for. */
export interface TaskRef {
  taskId: string;
  organizationId: string;
  siteId: string;
  createdAt: string;
  /**
   * The base task, on whose result this task builds. Its ref keeps the base commit. Absent: the
   * base is a commit of the production branch.
   */
  baseTaskId?: string;
  requestId?: string;
}
