import { expect } from 'chai';
import { unchangedSentence } from '../../src/agents/shared/site/taskWarnings.ts';
import { menuTexts } from '../../src/agents/shared/tools/menuEntries.ts';
import { createTaskCheck } from '../../src/agents/rules/checks/checkTask.ts';
import type { TaskCheckRequest, TaskCheck } from '../../src/contract/checks.ts';
import { type TaskWork, noteValues } from '../../src/contract/task.ts';
import { createRepositories } from '../../src/sites/git/repositories.ts';
import { TaskSite, TEMPLATE } from '../helpers/activities.ts';
import { testLauncher } from '../helpers/launcher.ts';
import { texts } from '../helpers/texts.ts';
import { testPages, testRules } from '../helpers/threads.ts';

const context = ['City: Porto', 'Headline: Web design in Porto', 'Parking: behind the house'].join(
  '\n',
);

describe('createTaskCheck(deps)', function () {
  this.timeout(180_000);
  let site: TaskSite;
  let check: (
    work: TaskWork,
    more?: Partial<TaskCheckRequest>,
    signal?: AbortSignal,
  ) => Promise<TaskCheck>;
  let close: () => unknown;
  before(async () => {
    site = await TaskSite.create();
    const repositories = createRepositories({
      dataDir: `${site.workplace.folder}/data`,
      launcher: testLauncher,
    });
    const checkTask = createTaskCheck({
      repositories,
      pages: testPages,
      texts: { for: () => texts },
      rules: testRules,
    });
    const { organizationId, siteId } = site;
    const repository = { url: site.workplace.url, branch: 'main', root: '' };
    check = (work, more = {}, signal) =>
      checkTask(
        { site: { organizationId, siteId, repository }, work, isModel: false, ...more },
        { organizationId, signal },
      );
    close = () => repositories.close();
  });
  after(async () => {
    await close();
    await site.remove();
  });

  const pages = (fields: object = {}): TaskWork => ({
    type: 'generate_pages',
    templatePageSlug: TEMPLATE,
    items: [{ targetPageSlug: '/locations/porto', context }],
    ...fields,
  });
  const codes = ({ problems, items }: TaskCheck) =>
    [problems, ...items.map((item) => item.problems)].map((all) => all.map(({ code }) => code));

  it('reports for each page which texts would stay as in the template, and which context values fit nowhere', async () => {
    const { problems, items } = await check(
      pages({
        items: ['porto', 'rome'].map((city) => ({ targetPageSlug: `/locations/${city}`, context })),
      }),
    );
    expect(problems).to.deep.equal([]);
    expect(items.map(({ targetPageSlug }) => targetPageSlug)).to.deep.equal([
      '/locations/porto',
      '/locations/rome',
    ]);
    for (const { unused, stays } of items) {
      expect(unused.join()).to.match(/behind the house/);
      const shown = stays.map(({ text }) => text).join('\n');
      expect(shown).to.not.contain('Web design in Austin').and.not.contain('Porto');
      expect(stays).to.not.be.empty;
      for (const { slot, label, text } of stays)
        expect([slot, label, text].every(Boolean)).to.equal(true);
    }
  });

  it('checks each value against the text that it would fill, and does not block a start because of junk', async () => {
    const junk =
      'City: Oslo\nPhone: #REF!\nEmail: not-an-email\nHeadline: <b>Web design</b> in Oslo\nLead: {{lead}}';
    const { problems, items } = await check(
      pages({ items: [{ targetPageSlug: '/locations/oslo', context: junk }] }),
    );
    expect([problems, items[0]!.problems]).to.deep.equal([[], []]);
    expect(
      items[0]!.remarks.map(({ label, value, fills, code, severity }) => [
        label,
        value,
        fills,
        code,
        severity,
      ]),
    ).to.deep.equal([
      ['phone', '#REF!', 'telephone number', 'spreadsheet-error', 'error'],
      ['email', 'not-an-email', 'e-mail address', 'not-an-email-address', 'error'],
      ['headline', '<b>Web design</b> in Oslo', 'headline', 'markup', 'warning'],
      ['lead', '{{lead}}', 'lead paragraph', 'merge-field', 'error'],
    ]);
    expect(
      items[0]!.notes.flatMap((note) => (note.kind === 'unused' ? noteValues(note) : [])),
    ).to.deep.equal(['#REF!', 'not-an-email', '{{lead}}']);
    expect(items[0]!.unused).to.deep.equal([]);
  });

  it('reports the same texts and notes as the activity that writes the page', async () => {
    const [item] = (await check(pages())).items;
    const again = (await check(pages())).items[0];
    expect(item).to.deep.equal(again);
    const texts = new Set(item!.stays.map(({ slot }) => slot));
    expect(texts).to.have.property('size', item!.stays.length);
    for (const { kind, slot } of item!.notes)
      if (slot !== undefined && kind === 'price') expect([...texts]).to.include(slot);
  });

  for (const [name, work, expected] of [
    ['a missing template', pages({ templatePageSlug: '/nowhere' }), [['TEMPLATE_NOT_FOUND'], []]],
    [
      'a page that is there',
      pages({ items: [{ targetPageSlug: '/pricing', context }] }),
      [[], ['PAGE_EXISTS']],
    ],
    [
      'a page that differs in case',
      pages({ items: [{ targetPageSlug: '/Pricing', context }] }),
      [[], ['PAGE_EXISTS']],
    ],
    ['a page that links to nothing', pages({ linkFrom: '/nowhere' }), [['LINK_FROM_UNFIT'], []]],
    [
      'a prompt that the rules understand',
      { type: 'prompt', prompt: 'Change the headline of / to "Hello"' },
      [[]],
    ],
    [
      'a prompt that they do not',
      { type: 'prompt', prompt: 'Make it pop, somehow' },
      [['NOT_UNDERSTOOD']],
    ],
    ['no prompt for them', { type: 'prompt', prompt: '???' }, [['NOT_UNDERSTOOD']]],
  ] as const)
    it(`reports ${name}`, async () => {
      expect(codes(await check(work))).to.deep.equal(expected);
    });

  const prompted = (prompt: string, more: Partial<TaskCheckRequest> = {}) =>
    check({ type: 'prompt', prompt }, more);

  it('reports what a prompt would change, and the notes of such a task', async () => {
    expect(await prompted('Change the headline of /pricing to "Hello"')).to.deep.equal({
      problems: [],
      items: [],
      notes: [],
      changes: { pagesCreated: [], pagesModified: ['/pricing'], pagesDeleted: [] },
    });
    const { changes, notes } = await prompted(
      'Copy /services/web-design for "Shops" as /services/shops',
    );
    expect(changes).to.deep.equal({
      pagesCreated: ['/services/shops'],
      pagesModified: [],
      pagesDeleted: [],
    });
    expect(notes!.map(({ kind }) => kind)).to.include('price');
    const same = await prompted('Add /about to the navigation');
    expect(same.changes).to.deep.equal({ pagesCreated: [], pagesModified: [], pagesDeleted: [] });
    expect(same.notes!.map(({ kind, text }) => [kind, text.split(': ')[1]])).to.deep.equal([
      ['undone', unchangedSentence({ textName: menuTexts.entryName('/about'), text: 'About' })],
    ]);
    const twice = await prompted('Add /about to the navigation as "Who we are"');
    expect(twice.notes!.map(({ kind }) => kind)).to.deep.equal(['part']);
    expect(twice.notes![0]!.text).to.match(/\b2 entries\b.*\/about.*"About".*"Who we are"/);
    const gone = await prompted('Delete /blog/website-brief and the links to it');
    expect(gone.changes!.pagesDeleted).to.deep.equal(['/blog/website-brief']);
    expect(gone.notes!.map(({ kind }) => kind)).to.include('changed');
  });

  it('names the sentence that the rules do not understand, and the nearest wordings', async () => {
    const prompt = 'Delete /blog/website-brief and the links to it.\nMake the h1 of / pop';
    const { problems, changes } = await prompted(prompt);
    expect(changes).to.equal(undefined);
    expect(problems).to.have.lengthOf(1);
    expect(problems[0]!.message).to.match(
      /"Make the h1 of \/ pop"\. .*: \S.* \| .* \| .*\. All instructions: \S+$/,
    );
    const [open] = (await prompted('Change the headline of /pricing to "Hello')).problems;
    expect(open!.code).to.equal('NOT_UNDERSTOOD');
  });

  it('calls no model, and reports nothing about a prompt for a model', async () => {
    const prompt: TaskWork = { type: 'prompt', prompt: 'Make it pop, somehow' };
    expect(await check(prompt, { isModel: true })).to.deep.equal({ problems: [], items: [] });
  });
});
