import { expect } from 'chai';
import { inShort, makePage, pageWith } from './makePage.ts';

/** A page whose content is only this, without the headline of `pageWith`. */
const pageOf = (content: string) => {
  const page = pageWith('');
  return { ...page, source: page.source.replace(/<main>.*<\/main>/s, content) };
};
const make = (content: string, context: string) => makePage(pageOf(content), { context });

describe('writeRulesPage: markup that other authors use', () => {
  it('puts the lead into a small heading directly below the headline', () => {
    const { html, notes } = make(
      '<main><h1>Your story</h1><h4>Every page needs a few words here.</h4><p>More.</p></main>',
      'Headline: Your bicycle\nLead: We repair city bikes.',
    );
    expect(html).to.contain('<h1>Your bicycle</h1><h4>We repair city bikes.</h4><p>More.</p>');
    expect(inShort(notes)).to.deep.equal([]);
  });

  it('keeps the heading of the first section, which is at most two levels lower', () => {
    for (const level of [2, 3])
      expect(
        make(
          `<main><h1>Your story</h1><h${level}>First</h${level}><p>Some words.</p></main>`,
          'Headline: Your bicycle\nLead: We repair city bikes.',
        ).html,
      ).to.contain(`<h${level}>First</h${level}>`);
  });

  it('passes over the short lines of a profile with a lead that is a sentence', () => {
    const profile = (lines: string) =>
      `<main><h3>Jenna Stones</h3>${lines}<p>An artist of considerable range.</p></main>`;
    const context = 'Headline: Helena Prates\nLead: Helena restores old farmhouses.';
    for (const lines of ['<div>Los Angeles, California</div>', '<h6>Designer</h6>'])
      expect(make(profile(lines), context).html, lines).to.contain(
        `<h3>Helena Prates</h3>${lines}<p>Helena restores old farmhouses.</p>`,
      );
    expect(
      make(profile('<h6>Designer</h6>'), 'Headline: Helena Prates\nSubtitle: Architect').html,
    ).to.contain('<h6>Architect</h6><p>An artist of considerable range.</p>');
  });

  const testimonials = ['Osbourne Tranter', 'Darrin Ollie']
    .map(
      (name) =>
        `<div class="testimonial"><h5>${name}</h5><span class="d-block">CEO of ${name} Ltd</span><p>They do what they say, and they do it on time.</p></div>`,
    )
    .join('');
  const praise = (context: string) =>
    make(
      `<main><h1>Us</h1><h3>Testimonials</h3><div>${testimonials}</div></main>`,
      `Headline: We\n\n${context}`,
    );
  const [name, role, quote] = ['Kari Moe', 'Skipper, Bergen', 'I sail by it.'];

  for (const [form, context] of [
    ['a line', `## Testimonials\n- “${quote}” — ${name}, ${role}`],
    ['texts', `## Testimonials\n### ${name}\n\n${role}\n\n${quote}`],
    ['texts in another order', `## Testimonials\n### ${name}\n\n${quote}\n\n${role}`],
  ])
    it(`puts a quote into the text and its author's role into the short line: ${form}`, () => {
      const { html, notes } = praise(context!);
      expect(html).to.contain(
        `<h5>${name}</h5><span class="d-block">${role}</span><p>${quote}</p>`,
      );
      expect(html).not.to.contain(' Ltd');
      expect(inShort(notes)).to.deep.equal([]);
    });

  it('empties the short line if nothing is known about the author, and says so', () => {
    const { html, notes } = praise(`## Testimonials\n- “${quote}” — ${name}`);
    expect(html).to.contain(`<h5>${name}</h5><span class="d-block"></span><p>${quote}</p>`);
    expect(notes.map(({ kind }) => kind)).to.deep.equal(['part']);
  });

  const team = ['Gigi Hadid', 'Kendall Jenner']
    .map((person) => `<div><h4>${person} <br><small>Model</small></h4><p>She is tall.</p></div>`)
    .join('');

  for (const [form, text, second] of [
    ['with a line about the person', 'Mechanic\n\nMarta builds wheels.', 'Mechanic'],
    ['without one', 'Marta builds wheels.', ''],
  ])
    it(`writes a name into a heading of two lines: ${form}`, () => {
      const { html } = make(
        `<main><h1>Us</h1><h2>Our team</h2><div>${team}</div></main>`,
        `## Our team\n### Marta Nunes\n\n${text}`,
      );
      expect(html).to.contain(`<h4>Marta Nunes <br><small>${second}</small></h4>`);
      expect(html).to.contain('<p>Marta builds wheels.</p>');
    });

  it('fills texts beside a button, and no line of the footer', () => {
    const footer = '<footer><p>Made with love by Yan Zhu.</p></footer>';
    const { html } = make(
      `<main><h1>Us</h1><h2>Introduction</h2><div><div class="c"><p>It is light.</p><p>It is modern.</p></div><div class="c"><a class="btn" href="#">Install</a></div></div></main>${footer}`,
      '## Introduction\nFor paper.\n\nWith margins.',
    );
    expect(html).to.contain('<p>For paper.</p><p>With margins.</p>');
    expect(html).to.contain(footer);
  });

  it('writes no text into the name of an icon', () => {
    const card = (icon: string) =>
      `<div class="info"><div><i class="material-icons">${icon}</i></div><h4>Free</h4><p>A few words about it.</p></div>`;
    const { html } = make(
      `<main><h1>Us</h1><h2>Offers</h2><div>${card('chat')}${card('verified_user')}</div></main>`,
      '## Offers\n### Check-up\nBrakes and gears.\n### Full service\nAll of it.',
    );
    expect(html).to.contain(
      '<i class="material-icons">chat</i></div><h4>Check-up</h4><p>Brakes and gears.</p>',
    );
    expect(html).to.contain('<i class="material-icons">verified_user</i>');
  });

  it('takes the button of the headline, not that of a form, even behind a line break', () => {
    const { html } = make(
      '<main><div><h1>Us</h1><br> <a class="btn" href="#">\n<i class="fa"></i> Watch video</a></div><form><button>Send</button></form></main>',
      'Button: Watch us work',
    );
    expect(html).to.contain('<i class="fa"></i> Watch us work</a>');
    expect(html).to.contain('<button>Send</button>');
  });
});
