import { expect } from 'chai';
import {
  type TemplatePage,
  createTemplatePage,
} from '../../../../../src/agents/shared/agentTypes.ts';
import { groupSentences } from '../../../../../src/agents/shared/page/groupNotes.ts';
import { removeNotedStatements } from '../../../../../src/agents/rules/page/removeNotedStatements.ts';
import { writeRulesPage } from '../../../../../src/agents/rules/page/writeRulesPage.ts';
import { noteIdOf } from '../../../../../src/contract/notes/noteIds.ts';
import { pageCalls } from '../../../../../src/sites/pages/pageCalls.ts';
import type { SlotGroup } from '../../../../../src/sites/formats/pageParts.ts';
import { openSite } from '../../../../eval/sites.ts';
import { casesIn } from '../../../../helpers/cases.ts';
import { noteTextsIn, unreadableNotes } from '../../../../helpers/noteWords.ts';
import { testPages } from '../../../../helpers/threads.ts';
import { carryOutAtOnce } from '../../rules/prompt/carryOut.ts';
import { answerWith } from '../../model/page/templates.ts';
import { createPageFromAnswer } from '../../../../../src/agents/model/page/createPageFromAnswer.ts';
import { corpus, npmSites } from '../../../sites/corpus.ts';

const contexts = [
  '',
  'City: Lisbon\nPhone: +351 21 555 0134\nEmail: lisbon@acme.example\nMascot: Bolt the cat\nHours: Saturday and Sunday 10:00-14:00',
  JSON.stringify({
    title: 'New',
    price: '$77',
    phone: '#REF!',
    team: [{ name: 'Maria Silva', text: 'Leads.' }, { name: 'Bo Li' }],
    faq: [{ question: 'Why?', answer: 'So.' }],
    features: ['One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven'],
    quote: { text: 'Good.', author: 'Ann Lee' },
  }),
];

/** Every page of the demo site and of sites from npm. */
const pages = [...corpus, ...npmSites].flatMap(({ name, pages: own }) =>
  own.map((page) => ({ name: `${name}, ${page.path}`, page, siblings: own.slice(0, 4) })),
);

const templateAt = ({ page, siblings }: (typeof pages)[number]): TemplatePage =>
  createTemplatePage(
    pageCalls.readTemplate(
      page,
      siblings.filter(({ path }) => path !== page.path),
    ),
  );

/** A model's answer: new words for each text, and fewer or more members for each group. */
function answerFor({ slots, groups = [] }: TemplatePage) {
  const texts = Object.fromEntries(
    slots
      .filter(({ role, parts }) => role === 'paragraph' && parts.length === 0)
      .slice(0, 5)
      .map(({ id }) => [id, 'Since 1987 Karl Krause runs 47 shops.']),
  );
  const sizes = Object.fromEntries(
    groups.filter((_, i) => i % 2 === 0).map(({ id, members }) => [id, members.length - 1 || 1]),
  );
  return answerWith({ texts, groups: sizes });
}

describe('the notes on new pages', () => {
  for (const own of casesIn(pages))
    it(`name no IDs to people: ${own.name}`, () => {
      const template = templateAt(own);
      const target = `${template.slug === '/' ? '' : template.slug}/new-page`;
      const notes = contexts.flatMap((context) => {
        const item = { targetPageSlug: target, context };
        const drop = { ...item, facts: 'drop' as const };
        const answered = createPageFromAnswer({ template, item }, answerFor(template));
        return [
          ...writeRulesPage(template, item).notes,
          ...writeRulesPage(template, drop).notes,
          ...('notes' in answered ? answered.notes : []),
        ];
      });
      expect(notes).not.to.deep.equal([]);
      expect(unreadableNotes(noteTextsIn(notes))).to.deep.equal([]);
      const { sentences, notes: more } = removeNotedStatements({
        page: template,
        notes: notes.slice(0, 20).map((note) => ({ ...note, id: noteIdOf(note) })),
      });
      expect(unreadableNotes([...sentences, ...noteTextsIn(more)])).to.deep.equal([]);
    });

  it('name a list without a heading by its first text', () => {
    const card = (name: string) =>
      `<article><img src="a.png" alt="Picture ${name}"><p>${name}</p></article>`;
    const source = `<!doctype html><title>Acme</title><main>${card('Ann is here.')}${card('Bob is here.')}</main>`;
    const template = createTemplatePage(pageCalls.readTemplate({ path: 'cards.html', source }, []));
    const [{ id, members }] = template.groups as [SlotGroup];
    const own = members[1]!.find((slot) => !slot.includes('.'))!;
    const answer = answerWith({
      texts: { [`${own}+1`]: 'Eve is here.' },
      groups: { [id]: 3 },
    });
    const answered = createPageFromAnswer(
      { template, item: { targetPageSlug: '/b', context: '' } },
      answer,
    );
    const notes = 'notes' in answered ? answered.notes : answered.rejected.problems;
    expect(noteTextsIn(notes)).to.include(`/b: ${groupSentences.copied('Ann is here.', 2)}`);
    expect(unreadableNotes(noteTextsIn(notes))).to.deep.equal([]);
  });

  it('name no IDs to people if parts are removed', async () => {
    const { tree } = openSite('demo');
    for (const prompt of [
      'Remove the "Starter" section from /pricing',
      'Remove the card "Starter" from /pricing',
    ]) {
      const { workspace } = await carryOutAtOnce(tree, testPages, prompt);
      const told = await workspace.warnings();
      expect(told, prompt).not.to.deep.equal([]);
      expect(unreadableNotes(told)).to.deep.equal([]);
    }
  });

  it('would be found with an ID', () => {
    expect(
      unreadableNotes([
        '/: s81 still names "Starter"',
        'the list "g12" is empty',
        '/a: n3.alt is empty',
        '/a: a note on "s5+1"',
      ]),
    ).to.have.length(4);
    expect(unreadableNotes(['/s3: the price "$5"', 'a link leads to "#s12"'])).to.deep.equal([]);
  });
});
