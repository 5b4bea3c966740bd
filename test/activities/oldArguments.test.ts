import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import type { Activities } from '../../activities/index.ts';
import type { TaskResult } from '../../src/contract/task.ts';
import { cityItem, commitPages, TaskSite, TEMPLATE, writePage } from '../helpers/activities.ts';
import { git } from '../unit/sites/git/remotes.ts';

type Argument<N extends keyof Activities> = Parameters<Activities[N]>[0];
interface History {
  events: {
    activityTaskScheduledEventAttributes?: { activityType: { name: string }; input: { payloads: { data: string }[] } };
  }[];
}

/** The first argument with which the workflow of an earlier version scheduled an activity. */
function recorded<N extends keyof Activities>(file: string, name: N): Argument<N> {
  const text = readFileSync(new URL(`../replay/histories/${file}.json`, import.meta.url), 'utf8');
  const scheduled = (JSON.parse(text) as History).events.map((event) => event.activityTaskScheduledEventAttributes);
  const data = scheduled.find((one) => one?.activityType.name === name)?.input.payloads[0]?.data ?? '';
  return JSON.parse(Buffer.from(data, 'base64').toString()) as Argument<N>;
}

describe('activities that an earlier version scheduled', function () {
  this.timeout(180_000);
  let site: TaskSite;
  let workers = 0;
  before(async () => void (site = await TaskSite.create()));
  after(() => site?.remove());

  /** A worker whose disk knows nothing of any task. */
  const fresh = () => site.worker(`worker ${++workers}`);

  /** The recorded argument with values of this site: no field more, and none less. */
  function old<N extends keyof Activities>(file: string, name: N, values: Partial<Argument<N>>): Argument<N> {
    const argument = { ...recorded(file, name), ...values };
    expect(argument).to.have.all.keys(Object.keys(recorded(file, name)));
    return argument;
  }

  it('name no holder of what a task made itself', async () => {
    const file = 'v1/generate-published';
    const [task, item] = [site.task(), cityItem('Porto')];
    const targetPageSlugs = [item.targetPageSlug];
    const read = old(file, 'readSite', { task, templatePageSlug: TEMPLATE, targetPageSlugs });
    const { base, template, targets } = await fresh().readSite(read);
    const write = old(file, 'generatePage', { task, base, template: template!, item });
    const { texts } = await writePage(fresh(), write);
    const edit = { type: 'generate_pages' as const, template: template!, pages: [{ ...targets[0]!, texts }] };
    const { commit, created } = await fresh().commitChanges(old(file, 'commitChanges', { task, base, edit }));

    const preview = old(file, 'deployPreview', { task, commit: commit!, pages: created });
    const shown = await fresh().deployPreview(preview);
    expect(shown.map(({ editUrl }) => editUrl)).to.deep.equal([
      `http://localhost:3000/edit/${task.taskId}/locations/porto`,
    ]);
    expect(await site.deployments.preview(task.taskId)).to.include({ commit, heldBy: task.taskId });
    const published = await fresh().publish(old(file, 'publish', { task, base, commit: commit! }));
    expect(published.commit).to.equal(commit);
    const live = old(file, 'deployProduction', { task, commit: published.commit, pages: created });
    expect((await fresh().deployProduction(live)).map(({ slug }) => slug)).to.deep.equal(['/locations/porto']);
  });

  it('name the holder of the result that a task publishes', async () => {
    const file = 'v2/publish-result';
    const { task: holder, base, commit } = await commitPages(fresh(), site.task(), [cityItem('Ulm')]);
    const result: TaskResult = { taskId: holder.taskId, base, commit, root: base };
    const task = site.task();
    const read = await fresh().readResult(old(file, 'readResult', { task, result }));
    expect(read).to.include({ commit });
    const values = { task, commit, heldBy: holder.taskId };
    await fresh().deployPreview(old(file, 'deployPreview', { ...values, pages: read.created }));
    expect(await site.deployments.preview(task.taskId)).to.include({ commit, heldBy: holder.taskId });
    await fresh().publish(old(file, 'publish', { ...values, base }));
    expect(git(site.workplace.remote, 'merge-base', '--is-ancestor', commit, 'main')).to.equal('');
  });

  it('tell a task on top of another one by `onto` and `ontoTaskId`', async () => {
    const below = await commitPages(fresh(), site.task(), [cityItem('Bonn')]);
    const onto = { taskId: below.task.taskId, base: below.base, commit: below.commit, root: below.base };
    const task = site.task({ ontoTaskId: onto.taskId });
    const { base } = await fresh().readSite(old('v2/prompt-onto-result', 'readSite', { task, onto }));
    expect(base).to.equal(onto.commit);
    const prompt = 'Replace "Bonn" with "Bonn City" on /locations/bonn';
    const turns: Argument<'agentStep'>['turns'] = [];
    for (let done = false; !done;) {
      const step = await fresh().agentStep(
        old('v2/prompt-onto-result', 'agentStep', { task, base, prompt, turns: [...turns] }),
      );
      turns.push(step.turn);
      done = step.done;
    }
    const edit = { type: 'prompt' as const, prompt, turns };
    const { commit } = await fresh().commitChanges(old('v2/prompt-onto-result', 'commitChanges', { task, base, edit }));
    expect(git(site.workplace.remote, 'rev-parse', `${commit}^`)).to.equal(onto.commit);
  });
});
