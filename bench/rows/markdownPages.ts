import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryFolder } from '../../test/helpers/database.ts';
import { TeamSite } from '../../test/helpers/team/site.ts';
import { type Bench, runTask } from '../bench.ts';
import { compare, timed } from '../measure.ts';
import { rowOf } from '../table.ts';

const PAGES = 10;
const SECTIONS = 15;

/** Pages from a template in Markdown, and from one in HTML with the same texts. */
export async function markdownPages(bench: Bench) {
  const markdown = await siteOf(bench, 'in-markdown', {
    'content/places.md': '# Places\n\n- [Austin](places/austin.md)\n- [Boston](places/boston.md)\n',
    'content/places/austin.md': writeMarkdown('Austin'),
    'content/places/boston.md': writeMarkdown('Boston'),
  });
  const html = await siteOf(bench, 'in-html', {
    'content/places.html':
      '<h1>Places</h1><ul><li><a href="places/austin.html">Austin</a></li><li><a href="places/boston.html">Boston</a></li></ul>',
    'content/places/austin.html': writeHtml('Austin'),
    'content/places/boston.html': writeHtml('Boston'),
  });
  const comparison = await compare(
    'ten pages in Markdown / ten in HTML with the same texts',
    { aim: '1', rounds: 8 },
    {
      measured: () => timed(() => runTask(bench, markdown, nextBody())),
      baseline: () => timed(() => runTask(bench, html, nextBody())),
    },
  );
  return [rowOf(comparison)];
}

let pages = 0;

/** A task for pages that no task was for yet. */
const nextBody = () => ({
  command: 'generate_pages',
  templatePageSlug: '/content/places/austin',
  items: Array.from({ length: PAGES }, () => {
    const city = `Place${++pages}`;
    return { targetPageSlug: `/content/places/${city.toLowerCase()}`, context: `City: ${city}` };
  }),
});

const sectionsOf = (city: string) =>
  Array.from({ length: SECTIONS }, (_, i) => ({
    heading: `Part ${i} of ${city}`,
    text: `Our studio in ${city} makes pages for shops of every kind, no. ${i}.`,
    items: [`One thing in ${city}`, `Another thing, no. ${i}`, 'And what is left'],
  }));

function writeMarkdown(city: string): string {
  const sections = sectionsOf(city).map(
    ({ heading, text, items }) =>
      `## ${heading}\n\n${text}\n\n${items.map((item) => `- ${item}\n`).join('')}`,
  );
  return `---\ntitle: Studio in ${city}\n---\n\n# Studio in ${city}\n\n${sections.join('\n')}`;
}

function writeHtml(city: string): string {
  const sections = sectionsOf(city).map(
    ({ heading, text, items }) =>
      `<h2>${heading}</h2>\n<p>${text}</p>\n<ul>\n${items.map((item) => `<li>${item}</li>\n`).join('')}</ul>\n`,
  );
  return `<!doctype html>\n<html lang="en">\n<head><title>Studio in ${city}</title></head>\n<body>\n<h1>Studio in ${city}</h1>\n${sections.join('\n')}</body>\n</html>\n`;
}

async function siteOf(
  { service }: Bench,
  name: string,
  files: Record<string, string>,
): Promise<TeamSite> {
  const folder = temporaryFolder();
  try {
    for (const [path, source] of Object.entries(files)) {
      mkdirSync(join(folder.path, dirname(path)), { recursive: true });
      writeFileSync(join(folder.path, path), source);
    }
    return await TeamSite.register(service, name, folder.path);
  } finally {
    folder.remove();
  }
}
