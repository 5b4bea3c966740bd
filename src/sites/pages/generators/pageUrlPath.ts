import type { PageUrlRule } from '../../../contract/site.ts';
import { onCode } from '../../../errors.ts';
import { readFrontMatter } from '../../formats/frontMatter.ts';
import type { PageSource } from '../../formats/format.ts';
import { encodeUrlPath } from '../urls/urls.ts';
import { findConfiguration, type GeneratorName } from './configurationFiles.ts';
import { docusaurus } from './docusaurus.ts';
import { eleventy } from './eleventy.ts';
import type { Generator } from './generator.ts';
import { hugo } from './hugo.ts';
import { jekyll } from './jekyll.ts';
import type { SettingValue } from './settingValues.ts';
import { followUrlRules } from './urlRules.ts';
import { vitePress } from './vitePress.ts';

/*
 * The URLs of pages that a static site generator makes from Markdown. The rules of the site's
 * settings count first. Without one, the URL follows from the configuration of the generator, the
 * path of the file and its front matter, as far as these say it plainly. It is never guessed: if a
 * program decides about the URL, it is unknown.
 *
 *   findConfiguration(paths).filesFor('content/posts/first.md'); // ['hugo.toml'], to be read
 *   pageUrlPath(page, { files, rules }); // '/2024/first/'
 *
 * - `configurationFiles.ts`: which files decide about URLs
 * - `generator.ts`: the port of a generator; beside it, a file for each one that we know
 * - `settingValues.ts`, `plainSettings.ts`: read configurations, without running them
 * - `urlRules.ts` follows the rules of the settings, and `proposeUrlRule.ts` proposes one
 * - `urlPathFinder.ts` reads the files of a site, and asks for the URLs of its pages
 */

const generators: Record<GeneratorName, Generator> = {
  docusaurus,
  vitePress,
  eleventy,
  hugo,
  jekyll,
};

/**
 * The path of a page in Markdown in the URLs of its site, without the base of the site.
 * @param setup.files the contents of the files that `filesFor` names
 * @returns null if it is not known
 */
export function pageUrlPath(
  { path, source }: PageSource,
  { files, rules }: { files: PageSource[]; rules: PageUrlRule[] },
): string | null {
  try {
    const frontMatter = readValues(source);
    const ruledPath = followUrlRules(rules, { path, frontMatter });
    const name = findConfiguration(files.map((file) => file.path))?.generator;
    const generator = name && generators[name];
    const urlPath =
      ruledPath === undefined
        ? (generator?.urlPathOf({ path, frontMatter, files }) ?? null)
        : ruledPath;
    return urlPath === null ? null : encodeUrlPath(urlPath.toWellFormed());
  } catch (error) {
    return onCode(['PAGE_UNREADABLE', 'LIMIT_EXCEEDED'], null)(error);
  }
}

/** The values of the front matter. Dates stay as they are written. */
const readValues = (source: string): SettingValue[] =>
  (readFrontMatter(source)?.values ?? []).map(({ path, value, start, end }) => ({
    path,
    value: value instanceof Date ? source.slice(start, end) : value,
  }));
