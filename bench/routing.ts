import { type Load, route } from './routing/route.ts';

/*
 * How often ten workers clone 10,000 sites: `node bench/routing.ts`.
 */

const ways: Load['by'][] = ['any worker', 'first worker', 'home'];
const rows = [1, 3, 10, 30].flatMap((tasksPerSite) => {
  const load = { sites: 10_000, workers: 10, tasksPerSite };
  const clones = Object.fromEntries(ways.map((by) => [by, route({ ...load, by }).clones]));
  const { clones: ofDying, waits } = route({
    ...load,
    by: 'home',
    dies: { at: 0.5, noticedAfter: 0.001 },
  });
  return {
    'tasks a site': tasksPerSite,
    ...clones,
    'home, one worker dies': ofDying,
    'waits of 2 s then': waits,
  };
});
console.table(rows);
