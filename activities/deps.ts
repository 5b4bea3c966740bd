import type { Logger } from 'pino';
import type { Agents, Turn } from '../src/agents/agent.ts';
import type { CallbackSender } from '../src/callbacks/send.ts';
import type { StepDelays } from '../src/contract/metrics.ts';
import type { SiteRegister } from '../src/contract/site.ts';
import type { Hosting } from '../src/hosting/hosting.ts';
import type { TextsPool } from '../src/agents/tools/texts.ts';
import type { PagesPool } from '../src/sites/pages/pages.ts';
import type { Repositories } from '../src/sites/git/repository.ts';

export interface ActivityDeps {
  sites: SiteRegister;
  organizations: { callbackSecret(organizationId: string): Promise<string> };
  repositories: Repositories;
  pages: Pick<PagesPool, 'for'>;
  texts: Pick<TextsPool, 'for'>;
  agents: Agents;
  /** The first turns that the workflow of a prompt task has. Fails as UNAVAILABLE where it does not answer. */
  turns: { of(taskId: string, count: number, signal: AbortSignal): Promise<Turn[]> };
  hosting: Hosting;
  callbacks: Pick<CallbackSender, 'send'>;
  log: Logger;
  /** Told how long each attempt of a step waited. */
  onStep?: (delays: StepDelays) => void;
}

/** The part that every activity's argument has: the task that it works for. */
export interface TaskRef {
  taskId: string;
  organizationId: string;
  siteId: string;
  createdAt: string;
  /** The task on whose result this one works; it holds the base. Absent: the base is on the production branch. */
  ontoTaskId?: string;
  requestId?: string;
}
