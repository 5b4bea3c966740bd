import type { AgentRegistry } from '../src/agents/agentPorts.ts';
import type { JobOwner } from '../src/threads/threadPool.ts';
import type { TaskPriority } from '../src/threads/taskPriority.ts';
import type { ActivityDependencies } from './deps.ts';

type StepFunctions = Record<
  string,
  (argument: never, ...extraArguments: never[]) => Promise<unknown>
>;

/**
 * Steps of tasks, which go before batches. Those that call a language model mostly wait for it, and
 * let batches go on.
 */
export function prioritizeTasks<T extends StepFunctions>({ during }: TaskPriority, steps: T): T {
  const prioritized =
    (step: StepFunctions[string]) =>
    (argument: { model?: string }, ...extraArguments: never[]) => {
      const runStep = () => step(argument as never, ...extraArguments);
      return argument.model === undefined ? during(runStep) : runStep();
    };
  return Object.fromEntries(
    Object.entries(steps).map(([name, step]) => [name, prioritized(step)]),
  ) as unknown as T;
}

/** The same ports for steps of batches: their jobs in threads let tasks go first. */
export function yieldToTasks<T extends Pick<ActivityDependencies, 'pages' | 'texts' | 'agents'>>(
  { after }: TaskPriority,
  ports: T,
): T {
  const { pages, texts, agents } = ports;
  return {
    ...ports,
    pages: { for: (jobOwner: JobOwner) => pages.for(after(jobOwner)) },
    texts: { for: (jobOwner: JobOwner) => texts.for(after(jobOwner)) },
    agents: {
      of(model) {
        const agent = agents.of(model);
        return {
          ...agent,
          generatePage: (job, jobOwner) => agent.generatePage(job, after(jobOwner)),
        };
      },
    } satisfies AgentRegistry,
  };
}
