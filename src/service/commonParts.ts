import { createRulesAgent } from '../agents/rules/agent.ts';
import { createTextsPool } from '../agents/tools/textsPool.ts';
import { createCallbackSender } from '../callbacks/send.ts';
import type { Config } from '../config.ts';
import type { Logger } from '../log.ts';
import type { Metrics } from '../metrics/registry.ts';
import { callbackPolicy, type Stores } from '../stores.ts';
import type { Temporal } from '../temporal/openTemporal.ts';
import { createRunningTasks } from '../temporal/tasks/runningTasks.ts';

/**
 * Registers something to be closed with the service, in reverse order of registration. Returns it.
 */
export type Keep = <T extends { close(): Promise<void> | void }>(opened: T) => T;

interface Opened {
  config: Config;
  logger: Logger;
  metrics: Metrics;
  stores: Stores;
  temporal: Temporal;
  /** The base address that clients use. It is known only after the service listens. */
  publicUrl: () => URL;
}

/** The parts that both the worker and the API use. */
export type CommonParts = ReturnType<typeof createCommonParts>;

/** Makes the parts that the worker and the API share. */
export function createCommonParts(opened: Opened, keep: Keep) {
  const { config, stores, temporal, publicUrl } = opened;
  const callbacks = callbackPolicy(config, publicUrl);
  return {
    ...opened,
    callbacks,
    sender: keep(createCallbackSender(callbacks)),
    runningTasks: createRunningTasks({ ...temporal, leases: stores.leases }),
    rules: createRulesAgent(stores.threads, () => new URL('/docs/prompts.md', publicUrl()).href),
    texts: createTextsPool(stores.threads),
  };
}
