// Takes long: a generator of other people builds a site whose pages are entries of data files.
import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createPageCalls } from '../../src/sites/pages/pageCalls.ts';
import { formats } from '../../src/sites/formats/formats.ts';
import { pagePaths } from '../../src/sites/formats/paths.ts';
import { entryPath } from '../../src/sites/dataFiles/entryPaths.ts';
import { temporaryFolder } from '../helpers/database.ts';
import { root } from '../helpers/documents.ts';

const calls = createPageCalls(formats);

const layout = (data: string) => `---
pagination:
  data: ${data}
  size: 1
  alias: city
  resolve: values
permalink: "/{{ city.folder or '${data}' }}/{{ city.slug or city.name | slugify }}/"
---
<h1>{{ city.title }}</h1>
<p>{{ city.intro }}</p>
{% for card in city.cards %}<h2>{{ card.title }}</h2>{% endfor %}
`;

const city = (name: string) => ({
  slug: name.toLowerCase(),
  title: `Web design in ${name}`,
  intro: `We design & build shops in ${name}: "all" of them.`,
  cards: [{ title: `${name} for shops` }, { title: `${name} for bakers` }],
});

/** The data files, by the names of their collections. */
const dataFiles: Record<string, { path: string; source: string }> = {
  cities: {
    path: '_data/cities.json',
    source: `${JSON.stringify([city('Berlin'), city('Paris')], null, 2)}\n`,
  },
  towns: {
    path: '_data/towns.json',
    source: JSON.stringify(
      Object.fromEntries(['Bonn', 'Lyon'].map((name) => [name.toLowerCase(), city(name)])),
      null,
      '\t',
    ),
  },
  places: {
    path: '_data/places.yml',
    source: [
      '# All places',
      '- slug: berlin',
      '  title: Web design in Berlin',
      '  intro: >-',
      '    We design shops',
      '    in Berlin.',
      '  cards:',
      '    - title: "Berlin for shops" # quoted',
      '',
      '- slug: paris',
      "  title: 'Web design in Paris'",
      '  intro: We build shops in Paris.',
      '',
    ].join('\r\n'),
  },
};

describe('a site of Eleventy whose pages are entries of data files', function () {
  this.timeout(300_000);
  const folder = temporaryFolder();
  const site = join(folder.path, 'site');
  after(() => folder.remove());

  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(site, path)), { recursive: true });
    writeFileSync(join(site, path), text);
  };

  it('builds edited and new entries at the URLs of the rules', () => {
    write(
      'eleventy.config.js',
      "import { parse } from 'yaml';\nexport default (config) => config.addDataExtension('yml', (text) => parse(text));\n",
    );
    write('package.json', '{"type": "module"}');
    const shown: Record<string, string[]> = {};
    for (const [name, { path, source }] of Object.entries(dataFiles)) {
      const { entries, problems } = calls.splitDataFile({ path, source });
      expect([entries.length, problems]).to.deep.equal([2, []]);
      const pages = entries.map((entry) => ({
        path: entryPath({ file: path, key: entry.key }),
        source: entry.source,
      }));
      expect(calls.spliceDataFile({ path, source }, entries)).to.equal(source);
      const [template, ...siblings] = pages as [(typeof pages)[0], ...typeof pages];
      const { slots, digest } = calls.readTemplate(template, siblings);
      const texts = Object.fromEntries(
        slots.map(({ id, text }, i) => [
          id,
          `Lisbon ${i}: "quotes", #, 'c' & ${text.slice(0, 4)}`.trim(),
        ]),
      );
      const slug = pagePaths.slugOf(template.path).replace(/[^/]+$/, 'lisbon');
      const target = { slug, path: pagePaths.pathOf(slug, template.path) };
      const lisbon = calls.create({ template, target, texts, digest, siblings, sitePaths: [] });
      const edited = calls.setTexts(siblings[0]!, {
        [calls.read(siblings[0]!).slots[0]!.id]: 'Edited: by hand',
      });
      const newSource = calls.spliceDataFile({ path, source }, [
        { key: 'lisbon', source: lisbon, after: entries[0]!.key },
        { key: entries[1]!.key, source: edited },
      ]);
      write(path, newSource);
      write(`${name}.njk`, layout(name));
      const rule = { folder: path, pattern: `/${name}/:slug/` };
      const urlOf = (pagePath: string, pageSource: string) =>
        calls.pageUrlPath({ path: pagePath, source: pageSource }, { files: [], rules: [rule] })!;
      shown[urlOf(target.path, lisbon)] = Object.values(texts);
      shown[urlOf(siblings[0]!.path, edited)] = ['Edited: by hand'];
      expect(urlOf(target.path, lisbon)).to.equal(`/${name}/lisbon/`);
    }
    symlinkSync(join(root, 'node_modules'), join(site, 'node_modules'));
    execFileSync(process.execPath, [join(root, 'node_modules/@11ty/eleventy/cmd.cjs'), '--quiet'], {
      cwd: site,
      stdio: 'pipe',
    });
    for (const [url, texts] of Object.entries(shown)) {
      const html = readFileSync(join(site, '_site', url, 'index.html'), 'utf8');
      const text = html.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&');
      for (const expected of texts) expect(text, url).to.include(expected);
    }
  });
});
