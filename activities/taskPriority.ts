import type { AgentRegistry } from '../src/agents/agentPorts.ts';
import type { JobOwner } from '../src/threads/threadPool.ts';
import type { TaskPriority } from '../src/threads/taskPriority.ts';
import type { ActivityDependencies } from './deps.ts';

type StepFunctions = Record<
  string,
  (argument: never, ...extraArguments: never[]) => Promise<unknown>
>;

/**
 * Gives activities of tasks priority over batches: while one runs, jobs of batches pause.
 * Activities that call a language model do not count, because they mostly wait for it.
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

/** Returns the ports for activities of batches, whose jobs in threads let tasks go first. */
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
