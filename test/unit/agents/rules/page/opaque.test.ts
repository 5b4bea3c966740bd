import { expect } from 'chai';
import { commonTextSentence } from '../../../../../src/agents/shared/page/pageWarnings.ts';
import fc from 'fast-check';
import { cellText } from '../../../../../src/text/text.ts';
import { casesOf } from '../../../../helpers/cases.ts';
import { inShort, makePage, pageWith } from './makePage.ts';

const context = 'City: Ottawa\nHeadline: Web design in Ottawa\nPhone: +1 613 555 0101';
const kindsOf = (notes: { kind: string }[]) => notes.map(({ kind }) => kind);

const FRONT =
  '---\nlayout: shop\ntitle: Web design in Austin\npermalink: /locations/austin/\n---\n';
const generated = {
  path: 'locations/austin.html',
  source: `${FRONT}<main>\n<h1>Web design in Austin</h1>\n<p>We work in Austin.</p>\n</main>\n`,
};

describe('front matter', () => {
  it('keeps its lines, and a note says what they say', () => {
    const { html, notes, faults } = makePage(generated, { context });
    expect(html).to.equal(
      generated.source
        .replace('<h1>Web design in Austin', '<h1>Web design in Ottawa')
        .replace('work in Austin', 'work in Ottawa'),
    );
    expect(inShort(notes)).to.include(
      'template: layout: shop; title: Web design in Austin; permalink: /locations/austin/',
    );
    expect(faults).to.deep.equal([]);
  });

  it('is found in all its forms', () => {
    const body = '<main><h1>Web design in Austin</h1><p>We work in Austin.</p></main>\n';
    for (const front of [
      '---json\n{ "title": "Austin" }\n---\n',
      '---\r\ntitle: Austin\r\n---\r\n',
      '---\ntitle: Austin\n...\n',
      '+++\ntitle = "Austin"\n+++\n',
      '{\n  "title": "Austin"\n}\n',
    ]) {
      const page = { path: 'locations/austin.html', source: front + body };
      const { html, notes } = makePage(page, { context });
      expect(html).to.equal(front + body.replaceAll('Austin', 'Ottawa'));
      const [line = ''] = /.*Austin.*/.exec(front) ?? [];
      expect(inShort(notes)).to.include(`template: ${line.trim()}`);
    }
  });

  it('is not a paragraph that a lead could overwrite', () => {
    const source = `${FRONT}<section><h2>Hours</h2><p>Nine to five.</p></section>\n`;
    const { html } = makePage(
      { path: 'guides/a.html', source },
      { context: 'Lead: About Ottawa.' },
    );
    expect(html.startsWith(FRONT)).to.equal(true);
  });
});

describe('template tags', () => {
  it('stay as they are, and a note names them', () => {
    const page = pageWith(
      '<p>Open: {% include hours.html city="Austin" %}</p><p>{{ city === "Austin" ? "Here" : "There" }}</p><?php if ($a->b) echo "Austin"; ?>',
    );
    const { html, notes, faults } = makePage(page, { context });
    expect(html).to.include('{% include hours.html city="Austin" %}');
    expect(html).to.include('{{ city === "Austin" ? "Here" : "There" }}');
    expect(html).to.include('<?php if ($a->b) echo "Austin"; ?>');
    expect(kindsOf(notes).filter((kind) => kind === 'template')).to.have.length(1);
    expect(faults).to.deep.equal([]);
  });

  it('leave the words around them texts', () => {
    const page = pageWith('<p>We have {{ count }} shops in Austin.</p>');
    const { html } = makePage(page, { context });
    expect(html).to.include('<p>We have {{ count }} shops in Ottawa.</p>');
  });

  it('stay wherever they are', () => {
    const tag = fc.constantFrom(
      '{{ Austin }}',
      '{{{ a > "b" }}}',
      '{% if city == "Austin" and a < b %}',
      '{% endif %}',
      "<%= city || 'Austin' %>",
      '<?php echo $city->name("Austin"); ?>',
      '<?= "Austin" ?>',
      '${city}',
      '{{x}}',
      '{# Austin #}',
      '@if (city === "Austin")',
      '@(Html.Raw("Austin"))',
    );
    const place = fc.constantFrom(
      (code: string) => `<p>${code}</p>`,
      (code: string) => `<p>In Austin ${code} and more</p>`,
      (code: string) => `<p><a href='${code.replaceAll("'", '')}'>Austin</a></p>`,
      (code: string) => `<p title='In ${code.replaceAll("'", '')}'>Austin</p>`,
      (code: string) => `<table>${code}<tr><td>Austin</td></tr></table>`,
      (code: string) => `<ul><li>Austin</li>${code}<li>Boston</li></ul>`,
      (code: string) => `<h2>${code} Austin</h2>`,
      (code: string) => code,
    );
    const piece = fc.tuple(tag, place).map(([code, write]) => write(code));
    const codeIn = (text: string) =>
      text.match(/\{[{%#].*?[}%#]\}+|<%.*?%>|<\?.*?\?>|\$\{.*?\}|@(?:if )?\(.*?"\)+/g) ?? [];
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 6 }), (pieces) => {
        const page = pageWith(pieces.join('\n'));
        const { html, notes, faults } = makePage(page, { context });
        expect(codeIn(html)).to.deep.equal(codeIn(page.source));
        expect(faults).to.deep.equal([]);
        expect(kindsOf(notes)).to.include('template');
      }),
      { numRuns: casesOf(200) },
    );
  });
});

describe('structured data that is not plain JSON', () => {
  const data = {
    '@type': 'Store',
    name: 'Acme Austin',
    telephone: '+1 512 555 0134',
    aggregateRating: { ratingValue: '4.8' },
  };
  const json = JSON.stringify(data);
  const withData = (text: string) => {
    const page = pageWith('');
    const script = `<script type="application/ld+json">${text}</script></head>`;
    return { ...page, source: page.source.replace('</head>', script) };
  };

  for (const [name, write] of Object.entries({
    'in CDATA': (text: string) => `\n//<![CDATA[\n${text}\n//]]>\n`,
    'in a comment': (text: string) => `\n<!--\n${text}\n-->\n`,
    'with a semicolon': (text: string) => `${text};`,
    'with a comma at its end': (text: string) => text.replace(/\}\}$/, ',},}'),
    'in both marks': (text: string) => `<!--//--><![CDATA[//><!--\n${text}\n//--><!]]>`,
    'in a list': (text: string) => `/*<![CDATA[*/ [${text}] /*]]>*/`,
  }))
    it(`is read ${name}, and keeps its form`, () => {
      const page = withData(write(json));
      const { html, notes, faults } = makePage(page, { context });
      const changed = json
        .replace('Acme Austin', 'Acme Ottawa')
        .replace('512 555 0134', '613 555 0101');
      expect(html).to.include(write(changed));
      expect(inShort(notes)).to.deep.equal(['rating: 4.8']);
      expect(faults).to.deep.equal([]);
    });

  it('is named with its facts if it cannot be read', () => {
    const broken = json.replace(',', ' ');
    const { html, notes } = makePage(withData(broken), { context });
    expect(html).to.include(broken);
    expect(inShort(notes)).to.include('template: Acme Austin; +1 512 555 0134; 4.8');
  });
});

describe('numbers of a template', () => {
  const page = pageWith(
    '<p>Our app needs Android 13.0.1 or later. See section 5.1.2, and 192.168.100.200.</p><dl><dt>Part</dt><dd>512-555-0199-A</dd></dl><p>Call us: <a href="tel:+15125550134">+1 512 555 0134</a></p>',
  );

  it('are telephone numbers only if the page says so', () => {
    const { html, notes } = makePage(page, { context });
    expect(html).to.include('Android 13.0.1 or later. See section 5.1.2, and 192.168.100.200.');
    expect(html).to.include('<dd>512-555-0199-A</dd>');
    expect(html).to.include('<a href="tel:+16135550101">+1 613 555 0101</a>');
    expect(kindsOf(notes)).not.to.include('contact');
  });

  it('are read as numbers of the country that the page states', () => {
    const source = `<!doctype html><html lang="de"><head><title>Werkstatt in Köln</title></head><body><main><h1>Werkstatt in Köln</h1><p>IBAN DE89 3704 0044 0532 0130 00, Artikel 4711-0815-12.</p><dl><dt>ISBN</dt><dd>978-3-16-148410-0</dd><dt>Server</dt><dd>192.168.178.101</dd></dl><p>Oder 0221 / 987 65 43 anrufen.</p></main></body></html>`;
    const { html } = makePage({ path: 'koeln.html', source }, { context: 'Telefon: 0228 123456' });
    const moved = source.replaceAll('Köln', 'Ottawa').replace('0221 / 987 65 43', '0228 123456');
    expect(html).to.equal(moved);
  });

  it('stay when facts of the template are dropped', () => {
    const { html, notes } = makePage(page, { context: 'City: Ottawa', facts: 'drop' });
    expect(html).to.include('Android 13.0.1');
    expect(inShort(notes).filter((note) => note.startsWith('requested'))).to.deep.equal([
      'requested: +1 512 555 0134',
    ]);
  });

  it("are a spreadsheet's text if they are written as its formula", () => {
    const { html } = makePage(page, { context: 'City: Ottawa\nPhone: ="+1 613 555 0101"' });
    expect(html).to.include('>+1 613 555 0101</a>');
  });

  it("are a spreadsheet's text in its other forms too", () => {
    const texts = ['=T("+1 613 555 0101")', '="+1 613 555 0101"&""', "'+1 613 555 0101"];
    for (const text of texts) expect(cellText(text)).to.equal('+1 613 555 0101');
    expect(cellText('=+16135550101')).to.equal('+16135550101');
    expect(cellText('=A1+B2')).to.equal('=A1+B2');
  });
});

describe('a headline that all pages share', () => {
  const pageOf = (path: string, title: string) => ({
    path,
    source: `<!doctype html><html lang="en"><head><title>${title}</title></head><body><header><h1>\n  <span>Since 1998</span>\n  <span>Acme</span>\n</h1></header><main><h2>${title}</h2><p>Text of ${title}.</p></main></body></html>`,
  });
  const others = ['about', 'news', 'contact'].map((name) => pageOf(`${name}.html`, name));

  it('stays, and a new headline goes to the only heading of the content', () => {
    const template = pageOf('locations/austin.html', 'Shop in Austin');
    const asked = { context: 'City: Ottawa\nHeadline: Our shop in Ottawa', siblings: others };
    const { html, notes } = makePage(template, asked);
    expect(html).to.include('<h1>\n  <span>Since 1998</span>\n  <span>Acme</span>\n</h1>');
    expect(html).to.include('<h2>Our shop in Ottawa</h2>');
    expect(html).to.include('<title>Our shop in Ottawa</title>');
    expect(notes).to.deep.equal([]);
  });

  it('stays where it leads home, though the home page has another one', () => {
    const brand = '<h1><a href="/">Acme</a></h1>';
    const branded = (path: string, title: string) => {
      const page = pageOf(path, title);
      return { path, source: page.source.replace(/<header>.*<\/header>/s, `<div>${brand}</div>`) };
    };
    const siblings = [
      pageOf('index.html', 'Home'),
      branded('about.html', 'Us'),
      branded('a.html', 'A'),
    ];
    const template = branded('locations/austin.html', 'Shop in Austin');
    const { html } = makePage(template, { context: 'Headline: Our shop in Ottawa', siblings });
    expect(html).to.include(brand);
    expect(html).to.include('<h2>Our shop in Ottawa</h2>');
  });

  it('is not a counter in a heading of the first level', () => {
    const page = pageWith('<h1>0</h1><p>Projects</p>');
    const { notes } = makePage(page, { context });
    expect(kindsOf(notes)).not.to.include('template');
  });

  it('stays without a place for the new one, which a note names', () => {
    const template = pageOf('locations/austin.html', 'Shop in Austin');
    const more = {
      ...template,
      source: template.source.replace('</main>', '<h2>Prices</h2></main>'),
    };
    const { html, notes } = makePage(more, {
      context: 'Headline: Our bike shop',
      siblings: others,
    });
    expect(html).to.include('<span>Acme</span>');
    expect(inShort(notes)).to.include('unused: Our bike shop');
  });
});

describe('a paragraph that all pages of the folder have', () => {
  const pageOf = (town: string, brand = 'Harbour Kites, the shop') => ({
    path: `shops/${town.toLowerCase()}.html`,
    source: `<!doctype html><html lang="en"><head><title>Kites in ${town}</title></head><body><h1>Kites in ${town}</h1><p>${brand}</p><p>We fly in ${town}.</p></body></html>`,
  });
  const made = (context: string, towns: string[]) => {
    const siblings = towns.map((town) => pageOf(town));
    return makePage(pageOf('York'), { context, slug: '/shops/hull', siblings });
  };

  it('stays, and a new lead goes to the paragraph of the page', () => {
    const { html, notes } = made('City: Hull\nLead: We fly by the sea.', ['Bath', 'Derby']);
    expect(html).to.contain('<p>Harbour Kites, the shop</p><p>We fly by the sea.</p>');
    expect(notes).to.deep.equal([]);
  });

  it('is replaced only where the page has no other place, and a note says so', () => {
    const context = 'City: Hull\nLead: We fly by the sea.\nText: We have boats too.';
    const { html, notes } = made(context, ['Bath', 'Derby']);
    expect(html).to.contain('<p>We have boats too.</p><p>We fly by the sea.</p>');
    expect(notes.map(({ text }) => text)).to.deep.equal([
      commonTextSentence(['Harbour Kites, the shop']),
    ]);
  });

  it('is one of the page if only one other page has it', () => {
    const brand = 'We sell kites at the harbour, and teach how to fly them.';
    const [template, sibling] = [pageOf('York', brand), pageOf('Bath', brand)];
    const context = 'City: Hull\nLead: We fly by the sea.';
    const { html } = makePage(template, { context, slug: '/shops/hull', siblings: [sibling] });
    expect(html).to.contain('<p>We fly by the sea.</p><p>We fly in Hull.</p>');
  });
});
