// Takes long: a whole task of a language model.
import { expect } from 'chai';
import type { Asked, Reply } from '../helpers/modelServer.ts';
import { answersIn, call, type Call } from '../helpers/modelTurns.ts';
import { sharedModelService } from '../helpers/modelService.ts';
import { endServices, type Service } from '../helpers/service.ts';
import { outputOf } from '../helpers/views.ts';

const slug = '/pricing';
const set = (id: string, text: string) => call('set_texts', { slug, edits: [{ id, text }] });

/** Every text and group is named by an id of the first answer. */
function turns(outline: string): Call[][] {
  const id = (line: RegExp) => line.exec(outline)?.[1] ?? '';
  const [price, answer, group] = [
    /(\S+) p \$4,800/,
    /(\S+) p Yes\. If we/,
    /\[(g\d+)\.0\] \S+ h3 Starter/,
  ].map(id) as [string, string, string];
  return [
    [call('read_page', { slug })],
    [
      call('create_page', { slug: '/preise', from: slug, lang: 'de' }),
      set(answer, 'It is fixed.'),
      set(price, '   '),
      set(price, '<b>$5,000</b>'),
    ],
    [
      call('remove_items', { slug, group, indexes: [1, 2] }),
      call('delete_page', { slug: '/about' }),
      call('undo', { slug: '/about' }),
      call('undo', { slug: '/preise' }),
    ],
    [
      set(price, '$5,000'),
      call('add_items', {
        slug,
        group,
        after: 0,
        like: 0,
        items: [['Plus', '—', 'More.', 'Choose Plus']],
      }),
      call('finish', { summary: 'Changed the prices.' }),
    ],
  ];
}

describe('ids that a language model reads at the beginning of a task', function () {
  this.timeout(240_000);
  let service: Service;
  const asked: Asked[] = [];
  before(async () => {
    service = await sharedModelService((request): Reply => {
      const calls = turns(answersIn(request)[0] ?? '')[asked.length];
      asked.push(request);
      return { calls: calls ?? [] };
    });
  });
  after(async function () {
    await endServices(this.currentTest);
  });

  it('name the same until its end, and what could not be done is said', async () => {
    const view = await service.waitForTask(await service.createTask({ prompt: 'Tidy the prices' }));
    const { pagesModified, pagesCreated } = outputOf(view);
    expect(pagesCreated).to.deep.equal([]);
    expect(pagesModified.map((page) => page.slug)).to.deep.equal([slug]);
    const { text } = await service.request('GET', pagesModified[0]!.previewUrl!);
    expect(text).to.match(/Is the price really fixed\?<\/summary>\s*<p>It is fixed\.<\/p>/);
    const amounts = [...text.matchAll(/<p class="amount">([^<]*)<\/p>/g)].map(
      ([, amount]) => amount,
    );
    expect(amounts).to.deep.equal(['$5,000', '—']);
    const [, , , blank, markup, removed, , about, made] = answersIn(asked.at(-1)!);
    expect(blank).to.match(/Error: \S+ would be blank: remove_items and remove_section/);
    expect(markup).to.contain('"<b>" is shown as these characters');
    expect(removed).to.match(/Done\n\[g\d+\.0\*\] \S+ h3 Starter/);
    expect(about).to.contain('/about is as the task found it');
    expect(made).to.contain('The task made /preise: it is gone');
  });
});
