import { expect } from 'chai';
import { testPages as pages } from '../../../../helpers/threads.ts';
import { memoryTree } from '../../memoryTree.ts';
import { demo, openModelTools } from './site.ts';

const css = `/* Acme */
:root { --brand: #1f4d43; --art: url(art.png); }
.card { color: red; background: url("a.png") no-repeat; }
.card:hover,
.box { color: RGB(31 77 67) !important }
@media (max-width: 40em) { .card { color: blue } }
@media (prefers-color-scheme: dark) { :root { --brand: #1a3f37; } }
@keyframes in { from { color: #1F4D43 } }
.empty {}
`;
const page =
  '<!doctype html>\n<html lang="en"><head><title>A</title></head><body class="wide"><h1>A</h1></body></html>\n';
const files = { 'index.html': page, 'site.css': css };

/** Values that would do more than say how things look. */
const hostile: Record<string, [value: string, names: RegExp]> = {
  'an address without anything around it': ['https://evil.example/', /an address/],
  'an address': ['url(https://evil.example/)', /url\(\)/],
  'an address in capitals': ['URL( "x" )', /URL\(\)/],
  'an escaped name': ['u\\72l(https://evil.example/)', /backslash/],
  'another escaped name': ['\\75 rl(x)', /backslash/],
  'an escaped bracket': ['url\\28 x)', /backslash|bracket/],
  'a name in a comment': ['u/**/rl(x)', /comment/],
  'an image set': ['image-set("x.png" 1x)', /image-set\(\)/],
  'an image set of old browsers': ['-webkit-image-set(url(x) 1x)', /-webkit-image-set\(\)|url/],
  'an image': ['image("x.png")', /image\(\)/],
  'a source': ['src("x.png")', /src\(\)/],
  'an element': ['element(#a)', /element\(\)/],
  'a fade': ['cross-fade("a.png", "b.png")', /cross-fade\(\)/],
  'an expression': ['expression(alert(1))', /expression\(\)/],
  'a filter of old browsers': ['progid:DXImageTransform.Microsoft.X(src="x")', /progid/],
  'a worklet': ['paint(x)', /paint\(\)/],
  'a second declaration': ['red; background: blue', /";"/],
  'the end of the rule': ['red } body { display: none', /"}"/],
  'the end of the rule alone': ['red }', /"}"/],
  'a nested rule': ['{ color: red }', /"{"/],
  'an import': ['@import "x.css"', /at-rule/],
  'an import in comments': ['@import/**/url(x)', /at-rule/],
  'a string without an end': ['"a', /without an end/],
  'a string that breaks off': ['"a\nb"', /string/],
  'a comment that is left open': ['red /*', /without an end/],
  'a bracket that is left open': ['calc(1px', /not closed/],
  'a bracket too many': ['red)', /bracket too many/],
  'a comment of HTML': ['<!-- red', /"<!--"/],
  'the end of one': ['red -->', /"-->"/],
  'an address in a string': ['"https://evil.example/"', /address in a string/],
  'a host in a string': ['"//evil.example"', /address in a string/],
  'an importance in the middle': ['red !important blue', /!important/],
  'an importance of its own': ['red !x', /!important/],
  'a control character': ['re\u0001d', /invisible/],
  'a character that turns the text': ['"\u202e"', /invisible/],
  nothing: [' ', /no value/],
};

describe('style sheets, for a language model', () => {
  const open = (tree = memoryTree(files)) => {
    const tools = openModelTools(tree, pages);
    return { ...tools, now: () => tools.changed().get('site.css') };
  };
  const card = { file: 'site.css', selector: '.card', property: 'color' };

  it('say what is missing: rules with some words, or any style sheet', async () => {
    const { done } = openModelTools(memoryTree(files), pages);
    expect(await done('read_styles', { search: 'hero' })).to.match(/^No rule has these words/);
    const { done: without } = openModelTools(memoryTree({ 'index.html': page }), pages);
    expect(await without('read_styles', { search: 'hero' })).to.equal(
      'The site has no style sheet of its own',
    );
  });

  it('have room for colours and classes beside a thousand custom properties', async () => {
    const many = Array.from({ length: 1000 }, (_, i) => `--property-number-${i}: 0.25rem;`).join(
      ' ',
    );
    const sheet = `:root { ${many} } .hero { color: #1f4d43 }`;
    const { done } = openModelTools(memoryTree({ 'index.html': page, 'site.css': sheet }), pages);
    const answer = await done('read_styles', {});
    expect(answer).to.match(
      /920 more custom properties: search for "--" and a name\n {2}Colours: #1f4d43 ×1\n {2}Classes: hero/,
    );
    expect(answer).to.contain('Classes of the pages: wide');
  });

  it('are read: custom properties, colours with counts, classes, and rules by search', async () => {
    const { done } = open();
    expect(await done('read_styles', {}))
      .to.contain(':root --brand: #1f4d43')
      .and.to.contain('@media (prefers-color-scheme:dark) :root --brand: #1a3f37')
      .and.to.contain('#1f4d43 ×2')
      .and.to.contain('Classes: card box empty')
      .and.to.contain('Classes of the pages: wide');
    expect(await done('read_styles', { search: '.CARD' })).to.contain(
      'site.css: @media (max-width:40em) .card { color: blue }',
    );
  });

  it('get another value, or a declaration more, and keep every other byte', async () => {
    const { done, now } = open();
    expect(await done('set_style', { ...card, value: 'green' })).to.equal(
      '".card" has color: green now; it was red',
    );
    expect(now()).to.equal(css.replace('color: red', 'color: green'));
    await done('set_style', {
      ...card,
      media: '@media (max-width:40em)',
      value: 'hsl(1 2% 3% / 50%)',
    });
    await done('set_style', {
      ...card,
      selector: '.card:hover, .box',
      value: 'var(--brand, #fff) !important',
    });
    await done('set_style', { ...card, property: 'padding', value: '1rem' });
    await done('set_style', { ...card, selector: '.empty', property: '--x', value: '"a" 1px' });
    expect(now()).to.equal(
      css
        .replace('color: red', 'color: green')
        .replace('color: blue', 'color: hsl(1 2% 3% / 50%)')
        .replace('RGB(31 77 67) !important', 'var(--brand, #fff) !important')
        .replace('no-repeat; }', 'no-repeat; padding: 1rem; }')
        .replace('.empty {}', /\.empty \{[^}]*\}/.exec(now()!)![0]),
    );
    expect(now()).to.match(/\.empty \{\s*--x: "a" 1px;?\s*\}/);
  });

  it('keep addresses that a value had, and get none', async () => {
    const { done, refusal, now } = open();
    await done('set_style', { ...card, property: 'background', value: 'url("a.png") repeat' });
    expect(now()).to.contain('background: url("a.png") repeat;');
    expect(
      await refusal('set_style', { ...card, property: 'background', value: 'url("b.png")' }),
    ).to.match(/address/);
  });

  for (const [what, [value, names]] of Object.entries(hostile))
    it(`refuse ${what}, also in custom properties and by edit_file`, async () => {
      const { refusal, changed } = open();
      expect(await refusal('set_style', { ...card, value })).to.match(names);
      expect(
        await refusal('set_style', { ...card, selector: ':root', property: '--brand', value }),
      ).to.match(names);
      expect(
        await refusal('set_style', { ...card, selector: '.empty', property: '--new', value }),
      ).to.match(names);
      expect(
        await refusal('edit_file', { path: 'site.css', find: 'red', replace: value }),
      ).not.to.match(/^not refused/);
      expect(await refusal('replace_colour', { from: '#1f4d43', to: value })).not.to.match(
        /^not refused/,
      );
      expect(changed().size).to.equal(0);
    });

  for (const property of [
    'color: x; y',
    'color}',
    '',
    'co lor',
    '\\62 ehavior',
    'behavior',
    '-moz-binding',
  ])
    it(`refuse the property "${property}"`, async () => {
      expect(await open().refusal('set_style', { ...card, property, value: 'red' })).not.to.match(
        /^not refused/,
      );
    });

  it('get no new rule: what is there is named', async () => {
    const { refusal } = open();
    expect(await refusal('set_style', { ...card, selector: '.cards', value: 'x' })).to.match(
      /no rule "\.cards"/,
    );
    expect(await refusal('set_style', { ...card, selector: '.card-big', value: 'x' })).to.match(
      /there are: "\.card", /,
    );
    expect(await refusal('set_style', { ...card, media: 'print', value: 'x' })).to.match(
      /in the media "print"; it has rules: without media, "\(max-width:40em\)"/,
    );
    expect(await refusal('set_style', { ...card, selector: 'from', value: 'x' })).to.match(
      /no rule "from"/,
    );
  });

  it('get a colour in the place of another one, and the dark scheme keeps its own', async () => {
    const { done, now } = open();
    expect(await done('replace_colour', { from: '#1F4D43', to: '#224466' })).to.equal(
      '2 declarations; the dark scheme keeps #1a3f37; #1F4D43 still stands in 1 style sheet: site.css',
    );
    expect(now()).to.equal(
      css
        .replace('--brand: #1f4d43', '--brand: #224466')
        .replace('RGB(31 77 67) !important', '#224466 !important'),
    );
    expect(await done('replace_colour', { from: '#123456', to: 'red' })).to.match(
      /^No declaration has #123456/,
    );
  });

  it('do so on a real site', async () => {
    const tools = openModelTools(demo, pages);
    expect(await tools.done('replace_colour', { from: '#1f4d43', to: 'rgb(1 2 3)' })).to.match(
      /^2 declarations; the dark scheme keeps #1a3f37, #143029; #1f4d43 still stands in 13 pictures: /,
    );
    const before = await demo.read('assets/site.css');
    expect(tools.changed().get('assets/site.css')).to.equal(
      before.replaceAll('#1f4d43', 'rgb(1 2 3)'),
    );
    expect(tools.workspace.touched().modified).to.deep.equal([]);
    expect(await tools.workspace.warnings(), 'the commit notes what changed').to.deep.equal([]);
  });

  it('are files of the site that are there', async () => {
    const { refusal } = open();
    for (const file of ['nope.css', '../site.css', '/etc/passwd', 'site.css/', './site.css'])
      expect(await refusal('set_style', { ...card, file, value: 'x' }), file).to.match(
        /has no file .*; there are: site.css/,
      );
    expect(await refusal('set_style', { ...card, file: 'index.html', value: 'x' })).not.to.match(
      /^not refused/,
    );
  });
});
