import { markdownExtension } from '../../formats/paths.ts';
/*
 * Which files decide about the URLs of pages in Markdown. This module only looks at the names of
 * files, so the main thread loads it. The files themselves are parsed in threads (pageUrlPath.ts).
 */

/** The names of the configurations, in the order in which generators are looked for. */
export const configurationFiles = {
  docusaurus: /^docusaurus\.config\.[cm]?[jt]s$/,
  vitePress: /(?:^|\/)\.vitepress\/config(?:\/index)?\.[cm]?[jt]s$/,
  eleventy: /^(?:\.eleventy|eleventy\.config)\.[cm]?[jt]s$/,
  hugo: /^(?:(?:hugo|config)\.(?:toml|ya?ml|json)|config\/_default\/[\w-]+\.(?:toml|ya?ml|json))$/,
  jekyll: /^_config\.ya?ml$/,
} as const;

/** A generator that we know. */
export type GeneratorName = keyof typeof configurationFiles;

const generatorNames = Object.keys(configurationFiles) as GeneratorName[];

/**
 * Finds the generator of a site, and its configuration.
 * @returns `filesFor` names the files that decide about the URL of a page, if they exist; undefined
 *   if the site has no configuration of a generator that we know
 */
export function findConfiguration(sitePaths: Iterable<string>) {
  const paths = [...sitePaths];
  const generator = generatorNames.find((name) =>
    paths.some((path) => configurationFiles[name].test(path)),
  );
  if (!generator) return undefined;
  const configurations = paths.filter((path) => configurationFiles[generator].test(path));
  const filesFor = (path: string) =>
    generator === 'eleventy' ? [...configurations, ...eleventyDataFiles(path)] : configurations;
  return { generator, filesFor };
}

/** Data files of folders and of pages, in the order in which Eleventy prefers them. */
const dataEndings = ['.11tydata.js', '.11tydata.mjs', '.11tydata.cjs', '.11tydata.json', '.json'];

/** The data files of a page and of its folders in Eleventy, the preferred first. */
export function eleventyDataFiles(path: string): string[] {
  const names = path.split('/').slice(0, -1);
  const folders = names.map((name, i) => `${names.slice(0, i + 1).join('/')}/${name}`);
  const stems = [path.replace(markdownExtension, ''), ...folders.reverse()];
  return stems.flatMap((stem) => dataEndings.map((ending) => stem + ending));
}
