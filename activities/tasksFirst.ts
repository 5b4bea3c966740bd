import type { Agents } from '../src/agents/port.ts';
import type { Work } from '../src/threads/threads.ts';
import type { Precedence } from '../src/threads/precedence.ts';
import type { ActivityDeps } from './deps.ts';

type Steps = Record<string, (argument: never, ...more: never[]) => Promise<unknown>>;

/**
 * Steps of tasks, which go before batches. Those that call a language model mostly wait for it, and
 * let batches go on.
 */
export function beforeBatches<T extends Steps>({ during }: Precedence, steps: T): T {
  const before =
    (step: Steps[string]) =>
    (argument: { model?: string }, ...more: never[]) => {
      const run = () => step(argument as never, ...more);
      return argument.model === undefined ? during(run) : run();
    };
  return Object.fromEntries(
    Object.entries(steps).map(([name, step]) => [name, before(step)]),
  ) as unknown as T;
}

/** The same ports for steps of batches: their jobs in threads let tasks go first. */
export function afterTasks<T extends Pick<ActivityDeps, 'pages' | 'texts' | 'agents'>>(
  { after }: Precedence,
  ports: T,
): T {
  const { pages, texts, agents } = ports;
  return {
    ...ports,
    pages: { for: (work: Work) => pages.for(after(work)) },
    texts: { for: (work: Work) => texts.for(after(work)) },
    agents: {
      of(model) {
        const agent = agents.of(model);
        return { ...agent, generatePage: (job, work) => agent.generatePage(job, after(work)) };
      },
    } satisfies Agents,
  };
}
