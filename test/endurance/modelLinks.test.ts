// Takes long: a whole task of a language model.
import { expect } from 'chai';
import type { Asked, Reply } from '../helpers/modelServer.ts';
import { answersIn, call, type Call } from '../helpers/modelTurns.ts';
import { sharedModelService } from '../helpers/modelService.ts';
import { endServices, type Service } from '../helpers/service.ts';
import { outputOf } from '../helpers/views.ts';

const slug = '/pricing';
const teams = '/pricing/teams';
const target = '/contact';
/** The two links of a text by the numbers that the first answer shows. */
const written = 'Need <1>a mark</1> or <2>care</2>? Then write to us.';

function turns(outline: string): Call[][] {
  const [, text = '', first = '', second = ''] =
    /(\S+) p Only need a new mark\?.*1 a\([^)]*\)@(\w+), 2 a\([^)]*\)@(\w+)/.exec(outline) ?? [];
  const set = (id: string) => call('set_texts', { slug, edits: [{ id, text: written }] });
  return [
    [call('read_page', { slug })],
    [
      call('set_link', { slug, id: first, target: '' }),
      call('set_link', { slug, id: text, words: 'a month', target }),
      set(text),
      set(second),
    ],
    [
      set(text),
      call('create_page', { slug: '/preise', from: slug, lang: 'de' }),
      call('undo', { slug: '/preise' }),
      call('undo', { slug: '/preise' }),
      call('create_page', { slug: teams, from: slug }),
      call('read_page', { slug: teams, part: 'chrome' }),
    ],
  ];
}

/** The last turns, after the chrome of the new page was read. */
function lastTurns(chrome: string): Call[] {
  const group = /\[(g\d+)\.0\] \S+ a\(\/services\)/.exec(chrome)?.[1] ?? '';
  const items = { items: [['Teams']], links: [[teams]], everywhere: true };
  return [
    call('add_items', { slug: teams, group, after: 1, ...items }),
    call('finish', { summary: 'Changed the links.' }),
  ];
}

describe('links that a language model makes, takes away and writes', function () {
  this.timeout(240_000);
  let service: Service;
  const asked: Asked[] = [];
  before(async () => {
    service = await sharedModelService((request): Reply => {
      const answers = answersIn(request);
      const calls = turns(answers[0] ?? '')[asked.length] ?? lastTurns(answers.at(-1) ?? '');
      asked.push(request);
      return { calls };
    });
  });
  after(async function () {
    await endServices(this.currentTest);
  });

  it('never get the words of another one, and one entry of a navigation is current', async () => {
    const view = await service.waitForTask(await service.createTask({ prompt: 'Tidy the links' }));
    const { pagesModified, pagesCreated } = outputOf(view);
    expect(pagesCreated.map((page) => page.slug)).to.deep.equal([teams]);
    const [, , , renumbered, otherKind] = answersIn(asked.at(-1)!);
    expect(renumbered).to.match(
      /Error: s\d+ has other part numbers since you read it\. It is now: Only need a new mark\? Brand identity starts at \$3,200\. Already have a site\? A <1>care plan<\/1> is \$140 <2>a month<\/2>\./,
    );
    expect(otherKind).to.match(/has no text s\d+; s\d+ is part <1> of the text s\d+: set_texts/);
    const page = pagesModified.find((one) => one.slug === slug)!;
    const source = (await service.request('GET', page.previewUrl!)).text;
    expect(source).to.match(
      /Need <a href="[^"]*care-plans\/?">a mark<\/a> or <a href="[^"]*contact">care<\/a>\? Then/,
    );
    expect(source).not.to.contain('hreflang');
    expect(answersIn(asked.at(-1)!).join('\n')).to.contain(
      'The task made /preise and took it away again',
    );
    const made = (await service.request('GET', pagesCreated[0]!.previewUrl!)).text;
    const nav = /<nav[^]*?<\/nav>/.exec(made)![0];
    expect(nav.match(/<a[^>]*(?:aria-current|"active")[^>]*>[^<]*/g)!.join()).to.match(
      /^<a[^>]*aria-current="page"[^>]*>Teams$/,
    );
  });
});
