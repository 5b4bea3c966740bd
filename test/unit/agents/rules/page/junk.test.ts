import { expect } from 'chai';
import { INVALID_VALUE_SENTENCE } from '../../../../../src/agents/shared/page/pageWarnings.ts';
import { noteValues } from '../../../../../src/contract/task.ts';
import { checkRulesPage } from '../../../../../src/agents/rules/page/checkRulesPage.ts';
import { pageCalls } from '../../../../../src/sites/pages/pageCalls.ts';
import { makePage, pageWith } from './makePage.ts';

const contact =
  '<p>Call <a href="tel:+15125550142">(512) 555-0142</a> or <a href="mailto:hello@acme.example">hello@acme.example</a>.</p>';
const data = { '@type': 'Store', telephone: '+1-512-555-0142', email: 'hello@acme.example' };

const made = (
  content: string,
  context: string,
  more: { data?: object; facts?: 'keep' | 'drop' } = {},
) => {
  const { html, notes, faults } = makePage(pageWith(content, more.data), {
    context,
    facts: more.facts ?? 'keep',
  });
  expect(faults).to.deep.equal([]);
  const said = notes.flatMap(({ text }) => text.split('; '));
  return {
    html,
    junk: said.filter((text) => text.startsWith(INVALID_VALUE_SENTENCE)),
  };
};

/** What a check says of a context's values. */
const remarksOn = (context: string, content = contact) => {
  const { slots, groups, claims, blocks } = pageCalls.readTemplate(pageWith(content, data), []);
  return checkRulesPage(
    { slug: '/locations/austin', slots, groups, claims, blocks },
    { targetPageSlug: '/locations/oslo', context },
  ).remarks;
};

describe('writeRulesPage: junk in a context', () => {
  for (const [phone, code] of [
    ['#REF!', 'spreadsheet-error'],
    ['{{phone}}', 'merge-field'],
    ['ask Kari', 'not-a-telephone-number'],
    ['2026-11-23', 'not-a-telephone-number'],
    ['4,7E+10', 'not-a-telephone-number'],
    ['555-0100', 'not-a-telephone-number'],
  ])
    it(`does not accept ${phone} as a telephone number, and keeps the template's number and its link`, () => {
      const { html, junk } = made(contact, `City: Oslo\nPhone: ${phone}`, { data });
      expect(html)
        .to.contain(contact)
        .and.to.contain('"telephone":"+1-512-555-0142"')
        .and.not.contain(`>${phone}<`);
      expect(junk).to.have.length(1);
      expect(junk[0]).to.match(/\(phone\)$/);
      expect(remarksOn(`City: Oslo\nPhone: ${phone}`)).to.deep.include.members([
        {
          label: 'phone',
          value: phone,
          fills: 'telephone number',
          code,
          severity: 'error',
          message: junk[0]!.slice(INVALID_VALUE_SENTENCE.length, -' (phone)'.length),
        },
      ]);
    });

  for (const [phone, number, country] of [
    ['+47 22 33 44 55', '+4722334455', 'Norway'],
    ['22 33 44 55', '+4722334455', 'Norway'],
    ['(613) 555-0101', '+16135550101', 'Canada'],
    ['1-800-FLOWERS', '+18003569377', 'US'],
    ['+44 (0)20 7946 0958', '+442079460958', 'Norway'],
  ] as const)
    it(`accepts ${phone} as a telephone number for text, link and structured data`, () => {
      const { html, junk } = made(contact, `City: Oslo\nPhone: ${phone}\nCountry: ${country}`, {
        data,
      });
      expect(html).to.contain(`<a href="tel:${number}">${phone}</a>`).and.not.contain('555-0142');
      expect(junk).to.deep.equal([]);
    });

  for (const [phone, shown, unused] of [
    ['+47 22 33 44 55 / +47 22 33 44 56', '+47 22 33 44 55', '+47 22 33 44 56'],
    ['Tel.: +47 22 33 44 55', '+47 22 33 44 55'],
    ['tel:+4722334455', '+4722334455'],
    ['+47 22 33 44 55 (vakt)', '+47 22 33 44 55 (vakt)'],
    ['4722334455.0', '4722334455'],
  ] as const)
    it(`leads the link of ${phone} to the number that the page shows`, () => {
      const { html, notes } = makePage(pageWith(contact), {
        context: `City: Oslo\nPhone: ${phone}\nCountry: Norway`,
      });
      expect(html)
        .to.match(/<a href="tel:(?:\+47)?4?7?22334455">/)
        .and.contain(`>${shown}</a>`)
        .and.not.contain('5550142');
      const about = notes.filter(({ kind }) => kind === 'unused' || kind === 'part');
      const values = about.flatMap(noteValues).filter((value) => value !== 'Norway');
      expect(values).to.deep.equal(unused === undefined ? [] : [unused]);
    });

  for (const email of ['not-an-email', 'kari at acme.example', '#N/A'])
    it(`does not accept ${email} as an e-mail address, and keeps the template's address and its link`, () => {
      const { html, junk } = made(contact, `City: Oslo\nE-mail: ${email}`, { data });
      expect(html)
        .to.contain(contact)
        .and.to.contain('"email":"hello@acme.example"')
        .and.not.contain(`>${email}<`);
      expect(junk.join()).to.match(/\(e mail\)$/);
    });

  for (const email of ['oslo@acme.example', 'mailto:oslo@acme.example', 'Kari <oslo@acme.example>'])
    it(`fills text, link and structured data with ${email}`, () => {
      const { html, junk } = made(contact, `City: Oslo\nEmail: ${email}`, { data });
      expect(html).to.contain('<a href="mailto:oslo@acme.example">oslo@acme.example</a>');
      expect(html).to.contain('"email":"oslo@acme.example"').and.not.contain('hello@');
      expect(junk).to.deep.equal([]);
    });

  it('leads links with other words to the new address and number', () => {
    const links = (mail: string, number: string) =>
      `<p><a href="mailto:${mail}?subject=Hi">Write to us</a> <a href="tel:+${number}">Call us</a> <a href="https://wa.me/${number}">Chat</a></p>`;
    const context = 'City: Oslo\nEmail: oslo@acme.example\nPhone: +47 22 33 44 55';
    const old = links('hello@acme.example', '15125550142');
    expect(made(old, context).html).to.contain(links('oslo@acme.example', '4722334455'));
    const shown = `<p>E-mail: hello@acme.example</p>${old}`;
    expect(made(shown, context).html).to.contain(
      `<p>E-mail: oslo@acme.example</p>${links('oslo@acme.example', '4722334455')}`,
    );
    const inside = '<a href="mailto:hello@acme.example">E-mail: hello@acme.example</a>';
    expect(made(inside, context).html).to.contain(inside.replaceAll('hello@', 'oslo@'));
    expect(made(old, 'City: Oslo').html).to.contain(old);
    expect(made(old, 'City: Oslo\nEmail: not-an-email\nPhone: #REF!').html).to.contain(old);
    const two = old.replace('Chat', 'Chat</a> <a href="mailto:jobs@acme.example">Jobs');
    expect(made(two, 'City: Oslo\nEmail: oslo@acme.example').html)
      .to.contain('mailto:jobs@')
      .and.contain('mailto:hello@');
  });

  it('shows no markup: of a cell with HTML only the text is used', () => {
    const context =
      'City: Oslo\nHeadline: <b>Web design</b> in Oslo &amp; Moss\nLead: <p>One<br>two</p>';
    const { html, junk } = made('<p>A lead.</p><p>B</p>', context);
    expect(html)
      .to.contain('<h1>Web design in Oslo &amp; Moss</h1><p>One two</p>')
      .and.not.match(/&lt;|&amp;amp;/);
    expect(junk).to.deep.equal([]);
    expect(
      remarksOn(context).map(({ label, code, severity }) => [label, code, severity]),
    ).to.deep.equal([
      ['headline', 'markup', 'warning'],
      ['lead', 'markup', 'warning'],
    ]);
  });

  it('uses nothing of an unfilled field, in any kind of context', () => {
    for (const context of [
      'City: {{city}}\nHeadline: Web design in [City]',
      'City: «City»\nHeadline: %CITY%',
      '{"city":"{{city}}","headline":"Web design in {{city}}","faq":[{"question":"{{q}}","answer":"#REF!"}]}',
      'city,headline\n#REF!,Web design in #REF!',
      '# Web design in {{city}}\n\nWe work in {{city}} every day.',
      'We build websites in {{city}} every day.',
    ]) {
      const { html, junk } = made('<p>We build.</p>', context);
      expect(html, context)
        .to.contain('<p>We build.</p>')
        .and.not.match(/\{\{|#REF|«|%CITY|\[City/);
      expect(junk, context).to.not.be.empty;
    }
  });

  it('omits junk from a list, and a section that has only junk', () => {
    const list = '<h2>Services</h2><ul><li>One</li><li>Two</li><li>Three</li></ul>';
    const context = JSON.stringify({
      city: 'Oslo',
      services: ['Web', '#N/A', 'Print'],
      team: [{ name: '#REF!' }],
    });
    const { html, junk } = made(list, context);
    expect(html).to.contain('<li>Web</li><li>Print</li></ul>');
    expect(junk).to.have.length(2);
  });

  it('names and shows a number with too few digits for its country', () => {
    const [remark, ...others] = remarksOn('City: Oslo\nPhone: +47 22 33 44');
    expect(others).to.deep.equal([]);
    expect(remark).to.include({ code: 'not-a-telephone-number', severity: 'warning' });
    expect(made(contact, 'City: Oslo\nPhone: +47 22 33 44').html).to.contain('tel:+47223344');
  });

  it('is recognized by the label of the template in front of it', () => {
    const rows =
      '<dl><dt>Fax</dt><dd>(512) 555-0143</dd><dt>Web</dt><dd>www.acme.example</dd></dl>';
    const { html } = made(rows, 'City: Oslo\nFax: later\nWeb: coming soon');
    expect(html).to.contain(rows);
    expect(made(rows, 'City: Oslo\nFax: +47 22 33 44 55\nWeb: www.acme.no').html).to.contain(
      '<dd>+47 22 33 44 55</dd><dt>Web</dt><dd>www.acme.no</dd>',
    );
  });

  it('is also named for dates, ratings and prices', () => {
    const codes = (context: string) =>
      remarksOn(context).map(({ code, severity }) => `${code} ${severity}`);
    expect(codes('Date: 45292')).to.deep.equal(['not-a-date error']);
    expect(codes('Date: 1899-12-30')).to.deep.equal(['not-a-date error']);
    expect(codes('Date: Invalid Date')).to.deep.equal(['placeholder error']);
    expect(codes('Rating: good')).to.deep.equal(['not-a-rating error']);
    expect(codes('Price: abc')).to.deep.equal(['not-a-price warning']);
    expect(codes('Price: on request\nDate: spring 2027\nRating: 4,8/5')).to.deep.equal([]);
  });
});
