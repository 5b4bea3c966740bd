import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A copy of a site without its about page, and without all that leads there. Remove the folder. */
export function withoutAbout(pages: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'without-about-'));
  cpSync(pages, folder, { recursive: true });
  rmSync(join(folder, 'about.html'), { force: true });
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((name) => name.endsWith('.html'))) {
    const path = join(folder, file);
    writeFileSync(path, readFileSync(path, 'utf8').replace(links, ''));
  }
  const sitemap = join(folder, 'sitemap.xml');
  if (files.includes('sitemap.xml'))
    writeFileSync(
      sitemap,
      readFileSync(sitemap, 'utf8').replace(/\s*<url>\s*<loc>[^<]*\/about<\/loc>[^]*?<\/url>/, ''),
    );
  return folder;
}

/** An entry of a list, or a paragraph, that is a link to the about page and nothing else. */
const links =
  /\s*<(li|p)(?: [^<>]*)?>\s*<a [^<>]*href="[^"]*\babout(?:\.html)?"[^<>]*>[^<]*<\/a>\s*<\/\1>/g;
