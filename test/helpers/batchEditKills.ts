import { expect } from 'chai';
import type { BatchStore } from '../../src/contract/batchStore.ts';
import type { TaskSite } from './activities.ts';
import { BatchRun, fileOf } from './batchRun.ts';
import { git } from './team/workplace.ts';

/** The error of a row whose edited page others changed too. */
export const giveWayError = (name: string) =>
  `The page on the site was changed after this one was edited by hand: /locations/${name}. ` +
  'Retry the row to put the edited page in its place, or leave it out (skip) to drop the edit';

/** Kills a run of a batch with edits by hand at a call of the database, and runs it again. */
export async function expectEditsSurvive(site: TaskSite, step: keyof BatchStore): Promise<void> {
  const batch = await BatchRun.make(site, ['Lahr', 'Metz', 'Nice'], { holdBelow: 1 });
  await batch.approve(1);
  await batch.again();
  await batch.edit('Lahr', 'Lahr by hand');
  await batch.edit('Metz', 'Metz by hand');
  await batch.approve(3);
  await batch.store.change(batch.batchId, { status: 'running' });
  await batch.dieAt(step);
  await batch.run(site.again());
  expect(await batch.states()).to.deep.equal(['committed', 'held', 'committed']);
  expect(batch.headline('Lahr')).to.equal('Lahr by hand');
  expect(batch.headline('Metz')).to.equal('Metz by hand');
  const { commit } = await batch.find();
  const log = git(site.workplace.remote, 'log', '--format=%s', '--name-only', commit!);
  expect(log.split('Edit /locations/lahr by hand')).to.have.length(2);
  expect(log.match(/locations\/nice\.html/g)).to.have.length(1);
}

/**
 * The same where others changed a page that was edited by hand.
 * @param calls how many calls of the step succeed before the kill
 */
export async function expectEditsSurviveOthers(
  site: TaskSite,
  step: keyof BatchStore,
  calls: number,
): Promise<void> {
  const batch = await BatchRun.make(site, ['Lahr', 'Metz'], { publish: true });
  await batch.edit('Lahr', 'Lahr by hand');
  await batch.edit('Metz', 'Metz by hand');
  site.workplace.push({ [fileOf('Lahr')]: '<h1>Theirs</h1>' });
  await batch.store.change(batch.batchId, { status: 'running' });
  await batch.dieAt(step, calls);
  await batch.run(site.again());
  expect(await batch.states()).to.deep.equal(['failed', 'published']);
  expect(await batch.errors()).to.deep.equal([giveWayError('lahr')]);
  await batch.retry();
  expect(batch.headline('Lahr', 'main')).to.equal('Lahr by hand');
  expect(batch.headline('Metz', 'main')).to.equal('Metz by hand');
}
