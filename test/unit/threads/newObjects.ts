import { createThreads } from '../../../src/threads/threads.ts';

/** Prints the megabytes that a thread's new objects had room in at most, while it made garbage. */
const threads = createThreads({ cpuLimit: 600_000 });
const megabytes = await threads.run(
  new URL('./worker.ts', import.meta.url),
  { name: 'garbage', args: [200] },
  (limit) => `The job takes more than ${limit}`,
  { organizationId: 'a' },
);
console.log(megabytes);
await threads.close();
