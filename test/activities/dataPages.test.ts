import { expect } from 'chai';
import type { TaskRef } from '../../activities/deps.ts';
import type { TaskActivities } from '../../activities/index.ts';
import { failed, followPrompt, TaskSite, tellPages, writePage } from '../helpers/activities.ts';
import { git } from '../helpers/team/workplace.ts';

const city = (slug: string) => {
  const name = slug.replace(/^./, (letter) => letter.toUpperCase());
  return {
    slug,
    title: `Web design in ${name}`,
    intro: `We design shops in ${name} and build them.`,
    date: '2024-01-02',
  };
};
const cities = [city('berlin'), city('paris'), city('rome')];
const withoutSlug = ({ slug: _, ...rest }: ReturnType<typeof city>) => rest;
const yamlLines = (entry: object) =>
  Object.entries(entry).map(([key, value]: [string, string]) => `  ${key}: ${value}`);

/** The cities in a folder of files, each with its bytes. */
const folders: Record<string, { ending: string; source: (slug: string) => string }> = {
  'files in JSON': {
    ending: '.json',
    source: (slug) => `${JSON.stringify(withoutSlug(city(slug)), null, '\t')}\n`,
  },
  'files in YAML, without a line end at their ends': {
    ending: '.yml',
    source: (slug) =>
      `# ours\n${yamlLines(withoutSlug(city(slug)))
        .join('\n')
        .replace(/^ {2}/gm, '')}`,
  },
};

/** The same three cities in data files of all shapes. */
const files: Record<string, { path: string; source: string; entry: (slug: string) => string }> = {
  'a list in JSON': {
    path: 'src/_data/cities.json',
    source: `${JSON.stringify(cities, null, 2)}\n`,
    entry: (slug) =>
      `${JSON.stringify(city(slug), null, 2).replace(/^/gm, '  ')},\n`.replace(
        /2024-01-02/,
        '2026-03-04',
      ),
  },
  'an object in JSON': {
    path: 'src/_data/cities.json',
    source: `${JSON.stringify(Object.fromEntries(cities.map((one) => [one.slug, withoutSlug(one)])), null, '\t')}\n`,
    entry: (slug) =>
      JSON.stringify({ [slug]: { ...withoutSlug(city(slug)), date: '2026-03-04' } }, null, '\t')
        .slice(2, -2)
        .concat(',\n'),
  },
  'a list in YAML': {
    path: '_data/cities.yml',
    source: cities.map((one) => `${yamlLines(one).join('\n').replace(' ', '-')}\n`).join('\n'),
    entry: (slug) =>
      `${yamlLines({ ...city(slug), date: '2026-03-04' })
        .join('\n')
        .replace(' ', '-')}\n\n`,
  },
  'an object in YAML, with CRLF': {
    path: '_data/cities.yaml',
    source: cities
      .map((one) => `${one.slug}:\r\n${yamlLines(withoutSlug(one)).join('\r\n')}\r\n`)
      .join(''),
    entry: (slug) =>
      `${slug}:\r\n${yamlLines({ ...withoutSlug(city(slug)), date: '2026-03-04' }).join('\r\n')}\r\n`,
  },
};

/** A generate_pages task up to its commit. The last name of the page is its city. */
async function generatePage(
  worker: TaskActivities,
  task: TaskRef,
  { templatePageSlug, targetPageSlug }: { templatePageSlug: string; targetPageSlug: string },
) {
  const { base, template, targets } = await worker.readSite({
    task,
    templatePageSlug,
    targetPageSlugs: [targetPageSlug],
  });
  const { title, intro } = city(targetPageSlug.split('/').at(-1)!);
  const context = `City: ${title.split(' ').at(-1)}\nTitle: ${title}\nIntro: ${intro}`;
  const item = { targetPageSlug, context };
  const { texts } = await writePage(worker, { task, base, template: template!, item });
  const pages = tellPages(task.taskId, [{ ...targets[0]!, texts }]);
  const edit = { type: 'generate_pages' as const, template: template!, pages };
  const { commit, notes } = await worker.commitChanges({ task, base, edit });
  return { task, base, commit: commit!, notes, pages: targets };
}

/** A prompt task up to its commit. */
async function changeByPrompt(worker: TaskActivities, task: TaskRef, prompt: string) {
  const committed = await worker.commitChanges(await followPrompt(worker, task, prompt));
  const { commit, created, modified, deleted } = committed;
  const { base } = await worker.readSite({ task });
  return { task, base, commit: commit!, pages: [...created, ...modified], deleted };
}

describe('the activities on pages that are entries of a data file', function () {
  this.timeout(180_000);
  for (const [name, { path, source, entry }] of Object.entries(files))
    describe(`with ${name}`, () => {
      const folder = `/${path.replace(/\.\w+$/, '')}`;
      let site: TaskSite;
      let worker: TaskActivities;
      beforeEach(async () => {
        site = await TaskSite.createSmall();
        site.workplace.push({ [path]: source });
        await site.withOwnHost({ pageUrls: [{ folder: path, pattern: '/cities/:slug/' }] });
        worker = site.worker();
      });
      afterEach(() => site.remove());

      const show = () => site.workplace.show(path);

      const generate = (slug: string) =>
        generatePage(worker, site.task(), {
          templatePageSlug: `${folder}/berlin`,
          targetPageSlug: `${folder}/${slug}`,
        });
      const change = (prompt: string) => changeByPrompt(worker, site.task(), prompt);

      it('generate an entry after that of the template, and change no other byte', async () => {
        const generated = await generate('lisbon');
        await worker.publish(generated);
        const position = source.indexOf(entry('paris').split('date')[0]!);
        expect(show()).to.equal(
          source.slice(0, position) + entry('lisbon') + source.slice(position),
        );
        expect(git(site.workplace.remote, 'diff', '--name-only', 'main~1', 'main')).to.equal(path);
      });

      it('keep the entries of two tasks and of other people', async () => {
        const [one, two] = [await generate('lisbon'), await generate('oslo')];
        site.workplace.push({ [path]: source.replace('shops in Rome', 'houses in Rome') });
        await worker.publish(one);
        await worker.publish(two);
        const published = show();
        for (const text of [
          'houses in Rome',
          'shops in Lisbon',
          'shops in Oslo',
          'shops in Berlin',
        ])
          expect(published).to.include(text);
        const tree = await site.worker().readSite({
          task: site.task(),
          templatePageSlug: `${folder}/oslo`,
          targetPageSlugs: [],
        });
        expect(tree.template!.path).to.equal(`${path}#oslo`);
      });

      it('change the bytes of one text, as asked', async () => {
        const changed = await change(`On ${folder}/paris, set the title to "Design from Paris"`);
        expect(changed.pages.map(({ slug }) => slug)).to.deep.equal([`${folder}/paris`]);
        await worker.publish(changed);
        expect(show()).to.equal(source.replace('Web design in Paris', 'Design from Paris'));
      });

      it('fail with the name of the page if somebody else changed the same entry', async () => {
        const changed = await change(`On ${folder}/paris, set the title to "Design from Paris"`);
        site.workplace.push({ [path]: source.replace('shops in Paris', 'houses in Paris') });
        const failure = await failed(worker.publish(changed));
        expect(failure).to.include({ type: 'PAGE_CHANGED', retryable: false });
        expect(failure.message).to.include(`${folder}/paris`);
      });

      it('move an entry to another key, with its address', async () => {
        await worker.publish(await change(`Rename the page ${folder}/paris to ${folder}/lyon`));
        expect(show()).to.equal(source.replace('paris', 'lyon'));
      });

      it('delete an entry', async () => {
        const { deleted, ...changed } = await change(`Delete the page ${folder}/rome`);
        expect(deleted.map(({ slug }) => slug)).to.deep.equal([`${folder}/rome`]);
        await worker.publish(changed);
        expect(show()).to.not.match(/Rome|rome/);
        expect(show()).to.include('Berlin').and.include('Paris');
      });
    });

  for (const [name, { ending, source }] of Object.entries(folders))
    describe(`with a folder of ${name}`, () => {
      const folder = 'src/content/cities';
      const fileOf = (slug: string) => `${folder}/${slug}${ending}`;
      const slugOf = (slug: string) => `/${folder}/${slug}`;
      let site: TaskSite;
      let worker: TaskActivities;
      beforeEach(async () => {
        site = await TaskSite.createSmall();
        const paths = ['berlin', 'paris', 'rome'].map((slug) => [fileOf(slug), source(slug)]);
        site.workplace.push(Object.fromEntries(paths) as Record<string, string>);
        const rule = { folder: `${folder}/*${ending}`, pattern: '/cities/:slug/' };
        await site.withOwnHost({ pageUrls: [rule] });
        worker = site.worker();
      });
      afterEach(() => site.remove());

      const show = (slug: string) => site.workplace.show(fileOf(slug));
      const changedFiles = () =>
        git(site.workplace.remote, 'diff', '--name-status', 'main~1', 'main').split('\n');

      it('generate a file of the template’s bytes with other texts', async () => {
        const generated = await generatePage(worker, site.task(), {
          templatePageSlug: slugOf('berlin'),
          targetPageSlug: slugOf('lisbon'),
        });
        await worker.publish(generated);
        const expected = source('lisbon').replace('2024-01-02', '2026-03-04');
        expect(show('lisbon').trimEnd()).to.equal(expected.trimEnd());
        expect(changedFiles()).to.deep.equal([`A\t${fileOf('lisbon')}`]);
      });

      it('change the bytes of one text, move a file and delete one, as asked', async () => {
        const prompts = [
          `On ${slugOf('paris')}, set the title to "Design from Paris"`,
          `Rename the page ${slugOf('paris')} to ${slugOf('lyon')}`,
          `Delete the page ${slugOf('rome')}`,
        ];
        for (const prompt of prompts)
          await worker.publish(await changeByPrompt(worker, site.task(), prompt));
        expect(show('lyon')).to.equal(
          source('paris').replace('Web design in Paris', 'Design from Paris'),
        );
        const files = git(site.workplace.remote, 'ls-tree', '--name-only', 'main', `${folder}/`);
        expect(files.split('\n')).to.deep.equal(['berlin', 'lyon'].map(fileOf));
      });

      it('fail with the name of the page if somebody else changed the same file', async () => {
        const prompt = `On ${slugOf('paris')}, set the title to "Design from Paris"`;
        const changed = await changeByPrompt(worker, site.task(), prompt);
        site.workplace.push({ [fileOf('paris')]: source('paris').replace('shops', 'houses') });
        const failure = await failed(worker.publish(changed));
        expect(failure).to.include({ type: 'PAGE_CHANGED', retryable: false });
        expect(failure.message).to.include(slugOf('paris'));
      });
    });
});
