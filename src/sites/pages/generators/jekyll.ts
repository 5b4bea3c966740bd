import { markdownExtension } from '../../formats/paths.ts';
import { trimEndCharacters } from '../../../contract/text/summaries.ts';
import { dateInName } from '../../formats/datedName.ts';
import { datePlaceholder, fillPattern, readPatternDate } from './fillPattern.ts';
import {
  type GeneratorInput,
  type Generator,
  folderNameOf,
  joinUrlPath,
  lastNameOf,
  pathBelow,
} from './generator.ts';
import { listAt, readSettings, type SettingValue, textAt, valueAt } from './settingValues.ts';

/** The named patterns of posts. */
const styles: Record<string, string> = {
  date: '/:categories/:year/:month/:day/:title:output_ext',
  pretty: '/:categories/:year/:month/:day/:title/',
  ordinal: '/:categories/:year/:y_day/:title:output_ext',
  weekdate: '/:categories/:year/W:week/:short_day/:title:output_ext',
  none: '/:categories/:title:output_ext',
};

/**
 * Jekyll: `permalink` of the front matter, or of the `defaults`, of the collection and of the whole
 * site in `_config.yml`.
 */
export const jekyll: Generator = {
  urlPathOf({ path, frontMatter, files }) {
    const settings = files.flatMap(readSettings);
    const file = pathBelow(textAt(settings, 'source') ?? '', path);
    // Hexo has a configuration of the same name
    const isHexo = textAt(settings, 'new_post_name') ?? textAt(settings, 'source_dir');
    if (file === null || isHexo !== undefined) return null;
    const collection = findCollection(settings, file);
    if (collection === null) return null;
    const defaults = readDefaults(settings, file, collection ?? 'pages');
    if (defaults === null) return null;
    const ownText = (key: string) => textAt(frontMatter, key) ?? textAt(defaults, key);
    if (ownText('published') === 'false') return null;
    const style = textAt(settings, 'permalink');
    const pattern = ownText('permalink') ?? patternOf(settings, { file, collection, style });
    const filled = fillPattern(
      collection === 'posts' ? (styles[pattern] ?? pattern) : pattern,
      placeholdersOf({ file, frontMatter, defaults, collection }),
    );
    return filled === null ? null : joinUrlPath(filled.replace(/\/index\.html$/, '/'));
  },
};

/** The collection of a file; undefined for a page, and null if Jekyll makes no page from it. */
function findCollection(settings: SettingValue[], file: string): string | null | undefined {
  if (/(?:^|\/)_posts\//.test(file)) return 'posts';
  const path = pathBelow(textAt(settings, 'collections_dir') ?? '', file) ?? file;
  const name = /^_([^/]+)\//.exec(path)?.[1];
  if (name === undefined) return /(?:^|\/)_/.test(file) ? null : undefined;
  return valueAt(settings, 'collections', name, 'output') === true ? name : null;
}

interface PatternSource {
  file: string;
  collection: string | undefined;
  style: string | undefined;
}

function patternOf(settings: SettingValue[], { file, collection, style }: PatternSource): string {
  if (collection === 'posts')
    return textAt(settings, 'collections', 'posts', 'permalink') ?? style ?? 'date';
  if (collection !== undefined)
    return (
      textAt(settings, 'collections', collection, 'permalink') ??
      `/:collection/:path${endingIn(style)}`
    );
  const isIndex = /(?:^|\/)index$/.test(file.replace(markdownExtension, ''));
  return isIndex ? '/:path/' : `/:path/:basename${endingIn(style)}`;
}

/** The end of the pattern of pages and collections, which follows the style of posts. */
function endingIn(style = 'date'): string {
  if (style === 'pretty' || style.endsWith('/')) return '/';
  return style in styles || style.endsWith(':output_ext') ? ':output_ext' : '';
}

/**
 * The values of the front matter that the configuration gives to a file. Of two scopes, the one
 * with the longer path counts, then the one with a type. null if a scope has a pattern of files.
 */
function readDefaults(settings: SettingValue[], file: string, type: string): SettingValue[] | null {
  const entries = Map.groupBy(
    settings.filter(({ path: [first] }) => first === 'defaults'),
    ({ path: [, index] }) => index,
  );
  const scopes = [...entries.values()].map((settingsOfEntry) => {
    const entry = settingsOfEntry.map(({ path, value }) => ({ path: path.slice(2), value }));
    return {
      folder: trimEndCharacters(textAt(entry, 'scope', 'path') ?? '', '/'),
      scopeType: textAt(entry, 'scope', 'type'),
      values: entry.flatMap(({ path: [name, ...names], value }) =>
        name === 'values' ? [{ path: names, value }] : [],
      ),
    };
  });
  if (scopes.some(({ folder }) => folder.includes('*'))) return null;
  return scopes
    .filter(
      ({ folder, scopeType }) =>
        (folder === file || pathBelow(folder, file) !== null) &&
        (scopeType === undefined || scopeType.replace(/^(page|post|draft)$/, '$1s') === type),
    )
    .sort(
      (a, b) =>
        a.folder.length - b.folder.length ||
        Number(a.scopeType !== undefined) - Number(b.scopeType !== undefined),
    )
    .flatMap(({ values }) => values);
}

interface PlaceholderSource extends Pick<GeneratorInput, 'frontMatter'> {
  file: string;
  defaults: SettingValue[];
  collection: string | undefined;
}

function placeholdersOf({ file, frontMatter, defaults, collection }: PlaceholderSource) {
  const ownText = (key: string) => textAt(frontMatter, key) ?? textAt(defaults, key);
  const isPost = collection === 'posts';
  const stem = file.replace(markdownExtension, '');
  const baseName = lastNameOf(stem);
  const nameDate = isPost ? dateInName(stem) : undefined;
  const bareName = nameDate === undefined ? baseName : baseName.slice(nameDate.length + 1);
  const date = readPatternDate(ownText('date') ?? nameDate);
  const insideCollection = stem.replace(/^(?:[^/]+\/)*?_[^/]+\//, '');
  return (name: string): string | null | undefined => {
    switch (name) {
      case 'categories':
        return isPost ? categoriesOf(file, frontMatter, defaults).join('/') : '';
      case 'title':
        return slugify(ownText('slug') ?? (isPost ? bareName : baseName));
      case 'slug':
        return slugify(ownText('slug') ?? (isPost ? bareName : baseName)).toLowerCase();
      case 'name':
        return slugify(baseName).toLowerCase();
      case 'basename':
        return baseName;
      case 'collection':
        return collection;
      case 'path':
        return collection === undefined ? folderNameOf(file) : insideCollection;
      case 'output_ext':
        return '.html';
      default:
        return datePlaceholder(date, name);
    }
  };
}

/** The folders above `_posts`, and the categories of the front matter. */
function categoriesOf(file: string, frontMatter: SettingValue[], defaults: SettingValue[]) {
  const folders = file.slice(0, file.indexOf('_posts/')).split('/');
  const named = [frontMatter, defaults]
    .map((values) => [
      textAt(values, 'category') ?? '',
      ...(textAt(values, 'categories') ?? '').split(/\s+/),
      ...listAt(values, 'category'),
      ...listAt(values, 'categories'),
    ])
    .find((names) => names.some((name) => name !== ''));
  const names = [...folders, ...(named ?? [])].filter((name) => name !== '');
  return [...new Set(names.map((name) => name.toLowerCase()))];
}

/** Jekyll's names in URLs: other signs become hyphens. */
const slugify = (text: string) =>
  text.replace(/[^\p{M}\p{L}\p{Nd}._~!$&'()+,;=@]+/gu, '-').replace(/^-|-$/g, '');
