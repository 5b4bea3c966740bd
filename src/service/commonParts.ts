import { createRulesAgent } from '../agents/rules/rulesAgent.ts';
import { createTextsPool } from '../agents/shared/texts/textsPool.ts';
import { createCallbackSender } from '../callbacks/callbackSender.ts';
import type { ServiceConfig } from '../config.ts';
import type { Traces } from '../contract/traces.ts';
import type { ServiceLogger } from '../log.ts';
import type { ServiceMetrics } from '../metrics/registry.ts';
import { createCallbackPolicy, type ServiceStores } from '../stores.ts';
import type { TemporalServer } from '../temporal/openTemporal.ts';
import { createRunningTasks } from '../temporal/tasks/runningTasks.ts';

/**
 * Registers something to be closed with the service, in reverse order of registration. Returns it.
 */
export type KeepOpen = <T extends { close(): Promise<void> | void }>(opened: T) => T;

interface OpenedParts {
  config: ServiceConfig;
  logger: ServiceLogger;
  metrics: ServiceMetrics;
  traces: Traces;
  stores: ServiceStores;
  temporal: TemporalServer;
  /** The base address that clients use. It is known only after the service listens. */
  publicUrl: () => URL;
}

/** The parts that both the worker and the API use. */
export type CommonParts = ReturnType<typeof createCommonParts>;

/**
 * Creates the parts that the worker (`openWorker.ts`) and the API (`openApi.ts`) share, from what
 * `src/service.ts` has opened. For example, both use the rules: the agent without a language model.
 * @param keep closes a part with the service
 */
export function createCommonParts(opened: OpenedParts, keep: KeepOpen) {
  const { config, stores, temporal, publicUrl } = opened;
  const callbacks = createCallbackPolicy(config, publicUrl);
  return {
    ...opened,
    callbacks,
    sender: keep(createCallbackSender(callbacks)),
    runningTasks: createRunningTasks({ ...temporal, leases: stores.leases }),
    rules: createRulesAgent(stores.threads, () => new URL('/docs/prompts', publicUrl()).href),
    texts: createTextsPool(stores.threads),
  };
}
