import { markdownExtension } from '../../formats/paths.ts';
import { absolutePath } from '../urls/urls.ts';
import {
  folderNameOf,
  type GeneratorInput,
  type Generator,
  joinUrlPath,
  lastNameOf,
  pathBelow,
  stemOf,
} from './generator.ts';
import { readSettings, type SettingValue, textAt } from './settingValues.ts';

/**
 * Docusaurus: the folders of the documents, the blog and the pages, and `slug` of the front matter.
 * `path` and `routeBasePath` of the configuration are known if they are plain texts.
 */
export const docusaurus: Generator = {
  urlPathOf({ path, frontMatter, files }) {
    const settings = files.flatMap(readSettings);
    const hasParser = settings.some(({ path: names }) => names.at(-1) === 'numberPrefixParser');
    const parts = ['docs', 'blog', 'pages'] as const;
    for (const part of parts) {
      const folder = pluginText(settings, part, 'path', part === 'pages' ? 'src/pages' : part);
      const base = pluginText(settings, part, 'routeBasePath', part === 'pages' ? '/' : part);
      const file = folder === null ? null : pathBelow(folder, path);
      if (file === null) continue;
      // a plugin of its own has options that are not those of the preset
      const isPlugin = files.some(({ source }) => source.includes(`plugin-content-${part}`));
      if (base === null || isPlugin) return null;
      const slug = textAt(frontMatter, 'slug');
      if (part === 'pages') return joinUrlPath(base, slug ?? stemOf(file));
      if (part === 'docs' && hasParser) return null;
      return part === 'blog'
        ? joinUrlPath(base, slug ?? blogPath(file))
        : joinUrlPath(base, documentPath(file, frontMatter, slug));
    }
    return null;
  },
};

/** A setting of a plugin; null if it is not plain. */
function pluginText(settings: SettingValue[], part: string, name: string, usual: string) {
  const found = settings.filter(({ path }) => path.at(-1) === name && path.at(-2) === part);
  if (found.length === 0) return usual;
  return found.length === 1 && typeof found[0]!.value === 'string' ? found[0]!.value : null;
}

/** `2024-01-02-launch.md`, `2024-01-02-launch/index.md` and `2024/01/02-launch.md`. */
function blogPath(file: string): string {
  const stem = stemOf(file);
  const [, start, year, month, day, name] =
    /^(.*?)(\d{4})[-/](\d{1,2})[-/](\d{1,2})[-/](.+)$/s.exec(stem) ?? [];
  if (year === undefined) return stem;
  return joinUrlPath(start!, year, month!.padStart(2, '0'), day!.padStart(2, '0'), name!);
}

/** The numbers that order documents are not part of their URLs: `01-guide/02-start.md`. */
function documentPath(
  file: string,
  frontMatter: GeneratorInput['frontMatter'],
  slug: string | undefined,
): string {
  const keepsNumbers = textAt(frontMatter, 'parse_number_prefixes') === 'false';
  const clean = (name: string) => (keepsNumbers ? name : withoutNumber(name));
  const folder = folderNameOf(file).split('/').map(clean).join('/');
  if (slug !== undefined) return slug.startsWith('/') ? slug : resolveSlug(folder, slug);
  const name = lastNameOf(file).replace(markdownExtension, '');
  const isIndex = ['index', 'readme', lastNameOf(folderNameOf(file)).toLowerCase()].includes(
    name.toLowerCase(),
  );
  return isIndex
    ? joinUrlPath(folder, '/')
    : joinUrlPath(folder, documentName(frontMatter) ?? clean(name));
}

/** An `id` of the front matter takes the place of the name of the file. */
const documentName = (frontMatter: SettingValue[]) => textAt(frontMatter, 'id');

const resolveSlug = (folder: string, slug: string): string =>
  absolutePath(joinUrlPath(folder, '/'), slug);

/** Dates and versions stay, such as `2024-01-02-notes` and `7.0-upgrade`. */
function withoutNumber(name: string): string {
  if (/^\d+[-_.]\d+/.test(name)) return name;
  return /^\d+\s*[-_.]+\s*([^-_.\s].*)$/s.exec(name)?.[1] ?? name;
}
