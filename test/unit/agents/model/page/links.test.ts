import { expect } from 'chai';
import { answerProblems } from '../../../../../src/agents/model/page/answerProblems.ts';
import {
  LINKS_HEADING,
  readTemplateOutline,
} from '../../../../../src/agents/model/page/templateOutline.ts';
import { pageWith } from '../../rules/page/makePage.ts';
import {
  pageOf,
  problemsIn,
  renamed,
  siteTemplate,
  templateOf,
  type OpenTemplate,
} from './templates.ts';

const body = `<p>Read <a href="/plans.html">our plans</a> or <a href="tel:+15125550142">call</a>.</p>
<div class="grid"><a class="card" href="one.html"><h3>One</h3><p>First</p></a><a class="card" href="two.html"><h3>Two</h3><p>Second</p></a></div>
<p><a href="https://book.example/a?b=1">Book</a></p><p><a href="#top">Top</a> of this page</p>`;
const open = templateOf(pageWith(body));
const texts = renamed(open, 'Austin', 'Lisbon');
const context =
  'City: Lisbon\nSite: https://lisbon.example/book, or meet.example.\nMail: ola@lisbon.example\nPhone: +351 21 555 0199';
const item = { context };

/** The id of a link by its text. */
const idOf = (text: string, { template }: OpenTemplate = open) =>
  template.links!.find((link) => link.text.includes(text))!.id.replace('.href', '');

describe('links of a page that a model writes', () => {
  it('are listed with their IDs and targets, without those of the site', () => {
    const austin = siteTemplate('demo', 'locations/austin.html');
    const lines = readTemplateOutline(austin.template).split('\n');
    const links = lines.slice(lines.indexOf(LINKS_HEADING) + 1);
    expect(links.length).to.be.within(4, 30);
    expect(links.join('\n'))
      .to.match(/^link:s\d+ "\/contact" "/m)
      .and.to.not.match(/Skip to content|"Journal"/);
    expect(readTemplateOutline(open.template)).to.contain(
      `\nlink:${idOf('our plans')} "/plans" "our plans"`,
    );
  });

  const good: [string, string, string][] = [
    ['our plans', '/prices', 'href="/prices.html">our plans'],
    ['call', 'tel:+351215550199', 'href="tel:+351215550199">call'],
    ['call', 'mailto:ola@lisbon.example', 'href="mailto:ola@lisbon.example">call'],
    [
      'Book',
      'https://lisbon.example/book?c=1&d=2',
      'href="https://lisbon.example/book?c=1&amp;d=2">Book',
    ],
    ['Book', 'https://meet.example/', 'href="https://meet.example/">Book'],
    ['Book', 'https://book.example/other', 'href="https://book.example/other">Book'],
    ['Second', '/prices', 'href="../prices.html"><h3>Two'],
    ['Book', '#top', 'href="#top">Book'],
  ];
  for (const [name, target, html] of good)
    it(`of "${name}" lead to ${target}`, () => {
      const page = pageOf(open, { texts, links: { [idOf(name)]: target } }, item);
      expect(page.links).to.deep.equal({ [idOf(name)]: target });
      expect(page.html()).to.include(html);
      expect(page.html().split('href=').length).to.equal(open.page.source.split('href=').length);
    });

  it('may lead to the template and to the page itself', () => {
    const { slug } = open.template;
    const page = pageOf(
      open,
      { texts, links: { [idOf('our plans')]: slug, [idOf('Book')]: '/locations/lisbon' } },
      item,
    );
    expect(page.html())
      .to.match(/href="\/?[^"]*austin[^"]*">our plans/)
      .and.to.match(/href="[^"]*lisbon[^"]*">Book/);
  });

  it('in new members have IDs with +n', () => {
    const [group] = open.template.groups!.filter(({ role }) => role === 'card');
    const [heading, text] = group!.members[group!.pattern]!;
    const page = pageOf(
      open,
      {
        texts: { ...texts, [`${heading}+1`]: 'Three', [`${text}+1`]: 'Third' },
        groups: { [group!.id]: 3 },
        links: { [`${idOf('Second')}+1`]: '/three' },
      },
      item,
    );
    expect(page.html())
      .to.match(/href="[^"]*three\.html"><h3>Three/)
      .and.to.include('two.html"><h3>Two');
  });

  const bad: [string, string, problem?: 'hiddenRecipients' | 'longLink'][] = [
    ['our plans', 'https://evil.example/'],
    ['our plans', 'https://lisbon.example.evil.example/'],
    ['our plans', 'https://lisbon.example@evil.example/'],
    ['our plans', '//evil.example/'],
    ['our plans', 'javascript:alert(1)'],
    ['our plans', 'data:text/html,x'],
    ['call', 'tel:+351999999999'],
    ['call', 'mailto:x@evil.example'],
    ['call', 'mailto:ola@lisbon.example?bcc=x@evil.example', 'hiddenRecipients'],
    ['call', `/${'x'.repeat(3_000)}`, 'longLink'],
  ];
  for (const [name, target, problem = 'inventedLink'] of bad)
    it(`never lead to ${target.slice(0, 60)}`, () => {
      expect(problemsIn(open, { texts, links: { [idOf(name)]: target } }, item)).to.deep.equal([
        answerProblems[problem](idOf(name), target),
      ]);
    });

  it('are links that the new page has', () => {
    const [group] = open.template.groups!.filter(({ role }) => role === 'card');
    const unknownIds = [idOf('Second'), 's999', `${idOf('Book')}+1`, '__proto__x'];
    const problems = problemsIn(
      open,
      {
        texts,
        groups: { [group!.id]: { members: 1, keep: [1] } },
        links: Object.fromEntries(unknownIds.map((id) => [id, '/a'])),
      },
      item,
    );
    expect(problems).to.deep.equal(unknownIds.map(answerProblems.unknownLink));
  });
});
