import type { Creator } from '../../src/contract/creator.ts';
import type { NamedCreator } from '../../src/contract/creator.ts';
import type { TaskFacts } from '../../src/temporal/tasks/taskService.ts';

/** What every task tells of itself: by whom it was made, and its title. */
export const made = {
  title: 'A task of the tests',
  createdBy: { keyId: '7d1f1c1e-4f5b-4b39-9d0b-6a1f6f3a2b11' },
} satisfies Partial<TaskFacts>;

/** The same with what one task's view tells beside that. */
export const told: TaskFacts = {
  ...made,
  siteId: '2ccccd9d-5b1e-4b77-8593-be03be951734',
  type: 'prompt',
  createdAt: '2026-01-02T03:04:05.678Z',
};

/** What a task's view shows of that, beside the fields of the contract. */
export const shown = {
  ...told,
  createdBy: { ...made.createdBy, name: null },
  follows: null,
  live: false,
  publication: null,
  base: null,
};

/** The creators with their names, as `CreatorNames.named` answers. */
export const named = <T extends Creator | null>(
  creators: T[],
  nameOf: (id: string) => string | null,
) =>
  creators.map(
    (maker) => maker && { ...maker, name: nameOf('userId' in maker ? maker.userId : maker.keyId) },
  ) as unknown as (NamedCreator | Extract<T, null>)[];
