import { createThreads } from '../../../src/threads/threads.ts';
import type { Job } from './worker.ts';

/** Prints the megabytes that a thread's new objects had room in at most, while it made garbage. */
const threads = createThreads({ cpuLimit: 600_000 });
const megabytes = await threads.run<Job>(
  new URL('./worker.ts', import.meta.url),
  { name: 'garbage', argument: 200 },
  (limit) => `The job takes more than ${limit}`,
  { organizationId: 'a' },
);
console.log(megabytes);
await threads.close();
