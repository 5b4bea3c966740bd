import { expect } from 'chai';
import { writeLinkBlock } from '../../../../../src/agents/shared/page/writeLinkBlock.ts';
import { writeRulesPage } from '../../../../../src/agents/rules/page/writeRulesPage.ts';
import type { TemplatePage } from '../../../../../src/agents/shared/agentTypes.ts';
import type { TextSlot } from '../../../../../src/sites/formats/pageParts.ts';
import { pageCalls } from '../../../../../src/sites/pages/pageCalls.ts';

const html = (head: string, content: string) =>
  `<!doctype html><html lang="en"><head>${head}</head><body>${content}</body></html>`;
const austin = html(
  '<title>Web design in Austin | Northwind</title>',
  `<main><h1>Web design in Austin</h1><p>We work in Austin, at a fixed price, for an Austin café.</p>
   <p>Call <a href="tel:+15125550142">+1 512 555 0142</a> or come to 418 Juniper Street, Suite 2.</p><p>Rated 4.9 out of 5</p></main>`,
);
const slug = '/locations/austin';
const template = {
  slug,
  slots: pageCalls.read({ path: 'locations/austin.html', source: austin }).slots,
};

const page = (targetPageSlug: string, context: string) => ({
  slug: targetPageSlug,
  texts: writeRulesPage(template, { targetPageSlug, context }).texts,
});

/** What the block says for the new page, text by text; `!` before those that name it. */
function written(
  texts: string[],
  made: { slug: string; texts: Record<string, string>; removed?: string[] },
  common: string[] = [],
  of: TemplatePage = template,
) {
  const slots = texts.map((text, i): TextSlot => {
    const role = text.startsWith('# ') ? 'heading' : text.startsWith('> ') ? 'link' : 'paragraph';
    return {
      id: `s${i}`,
      role,
      text: text.replace(/^[#>] /, ''),
      section: null,
      parts: [],
      locked: false,
    };
  });
  const naming = slots.filter(({ role }) => role !== 'paragraph').map(({ id }) => id);
  const {
    texts: changed,
    removed,
    kept,
    isNamed,
  } = writeLinkBlock({ slots, naming, common, removable: slots.map(({ id }) => id) }, of, made);
  const left = slots.filter(({ id }) => !removed.includes(id));
  return { texts: left.map(({ id, text }) => changed[id] ?? text), kept, isNamed };
}

describe('the block that links to a new page', () => {
  const lisbon = page('/locations/lisbon', 'City: Lisbon\nPhone: +351 21 000 00 00');

  it('replaces the template with the new page', () => {
    expect(
      written(['# Austin', 'Our Austin studio', '> Web design in Austin'], lisbon),
    ).to.deep.equal({
      texts: ['Lisbon', 'Our Lisbon studio', 'Web design in Lisbon'],
      kept: [],
      isNamed: true,
    });
    expect(written(['# Austin, Texas', '> AUSTIN'], lisbon).texts).to.deep.equal([
      'Lisbon',
      'LISBON',
    ]);
  });

  it("states the new page's facts in place of the template's", () => {
    const made = page('/locations/lisbon', 'City: Lisbon\nHeadline: Sites that Lisbon likes');
    expect(written(['# Web design in Austin', '> Austin'], made).texts).to.deep.equal([
      'Sites that Lisbon likes',
      'Lisbon',
    ]);
  });

  it('calls the new page by its own name, not by its slug', () => {
    for (const [target, name] of [
      ['/locations/sao-paulo', 'São Paulo'],
      ['/locations/lisbon', 'Lisboa'],
      ['/locations/ny', 'New York'],
    ] as const)
      expect(
        written(['# Austin', 'In Austin since'], page(target, `City: ${name}`)).texts,
      ).to.deep.equal([name, `In ${name} since`]);
  });

  it('has the new page’s facts, and names those of the template', () => {
    const { texts, kept } = written(
      ['# Austin', '+1 512 555 0142', 'Find us at 418 Juniper Street, Suite 2', 'Since 2009'],
      lisbon,
    );
    expect(texts).to.deep.equal([
      'Lisbon',
      '+351 21 000 00 00',
      'Find us at 418 Juniper Street, Suite 2',
      'Since 2009',
    ]);
    expect(kept).to.deep.equal(['Find us at 418 Juniper Street, Suite 2', 'Since 2009']);
  });

  it('names carried-over facts of a changed text, but no label that its neighbours share', () => {
    const { texts, kept } = written(
      ['# Austin', 'Austin from $4,800', 'Open now', '> More'],
      lisbon,
      ['Open now', 'More'],
    );
    expect(texts).to.deep.equal(['Lisbon', 'Lisbon from $4,800', 'Open now', 'More']);
    expect(kept).to.deep.equal(['$4,800']);
  });

  it('has no new street in the old town', () => {
    const made = page('/locations/boise', 'City: Boise\nAddress: 12 Elm Street');
    const { texts, kept } = written(
      ['# Austin', '418 Juniper Street, Suite 2', 'Austin, TX 78701'],
      made,
    );
    const isMixed = texts[1]!.includes('Elm') && texts[2]!.includes('78701');
    expect([isMixed, kept.includes('Austin, TX 78701')]).to.deep.equal([false, true]);
  });

  it('has the parts of an address that the page has as one text', () => {
    const whole = html(
      '<title>Web design in Austin | Northwind</title>',
      '<main><h1>Web design in Austin</h1><p>418 Juniper Street, Suite 2, Austin, TX 78701</p></main>',
    );
    const { slots } = pageCalls.read({ path: 'locations/austin.html', source: whole });
    const oneText = { slug, slots };
    const context = 'City: Boise\nAddress: 12 Elm Street, Boise, ID 83702';
    const { texts } = writeRulesPage(oneText, { targetPageSlug: '/locations/boise', context });
    const made = { slug: '/locations/boise', texts };
    expect(
      written(['# Austin', '418 Juniper Street, Suite 2', 'Austin, TX 78701'], made, [], oneText),
    ).to.deep.equal({
      texts: ['Boise', '12 Elm Street', 'Boise, ID 83702'],
      kept: [],
      isNamed: true,
    });
    const beside = ['# Austin', '418 Juniper Street, two blocks north of the river.'];
    expect(written(beside, made, [], oneText)).to.deep.include({
      texts: ['Boise', '12 Elm Street, two blocks north of the river.'],
      kept: ['12 Elm Street, two blocks north of the river.'],
    });
  });

  it('lacks the facts that were removed from the page, with what only states them', () => {
    const { slots, blocks } = pageCalls.readTemplate(
      { path: 'locations/austin.html', source: austin },
      [],
    );
    const dropped = { slug, slots, blocks };
    const removed = blocks.filter(({ isUnit }) => isUnit).map(({ id }) => id);
    const made = { ...page('/locations/lisbon', 'City: Lisbon'), removed };
    expect(
      written(
        ['# Austin', '+1 512 555 0142', 'At 418 Juniper Street, Suite 2', 'Since 2009'],
        made,
        [],
        dropped,
      ),
    ).to.deep.include({ texts: ['Lisbon', 'Since 2009'], kept: ['Since 2009'] });
    expect(
      written(['# Austin', 'Call +1 512 555 0142. We are in a workshop.'], made, [], dropped).texts,
    ).to.have.length(2);
  });

  it('uses the headline if it calls the template differently', () => {
    expect(written(['# Our first studio', '> Read on'], lisbon).texts).to.deep.equal([
      'Web design in Lisbon',
      'Read on',
    ]);
    expect(written(['> The Texans'], lisbon).texts).to.deep.equal(['Web design in Lisbon']);
    expect(written(['The river'], lisbon)).to.deep.include({
      texts: ['The river'],
      isNamed: false,
    });
  });
});
