import { markdownExtension } from '../../formats/paths.ts';
import type { PageSource } from '../../formats/format.ts';
import { configurationFiles, eleventyDataFiles } from './configurationFiles.ts';
import {
  folderNameOf,
  type GeneratorInput,
  type Generator,
  joinUrlPath,
  lastNameOf,
  pathBelow,
} from './generator.ts';
import { readSettings, valueAt } from './settingValues.ts';

/**
 * Eleventy: `permalink` of the front matter, or of the data of the page or its folders in JSON. Of
 * template code in it, only `page.fileSlug` and `page.filePathStem` are known.
 */
export const eleventy: Generator = {
  urlPathOf({ path, frontMatter, files }) {
    const inputFolder = findInputFolder(files);
    const file = inputFolder === null ? null : pathBelow(inputFolder, path);
    if (file === null) return null;
    const permalink = findPermalink({ path, frontMatter, files });
    if (permalink === UNKNOWN || permalink === false) return null;
    if (typeof permalink === 'string') return fillPermalink(permalink, file);
    const stem = file.replace(markdownExtension, '');
    const [folder, name] = [folderNameOf(stem), lastNameOf(stem)];
    const isIndex = name === 'index' || name === lastNameOf(folder);
    return joinUrlPath(isIndex ? folder : stem, '/');
  },
};

const UNKNOWN = Symbol('a permalink that only the generator knows');

/** The folder of the pages: `dir: { input: 'src' }` or `setInputDirectory('src')`. */
function findInputFolder(files: PageSource[]): string | null {
  const [configuration] = files.filter(({ path }) => configurationFiles.eleventy.test(path));
  if (!configuration) return '';
  const { source } = configuration;
  const called = /\.setInputDirectory\(\s*(?:'([^'\\]*)'|"([^"\\]*)"|([^)]))/.exec(source);
  if (called) return called[1] ?? called[2] ?? null;
  const input = readSettings(configuration).filter(
    ({ path }) => path.at(-2) === 'dir' && path.at(-1) === 'input',
  );
  if (input.length === 0) return /\bdir\b\s*[=,}]/.test(source) ? null : '';
  return typeof input[0]!.value === 'string' ? input[0]!.value : null;
}

/** @returns undefined if neither the page nor its data have one */
function findPermalink({ path, frontMatter, files }: GeneratorInput): unknown {
  const ownValue = valueAt(frontMatter, 'permalink');
  if (ownValue !== undefined) return ownValue;
  for (const name of eleventyDataFiles(path)) {
    const file = files.find((one) => one.path === name);
    if (!file) continue;
    if (name.endsWith('.json')) {
      const value = valueAt(readSettings(file), 'permalink');
      if (value !== undefined) return value;
    } else if (file.source.includes('permalink')) return UNKNOWN;
  }
  const configuration = files.find((file) => configurationFiles.eleventy.test(file.path));
  return configuration?.source.includes('permalink') ? UNKNOWN : undefined;
}

function fillPermalink(permalink: string, file: string): string | null {
  const stem = file.replace(markdownExtension, '');
  const bareName = withoutDate(lastNameOf(stem));
  const fileSlug = bareName === 'index' ? withoutDate(lastNameOf(folderNameOf(stem))) : bareName;
  const filled = permalink
    .replace(/\{\{-?\s*page\.fileSlug\s*-?\}\}/g, fileSlug)
    .replace(
      /\{\{-?\s*page\.filePathStem\s*-?\}\}/g,
      `/${joinNames(folderNameOf(stem), bareName)}`,
    );
  if (/\{[{%]|\$\{|<%/.test(filled)) return null;
  return joinUrlPath(filled.replace(/(^|\/)index(?:\.html|\/)?$/, '$1'));
}

const joinNames = (folder: string, name: string) => (folder === '' ? name : `${folder}/${name}`);

/** Eleventy leaves a date out of these names, wherever it is. */
const withoutDate = (name: string) => /\d{4}-\d{2}-\d{2}-(.*)/.exec(name)?.[1] ?? name;
