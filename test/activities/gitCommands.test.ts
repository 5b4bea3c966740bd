import { expect } from 'chai';
import { join } from 'node:path';
import type { TaskActivities } from '../../activities/index.ts';
import { createRepositories } from '../../src/sites/git/repositories.ts';
import {
  cityItem,
  followPrompt,
  TaskSite,
  tellPages,
  TEMPLATE,
  writePage,
  writePages,
} from '../helpers/activities.ts';
import { namingLauncher } from '../helpers/launcher.ts';
import { begun, went } from '../helpers/deployed.ts';

const cities = [
  'Vienna',
  'Graz',
  'Linz',
  'Bern',
  'Basel',
  'Genoa',
  'Turin',
  'Lyon',
  'Ghent',
  'Porto',
];

describe('The git commands of a warm task', function () {
  this.timeout(120_000);
  for (const root of ['', 'web/site'])
    describe(
      root === '' ? 'of a repository that is the site' : `of a site in the folder ${root}`,
      () => {
        let site: TaskSite;
        let worker: TaskActivities;
        let again: TaskActivities;
        let names: string[];
        before(async () => {
          site = await TaskSite.create({}, root);
          const naming = namingLauncher();
          const dataDir = join(site.workplace.folder, 'counted');
          const repositories = createRepositories({ dataDir, launcher: naming.launcher });
          names = naming.names;
          worker = site.worker('counted', { repositories });
          again = site.again('counted', { repositories });
          await publish(['Warm']);
        });
        after(() => site?.remove());

        /** @returns the number of commands up to the preview, and of all */
        async function publish(of: string[]) {
          names.length = 0;
          const items = of.map(cityItem);
          const task = site.task();
          const targetPageSlugs = items.map(({ targetPageSlug }) => targetPageSlug);
          const { base, template, targets } = await worker.readSite({
            task,
            templatePageSlug: TEMPLATE,
            targetPageSlugs,
          });
          const written = await Promise.all(
            items.map((item) => writePage(worker, { task, base, template: template!, item })),
          );
          const pages = tellPages(
            task.taskId,
            targets.map((target, i) => ({ ...target, ...written[i]! })),
          );
          return finish(task, base, { type: 'generate_pages', template: template!, pages });
        }

        /** Without housekeeping, where others pushed much. */
        const ofTask = () => names.filter((name) => name !== 'gc');

        async function finish(
          task: ReturnType<TaskSite['task']>,
          base: string,
          edit: Parameters<TaskActivities['commitChanges']>[0]['edit'],
        ) {
          const { commit, ...changed } = await worker.commitChanges({ task, base, edit });
          const pages = [...changed.created, ...changed.modified];
          await worker.deployPreview({ ...begun, task, commit: commit!, pages });
          const upToPreview = ofTask();
          const published = await worker.publish({ task, base, commit: commit! });
          await worker.deployProduction({ ...went, task, commit: published.commit, pages });
          return { upToPreview, all: ofTask() };
        }

        const expectFew = (
          { upToPreview, all }: Awaited<ReturnType<typeof publish>>,
          most: number,
        ) => {
          expect(upToPreview.length, upToPreview.join()).to.be.at.most(most);
          expect(all.length, all.join()).to.be.at.most(most + 2);
        };

        it('need at most 4 commands to write ten pages, and 6 to publish them', async () => {
          expectFew(await publish(cities), 4);
        });

        it('need no more after a kill before the push, because the activity looks for no commit', async () => {
          const { task, base, edit } = await writePages(worker, site.task(), [cityItem('Riga')]);
          names.length = 0;
          await again.commitChanges({ task, base, edit });
          expect(ofTask()).to.deep.equal(['push', 'update-ref']);
        });

        it('need one more after somebody else pushed, and no more for a prompt', async () => {
          const path = join(root, 'news.html');
          site.workplace.push({ [path]: '<h1>News</h1>' });
          expectFew(await publish(['Rome']), 5);
          names.length = 0;
          const prompt = 'Change the headline of /contact to "Write to us"';
          const { task, base, edit } = await followPrompt(worker, site.task(), prompt);
          expectFew(await finish(task, base, edit), 4);
        });
      },
    );
});
