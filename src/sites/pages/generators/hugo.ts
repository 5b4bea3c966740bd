import { markdownExtension } from '../../formats/paths.ts';
import { normalizeText } from '../../../contract/normalizeText.ts';
import type { PageSource } from '../../formats/format.ts';
import { datePlaceholder, fillPattern, readPatternDate } from './fillPattern.ts';
import { folderNameOf, type Generator, joinUrlPath, lastNameOf, pathBelow } from './generator.ts';
import { namesBelow, readSettings, type SettingValue, textAt, valueAt } from './settingValues.ts';

const mainFile =
  /^(?:(?:hugo|config)\.(?:toml|ya?ml|json)|config\/_default\/(?:hugo|config)\.(?:toml|ya?ml|json))$/;
const partFile = /^config\/_default\/([\w-]+)\.(?:toml|ya?ml|json)$/;

/**
 * Hugo: the folders of the content, with languages by folders and by names (`x.de.md`), `slug` and
 * `url` of the front matter, and `permalinks` of the configuration.
 */
export const hugo: Generator = {
  urlPathOf({ path, frontMatter, files }) {
    const settings = files.flatMap(readHugoFile);
    // other programs have a `config.json` too
    const isHugo = files.some((file) => !file.path.startsWith('config.'));
    if (!isHugo && textAt(settings, 'baseURL') === undefined) return null;
    const place = findPlace(settings, path);
    if (!place) return null;
    const { language, isDefault, file } = place;
    const prefix = isDefault ? '' : language;
    const url = textAt(frontMatter, 'url');
    const lower = (text: string) =>
      textAt(settings, 'disablePathToLower') === 'true' ? text : text.toLowerCase();
    const page = describePage(file, frontMatter, lower);
    if (url !== undefined) {
      const filled = fillPattern(url, page.placeholder);
      return filled === null ? null : joinUrlPath(url.startsWith('/') ? '' : prefix, filled);
    }
    const { section, isSection } = page;
    const kind = isSection ? 'section' : 'page';
    const pattern =
      textAt(settings, 'permalinks', kind, section) ??
      (isSection ? undefined : textAt(settings, 'permalinks', section));
    if (pattern !== undefined && section !== '') {
      const filled = fillPattern(pattern, page.placeholder);
      return filled === null ? null : joinUrlPath(prefix, filled);
    }
    const isUgly =
      (textAt(settings, 'uglyURLs') ?? textAt(settings, 'uglyURLs', section)) === 'true';
    const name = page.slug === undefined ? page.name : sanitizeName(page.slug, lower);
    const stem = joinUrlPath(prefix, page.folder, isSection ? '' : name);
    return isUgly && !isSection ? `${stem}.html` : `${stem}/`.replace(/\/{2,}/g, '/');
  },
};

/** Files of `config/_default` are parts: what `permalinks.toml` says is below `permalinks`. */
function readHugoFile(file: PageSource): SettingValue[] {
  const values = readSettings(file);
  const name = mainFile.test(file.path) ? undefined : partFile.exec(file.path)?.[1];
  return name === undefined
    ? values
    : values.map(({ path, value }) => ({ path: [name, ...path], value }));
}

/** A page's file below its content folder, without the language in its name. */
interface HugoPlace {
  file: string;
  language: string;
  /** Whether the URLs of this language have no prefix. */
  isDefault: boolean;
}

function findPlace(settings: SettingValue[], path: string): HugoPlace | null {
  const languages = namesBelow(settings, 'languages');
  const hasMounts = settings.some(
    ({ path: [first, second, , last], value }) =>
      /^module$/i.test(String(first)) &&
      second === 'mounts' &&
      last === 'target' &&
      /^content(?:\/|$)/.test(String(value)),
  );
  const hasOwnHosts = languages.some(
    (code) => textAt(settings, 'languages', code, 'baseURL') !== undefined,
  );
  if (hasMounts || hasOwnHosts) return null;
  const defaultLanguage = (textAt(settings, 'defaultContentLanguage') ?? 'en').toLowerCase();
  const isInFolder = valueAt(settings, 'defaultContentLanguageInSubdir') === true;
  const folders = languages.flatMap((code) => {
    const folder = textAt(settings, 'languages', code, 'contentDir');
    return folder === undefined ? [] : [{ folder, code }];
  });
  const wholeFolder = textAt(settings, 'contentDir') ?? 'content';
  for (const { folder, code } of [...folders, { folder: wholeFolder, code: undefined }]) {
    const file = pathBelow(folder, path);
    if (file === null) continue;
    const suffix = /\.([\w-]+)(?=\.[a-z]+$)/i.exec(lastNameOf(file))?.[1]?.toLowerCase();
    const named = suffix !== undefined && languages.includes(suffix) ? suffix : undefined;
    const language = code ?? named ?? defaultLanguage;
    return {
      file: named === undefined ? file : file.replace(/\.[\w-]+(?=\.[a-z]+$)/i, ''),
      language,
      isDefault: language === defaultLanguage && !(isInFolder && languages.length > 0),
    };
  }
  return null;
}

/** What the parts of a page's URL are. */
function describePage(file: string, frontMatter: SettingValue[], lower: (text: string) => string) {
  const stem = file.replace(markdownExtension, '');
  const isSection = lastNameOf(stem).toLowerCase() === '_index';
  const isBundle = lastNameOf(stem).toLowerCase() === 'index';
  const ownPath = isSection || isBundle ? folderNameOf(file) : stem;
  const cleanPath = lower(ownPath).replaceAll(' ', '-');
  const folder = isSection ? cleanPath : folderNameOf(cleanPath);
  const name = lastNameOf(cleanPath);
  const section = ownPath.includes('/') || isSection ? ownPath.split('/')[0]! : '';
  const slug = textAt(frontMatter, 'slug');
  const title = textAt(frontMatter, 'title');
  const date = readPatternDate(textAt(frontMatter, 'date')?.replace(zone, ''));
  const placeholder = (placeholderName: string): string | null | undefined => {
    switch (placeholderName) {
      case 'section':
        return lower(section);
      case 'sections':
        // deeper folders are sections only if they have a page of their own
        return folder.includes('/') ? null : folder;
      case 'title':
        return title === undefined ? null : sanitizeName(title, lower);
      case 'slug':
        return slug === undefined && title === undefined
          ? null
          : sanitizeName(slug ?? title!, lower);
      case 'filename':
      case 'contentbasename':
        return name;
      case 'slugorfilename':
      case 'slugorcontentbasename':
        return slug === undefined ? name : sanitizeName(slug, lower);
      default:
        return datePlaceholder(date, placeholderName);
    }
  };
  return { section, isSection, folder, name, slug, placeholder };
}

/** Hugo takes the day of a date as it is written, in its own time zone. */
const zone = /(?:Z|[+-]\d{2}:?\d{2})$/;

/** Hugo's names in URLs: blanks become hyphens, and other signs are left out. */
function sanitizeName(text: string, lower: (text: string) => string): string {
  const kept = [...normalizeText(text, 'NFC')]
    .map((letter) =>
      /[\p{L}\p{N}\p{M}.\\/_#+~@-]/u.test(letter) ? letter : /\s/.test(letter) ? ' ' : '',
    )
    .join('');
  return lower(kept.trim().replace(/ +/g, '-').replace(/-{2,}/g, '-'));
}
