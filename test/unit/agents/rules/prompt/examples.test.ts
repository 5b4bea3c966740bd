import { expect } from 'chai';
import { memoryTree } from '../../memoryTree.ts';
import { carryOut } from './carryOut.ts';
import { testPages as pool } from '../../../../helpers/threads.ts';

const page = (slug: string, title: string, body: string) => `<!doctype html>
<html lang="en">
<head>
  <title>${title}</title>
  <meta name="description" content="About ${title}">
  <link rel="canonical" href="https://acme.example${slug}">
</head>
<body>
  <nav><a href="/">Acme</a> <a href="/pricing">Pricing</a> <a href="/about">About</a></nav>
  <main>${body}</main>
  <footer><p>© 2025 Acme Ltd</p></footer>
</body>
</html>
`;

const files = {
  'index.html': page('/', 'Acme', '<h1>Acme</h1>'),
  'about.html': page(
    '/about',
    'About',
    '<h1>About</h1><img src="img/team.jpg" alt="Us"><h2>Our story</h2><p>Once <b>upon</b> a time.</p>',
  ),
  'pricing.html': page(
    '/pricing',
    'Pricing',
    `<h1>Prices 2025</h1>
    <div class="card"><h3>Basic</h3><p>$5</p></div>
    <div class="card"><h3>Pro</h3><p>$9</p></div>
    <div class="card"><h3>Team</h3><p>$19</p></div>`,
  ),
  'rooms.html': page(
    '/rooms',
    'Rooms',
    `<h1>Rooms</h1><h2>Amenities</h2>
    <ul>
      <li>Wi-Fi</li>
      <li>Breakfast</li>
    </ul>
    <a class="btn" href="/pricing">Book now</a>`,
  ),
  'plans.html': page('/plans', 'Plans', '<h1>Plans</h1>'),
  'booking.html': page('/booking', 'Booking', '<h1>Booking</h1>'),
  'old-offer.html': page('/old-offer', 'Offer', '<h1>Offer</h1>'),
  'locations/austin.html': page(
    '/locations/austin',
    'Austin',
    '<h1>Austin</h1><p>Austin is big.</p>',
  ),
};
type File = keyof typeof files;
type Edits = [string, string][];

const pages = Object.keys(files) as File[];
const every = (edits: Edits): Partial<Record<File, Edits>> =>
  Object.fromEntries(pages.map((file) => [file, edits]));

const EXAMPLES = [
  'Change the headline of /pricing to "Simple prices"',
  'Change the title of the home page to "Acme | Web design"',
  'Change the description of /about to "Who we are"',
  'Add "Free parking" to the list under "Amenities" on /rooms',
  'Remove the card "Basic" from /pricing',
  'Change the link "Pricing" on / to /plans',
  'Change the button "Book now" on /rooms to "Book a room" and its link to /booking',
  'Change the alt text of the image "team.jpg" on /about to "The team at lunch"',
  'Replace "2025" with "2026" on /pricing',
  'Replace "Acme Ltd" with "Acme Inc" everywhere',
  'Create /locations/rome from /locations/austin',
  'Move /about to /company',
  'Delete /old-offer',
];

/** What each example changes: by file, texts of its source and what stands there then. */
const changes: Partial<Record<File, Edits>>[] = [
  { 'pricing.html': [['Prices 2025', 'Simple prices']] },
  { 'index.html': [['<title>Acme<', '<title>Acme | Web design<']] },
  { 'about.html': [['"About About"', '"Who we are"']] },
  { 'rooms.html': [['<li>Breakfast</li>\n', '<li>Breakfast</li>\n      <li>Free parking</li>\n']] },
  { 'pricing.html': [['<div class="card"><h3>Basic</h3><p>$5</p></div>\n    ', '']] },
  { 'index.html': [['href="/pricing"', 'href="/plans"']] },
  { 'rooms.html': [['href="/pricing">Book now', 'href="/booking">Book a room']] },
  { 'about.html': [['alt="Us"', 'alt="The team at lunch"']] },
  { 'pricing.html': [['2025', '2026']] },
  every([['Acme Ltd', 'Acme Inc']]),
];

describe('examples of instructions', () => {
  const changed = async (prompt: string) =>
    (await carryOut(memoryTree(files), pool, prompt)).changed;
  const edited = (file: File, edits: Edits) =>
    edits.reduce((source, [from, to]) => source.replaceAll(from, () => to), files[file]);

  for (const [i, expected] of changes.entries())
    it(EXAMPLES[i]!, async () => {
      const entries = Object.entries(expected) as [File, Edits][];
      for (const [file, edits] of entries) expect(files[file]).to.contain(edits[0]![0]);
      expect(Object.fromEntries(await changed(EXAMPLES[i]!))).to.deep.equal(
        Object.fromEntries(entries.map(([file, edits]) => [file, edited(file, edits)])),
      );
    });

  const [create, move, erase] = EXAMPLES.slice(changes.length) as [string, string, string];

  it(create, async () => {
    expect([...(await changed(create))]).to.deep.equal([
      ['locations/rome.html', edited('locations/austin.html', [['/austin', '/rome']])],
    ]);
  });

  it(move, async () => {
    const moved = await changed(move);
    expect(moved.get('about.html')).to.equal(null);
    expect(moved.get('company.html')).to.equal(edited('about.html', [['/about"', '/company"']]));
    for (const file of pages.filter((file) => file !== 'about.html'))
      expect(moved.get(file), file).to.equal(edited(file, [['"/about"', '"/company"']]));
    expect(moved.size).to.equal(pages.length + 1);
  });

  it(erase, async () => {
    expect([...(await changed(erase))]).to.deep.equal([['old-offer.html', null]]);
    expect(EXAMPLES).to.have.length(changes.length + 3);
  });
});
