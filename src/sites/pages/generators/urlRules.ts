import type { PageUrlRule } from '../../../contract/site.ts';
import { trimEndCharacters } from '../../../contract/text/summaries.ts';
import { dateInName } from '../../formats/datedName.ts';
import { datePlaceholder, fillPattern, readPatternDate } from './fillPattern.ts';
import { joinUrlPath, lastNameOf, pathBelow, stemOf } from './generator.ts';
import { type SettingValue, textAt } from './settingValues.ts';

/**
 * The path that a site's rules give to a page: the rule of the innermost folder counts. `:slug` is
 * the `slug` of the front matter, or the path of the file below the folder, without folders in
 * parentheses.
 *
 * `{ folder: 'src/content/blog', pattern: '/blog/:slug' }` and `src/content/blog/a/first.md` →
 * `/blog/a/first`
 * @returns undefined if no rule is about the file, null if the rule needs a date that it lacks
 */
export function followUrlRules(
  rules: PageUrlRule[],
  { path, frontMatter }: { path: string; frontMatter: SettingValue[] },
): string | null | undefined {
  const [rule] = rules
    .filter(({ folder }) => pathBelow(folder, path) !== null)
    .sort((a, b) => b.folder.length - a.folder.length);
  if (!rule) return undefined;
  const pathInFolder = withoutRouteGroups(pathBelow(rule.folder, path)!);
  const stem = stemOf(pathInFolder).replace(/(?:^|\/)_index$/, '');
  const date = readPatternDate(dateInName(stem) ?? dateOf(frontMatter));
  const filled = fillPattern(rule.pattern, (name) => {
    if (name === 'slug') return textAt(frontMatter, 'slug') ?? stem;
    if (name === 'name') return nameWithoutDate(stem);
    return datePlaceholder(date, name);
  });
  if (filled === null) return null;
  // the folder's own page: /docs/ by /docs/:slug is /docs
  const isOwnPage = stem === '' && !rule.pattern.endsWith('/');
  return joinUrlPath(isOwnPage ? trimEndCharacters(filled, '/') : filled);
}

/** Leaves out folders that only group files, as at Next: `(guides)/a.mdx` → `a.mdx`. */
const withoutRouteGroups = (path: string) => path.replace(/(?<=^|\/)\([^()/]+\)\//g, '');

const dateOf = (frontMatter: SettingValue[]) =>
  textAt(frontMatter, 'date') ?? textAt(frontMatter, 'pubDate');

function nameWithoutDate(stem: string): string {
  const name = lastNameOf(stem);
  const date = dateInName(name);
  return date === undefined ? name : name.slice(date.length + 1);
}
