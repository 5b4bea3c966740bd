import { expect } from 'chai';
import { testPages as pages } from '../../../helpers/threads.ts';
import { calls } from '../../../../src/sites/pages/pagesCalls.ts';
import { openSite, type SiteName } from '../../../eval/sites.ts';
import { answerOf } from '../../../../src/agents/model/page/answerOf.ts';
import { requestOf } from '../../../../src/agents/model/page/requestOf.ts';
import { openModelTools } from './model/site.ts';
import { renamed, siteTemplate } from '../model/page/templates.ts';

/** The texts that an outline shows as repeats, with those that they repeat. */
const repeatsIn = (outline: string) =>
  [...outline.matchAll(/^(?:\S+\] ?)*(?:\[\S+\])* ?(\S+) .*=(s[\d.]+(?:\.\w+)?)$/gm)].map(
    ([, id, of]) => [id!, of!] as const,
  );

describe('a text that an outline shows as a repeat', () => {
  for (const name of ['demo', 'business'] satisfies SiteName[])
    it(`is written when that one is: ${name}`, async () => {
      const site = openSite(name);
      let count = 0;
      for (const path of site.pages) {
        const { slug } = calls.read({ path, source: site.source(path) });
        for (const part of ['texts', 'chrome']) {
          const outline = await openModelTools(site.tree, pages).done('read_page', { slug, part });
          for (const [id, of] of repeatsIn(outline)) {
            const { done, changed } = openModelTools(site.tree, pages);
            await done('set_texts', { slug, edits: [{ id: of, text: 'Words that are new' }] });
            const source = changed().get(path)!;
            const now = calls.read({ path, source }).slots.find((slot) => slot.id === id);
            expect(now?.text, `${slug} ${id} =${of}`).to.equal('Words that are new');
            count++;
          }
        }
      }
      // the other site's texts repeat none in the head, and those of the body do not follow
      expect(count).to.be.at.least(name === 'demo' ? 20 : 0);
    });

  for (const path of [
    'locations/austin.html',
    'pricing.html',
    'blog/website-brief.html',
    'about.html',
  ])
    it(`is written when that one is, on a page that a model writes: ${path}`, () => {
      const open = siteTemplate('demo', path);
      const { template } = open;
      const item = { targetPageSlug: '/locations/lisbon', context: 'City: Lisbon' };
      const [request] = requestOf({ template, item });
      const lines = (request!.content as string).split('\n\nOn every page')[0]!;
      const repeats = [...lines.matchAll(/^(?:\[\S+\] )*(s\S+) .*=(s\S+)$/gm)];
      expect(repeats.length).to.be.above(1);
      const leaders = [...new Set(repeats.map(([, , of]) => of!))];
      const texts = leaders.map((id, i) => {
        const isMail = template.slots.find((slot) => slot.id === id)!.text.includes('@');
        return { id, text: isMail ? 'ola@northwind.example' : `Words about Lisbon ${i}` };
      });
      const title = template.slots.find(({ role }) => role === 'title')!;
      if (!leaders.includes(title.id)) texts.push({ id: title.id, text: 'A title about Lisbon' });
      const named = Object.entries(renamed(open, 'Austin', 'Lisbon'))
        .filter(
          ([id]) => !repeats.some(([, own, of]) => own === id || of === id) && id !== title.id,
        )
        .map(([id, text]) => ({ id, text }));
      const answer = answerOf(
        { template, item },
        { texts: [...marked(template.slots, texts), ...named], groups: [] },
      );
      if (answer.rejected) throw new Error(answer.rejected.problems.join('\n'));
      for (const [, id, of] of repeats) {
        const written = texts.find((text) => text.id === of)!.text;
        expect(answer.texts[id!], `${id} =${of}`).to.equal(written);
      }
    });
});

/** Texts with the marks of their slots. */
const marked = (slots: { id: string; text: string }[], texts: { id: string; text: string }[]) =>
  texts.map(({ id, text }) => {
    const marks = slots.find((slot) => slot.id === id)!.text.match(/<\/?\d+\/?>/g) ?? [];
    return { id, text: [...marks, text].join('') };
  });
