import { expect } from 'chai';
import { asHtml } from '../asHtml.ts';

const slots = (source: string) => asHtml.slots(source);
const shown = (source: string) => slots(source).map(({ role, text }) => `${role}: ${text}`);
/** The page with its one slot's text replaced. */
function set(source: string, text: string): string {
  const [slot] = slots(source);
  return asHtml.apply(source, { [slot?.id ?? '']: text });
}

describe('slots of HTML', () => {
  const cases: [name: string, source: string, expected: string[]][] = [
    [
      'inline markup as numbered parts',
      '<p>Call <a href="tel:1">us</a> <b>today</b><br></p>',
      ['paragraph: Call <1>us</1> <2>today</2><3/>'],
    ],
    ['a literal part as text', '<p>a &lt;1> b \\&lt;2/></p>', ['paragraph: a \\<1> b \\\\\\<2/>']],
    [
      'white space as it is seen',
      '<p>\n a\n  <b> b </b> \n c&nbsp; d <br> e\n</p>',
      ['paragraph: a <1>b </1>c\u00a0 d<2/>e'],
    ],
    ['white space of pre', '<pre>\n  a\n    b\n</pre>', ['paragraph: a\n    b']],
    ['a row of links one by one', '<p><a>A</a> | <a>B</a></p>', ['link: A', 'link: B']],
    [
      'a text without its icons',
      '<a class="btn"><i class="x"></i> Go <svg></svg></a>',
      ['button: Go'],
    ],
    [
      'a button in a text apart',
      '<p>Now <button>Go</button> on</p>',
      ['paragraph: Now <1/> on', 'button: Go'],
    ],
    ['no decoration', '<p>★ ★</p><p>→</p><p> </p><p></p>', []],
    [
      'unclosed elements',
      '<ul><li>a<li>b</ul><p>c<p>d',
      ['list-item: a', 'list-item: b', 'paragraph: c', 'paragraph: d'],
    ],
    [
      'text between blocks',
      '<div>a<p>b</p>c</div>',
      ['paragraph: a', 'paragraph: b', 'paragraph: c'],
    ],
    [
      'attributes that are read',
      '<img alt="a"><input placeholder=b><input type=submit value="c"><nav aria-label=\'d\'></nav>',
      ['image-alt: a', 'other: b', 'button: c', 'other: d'],
    ],
    [
      'no code, comments, templates',
      '<script>a</script><style>b</style><!-- c --><template>d</template><textarea>f</textarea>',
      [],
    ],
    [
      'a shadow root, and what shows without scripts',
      '<x-y><template shadowrootmode=open><h2>a</h2>b</template>c</x-y><p>d <noscript>e<img alt=f></noscript>',
      [
        'heading: a',
        'paragraph: b',
        'paragraph: c',
        'paragraph: d',
        'paragraph: e',
        'image-alt: f',
      ],
    ],
    [
      'visible SVG text',
      '<svg><title>a</title><text>b <tspan>c</tspan></text></svg>',
      ['svg-text: a', 'svg-text: b', 'svg-text: c'],
    ],
    [
      'a text around comments',
      '<p>Hello <!-- -->Austin<!-- -->!</p>',
      ['paragraph: Hello Austin!'],
    ],
    [
      'the head',
      '<title>a</title><meta name=Description content="b"><meta property="og:title" content="c"><meta name="twitter:description" content="d"><meta name=viewport content="e">',
      ['title: a', 'description: b', 'social-title: c', 'social-description: d'],
    ],
  ];
  for (const [name, source, expected] of cases)
    it(`reads ${name}`, () => expect(shown(source)).to.deep.equal(expected));

  it('reads the words of JSON-LD, and facts in numbers, but no codes', () => {
    const source = `<script type="application/ld+json">{"@context":"https://schema.org","@type":"Shop","name":"A \\u0026 B","url":"/x","image":["i.png"],
      "foundingDate":"2014-01-01","geo":{"latitude":30.5},"position":1,"faq":[{"text":"C"}]}</script>`;
    expect(slots(source).map(({ jsonPath, text }) => `${jsonPath}: ${text}`)).to.deep.equal([
      'name: A & B',
      'geo.latitude: 30.5',
      'faq[0].text: C',
    ]);
  });

  it('names the nearest heading above, and for landmarks their own', () => {
    const source =
      '<p>a</p><h1>One</h1><p>b</p><nav><p>c</p></nav><h2>T<b>wo</b></h2><p>d</p><footer><p>e</p></footer>';
    expect(slots(source).map(({ section }) => section)).to.deep.equal([
      null,
      null,
      'One',
      null,
      'One',
      'Two',
      null,
    ]);
  });

  it('gives IDs that stay when texts change', () => {
    const source = '<h1>A</h1><p>B <b>C</b></p><div>D<p>E</p>F</div>';
    const changed = slots(source).reduce(
      (all, { id, text }) => asHtml.apply(all, { [id]: text.replace(/\w(?!>)/g, 'X Y') }),
      source,
    );
    expect(slots(changed).map(({ id }) => id)).to.deep.equal(slots(source).map(({ id }) => id));
    expect(changed).to.equal('<h1>X Y</h1><p>X Y <b>X Y</b></p><div>X Y<p>X Y</p>X Y</div>');
  });
});

describe('texts written into HTML', () => {
  const cases: [name: string, source: string, text: string, expected: string][] = [
    ['text', '<p>a</p>', '<b> & "c"', '<p>&lt;b&gt; &amp; "c"</p>'],
    [
      'a title',
      '<title>a</title>',
      '</title><script>',
      '<title>&lt;/title&gt;&lt;script&gt;</title>',
    ],
    ['double quotes', '<img alt="a">', '"b" \'c\'', '<img alt="&quot;b&quot; \'c\'">'],
    ['no quotes', '<img alt=a/>', 'b c', '<img alt="b c">'],
    [
      'JSON',
      '<script type="application/ld+json">{"name":"a"}</script>',
      '</script> "b" \\',
      '<script type="application/ld+json">{"name":"\\u003c/script\\u003e \\"b\\" \\\\"}</script>',
    ],
    [
      'a number in JSON',
      '<script type="application/ld+json">{"latitude":1.5}</script>',
      '-2.25',
      '<script type="application/ld+json">{"latitude":-2.25}</script>',
    ],
    [
      'one part, leaving the bytes of the rest',
      '<p>a&#33; <b>b</b>\n  c</p>',
      'a! <1>x</1> c',
      '<p>a&#33; <b>x</b>\n  c</p>',
    ],
    ['white space at the ends', '<p>\r\n  a\r\n</p>', ' b  c\n', '<p>\r\n  b c\r\n</p>'],
    [
      'parts in another order',
      '<p>a <b>b</b> <i>c</i>!</p>',
      '<2>x</2> y <1>z</1>',
      '<p><i>x</i> y <b>z</b></p>',
    ],
    [
      'a name between a script and a link',
      '<p>Copyright &copy; <script>document.write(2026)</script> Acme Bakery by <a href="/">Studio X</a>.</p>',
      'Copyright © Northlight by <1>Studio X</1>.',
      '<p>Copyright &copy; <script>document.write(2026)</script> Northlight by <a href="/">Studio X</a>.</p>',
    ],
    ['a word after a raw sign', '<p>x < y &am z</p>', 'x <b &am z', '<p>x &lt;b &amp;am z</p>'],
    [
      'parts in another order around a comment',
      '<p>a <b>b</b> <!--x-->&ndash; <i>c</i>!</p>',
      'a <2>c</2> – <1>b</1>!',
      '<p>a <i>c</i> <!--x-->&ndash; <b>b</b>!</p>',
    ],
    ['no-break spaces', '<p>a</p>', '1\u00a0km', '<p>1&nbsp;km</p>'],
    ['control characters and lone surrogates', '<p>a</p>', 'b\0\x0b\ud800c', '<p>b\ufffdc</p>'],
    [
      'a number that its link dials',
      '<a href="tel:+15125550142">+1 512 555 0142</a>',
      '+1 (214) 555-0100',
      '<a href="tel:+12145550100">+1 (214) 555-0100</a>',
    ],
    [
      'an address that its link writes to',
      '<a href="mailto:a@x.example?subject=hi">a@x.example</a>',
      'b@x.example',
      '<a href="mailto:b@x.example?subject=hi">b@x.example</a>',
    ],
    [
      'words of a link that dials',
      '<a href="tel:+15125550142">Call us</a>',
      '+1 214 555 0100',
      '<a href="tel:+15125550142">+1 214 555 0100</a>',
    ],
  ];
  for (const [name, source, text, expected] of cases)
    it(`writes ${name}`, () => expect(set(source, text)).to.equal(expected));

  const broken = ['a', 'a <1>b</1> <1>c</1>', 'a <1/>', 'a <1>b</1> <2/>'];
  for (const text of broken)
    it(`rejects "${text}" for a text with one part`, () => {
      expect(() => set('<p>a <b>b</b></p>', text))
        .to.throw('part')
        .with.property('code', 'INVALID_INPUT');
    });

  it('rejects parts that change their nesting', () => {
    expect(() => set('<p>a <b>b <i>c</i></b></p>', 'a <1>b</1> <2>c</2>')).to.throw('level');
  });

  it('rejects parts in a text that has none, and an unknown ID', () => {
    expect(() => set('<title>a</title>', 'a <1>b</1>')).to.throw('no numbered parts');
    expect(() => asHtml.apply('<p>a', { s0: 'x' })).to.throw('no text "s0"');
  });
});
