import { expect } from 'chai';
import { testPages as pages } from '../../../../helpers/threads.ts';
import { memoryTree } from '../../memoryTree.ts';
import { demo, openModelTools } from './site.ts';

const html = (body: string, head = '') =>
  `<!doctype html>\n<html lang="en"><head><title>A</title>${head}</head><body>${body}</body></html>\n`;
const svg = (fill: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg"><path fill="${fill}"/></svg>`;
const replaced = async (files: Record<string, string>, from: string) => {
  const { done } = openModelTools(memoryTree({ 'index.html': html('<p>a</p>'), ...files }), pages);
  return done('replace_colour', { from, to: '#224466' });
};

describe('the answer of replace_colour', () => {
  it('names the pictures of a real site that keep the colour', async () => {
    const { done } = openModelTools(demo, pages);
    const answer = await done('replace_colour', { from: '#1f4d43', to: '#224466' });
    expect(answer).to.match(
      /^2 declarations; the dark scheme keeps [^;]+; #1f4d43 still stands in 13 pictures: assets\/images\/blog-brief\.svg, .*favicon\.svg$/,
    );
    expect(answer.split('.svg')).to.have.length(14);
  });

  for (const written of [
    '#aabbcc',
    '#AABBCC',
    '#abc',
    '#aabbccff',
    'rgb(170, 187, 204)',
    'rgb(170 187 204 / 100%)',
    'RGBA(170,187,204,1)',
    'hsl(210, 25%, 73.3%)',
  ])
    it(`finds ${written} in files of each kind`, async () => {
      const files = {
        'a.css': `a { color: ${written} }\n@keyframes b { from { color: ${written} } }`,
        'b.svg': svg(written),
        'c.html': html(`<p style="color:${written}">a</p>`),
        'd.html': html('a', `<meta name="theme-color" content="${written}">`),
        'e.webmanifest': `{"theme_color": "${written}"}`,
        'f.js': `chart('${written}')`,
        'g.svg': svg('#aabbcd'),
        'h.html': html('<p>#aabbcd rgb(170, 187, 205) and &#170187204;</p>'),
      };
      for (const from of ['#abc', 'rgb(170 187 204)'])
        expect(await replaced(files, from)).to.equal(
          `1 declaration; ${from} still stands in 1 picture: b.svg; in 1 style sheet: a.css; in 2 pages: c.html, d.html; in 2 other files: e.webmanifest, f.js`,
        );
    });

  it('finds a colour by its name, and in a picture in an address', async () => {
    const files = {
      'a.css': `a { background: url("data:image/svg+xml,%3Csvg fill='%23FFFFFF'/%3E"); color: #fff }`,
      'b.svg': svg('white'),
      'c.html': html('<p>white, "White"</p>'),
      'd.svg': svg('whitesmoke'),
    };
    expect(await replaced(files, 'white')).to.equal(
      '1 declaration; white still stands in 1 picture: b.svg; in 1 style sheet: a.css; in 1 page: c.html',
    );
  });

  it('names no more than twenty files of a kind, and says how many were not searched', async () => {
    const many = Array.from({ length: 30 }, (_, i) => [`${i + 10}.svg`, svg('red')] as const);
    const answer = await replaced(Object.fromEntries(many), '#f00');
    expect(answer).to.match(
      /^No declaration has #f00; #f00 still stands in 30 pictures: 10\.svg, .*, 29\.svg and 10 more; read_styles lists the colours$/,
    );
    expect(await replaced({ 'a.svg': `${svg('red')}${' '.repeat(3_000_000)}` }, 'red')).to.match(
      /^No declaration has red; 1 files? w(?:as|ere) not searched; read_styles/,
    );
  });
});
