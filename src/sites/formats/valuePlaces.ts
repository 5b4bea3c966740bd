import { collapseSpaces, hasWords } from '../../text/text.ts';
import { readEntryPath } from '../dataFiles/entryPaths.ts';
import { escapeMarks } from '../pages/texts/slotText.ts';
import type { SlotRole, TextSlot } from './pageParts.ts';
import type { FrontMatter, FrontMatterValue } from './frontMatter.ts';
import { isOwnKey } from './ownValues.ts';
import { pathText } from './pathText.ts';
import { tidyValue, writeFrontMatterValue } from './writeFrontMatterValue.ts';
import { hasGeneratorCode } from './generatorCode.ts';
import { createSlot, plainSlotText } from './textPlaces.ts';
import type { VerifiedPlace } from './verifiedPlace.ts';

/** Keys of texts for people, whatever they look like. */
const textKeys =
  /^(?:title|linkTitle|navTitle|subtitle|sub_?title|heading|headline|tagline|label|description|summary|excerpt|lead|intro|text|alt|caption|question|answer|quote|seo_?title|seo_?description|meta_?title|meta_?description|sidebar_label|button|cta|role|name)$/i;
/** Keys of codes for programs. */
const codeKeys =
  /^(?:slug|permalink|url|uri|id|key|ref|type|layout|template|kind|date|lastmod|updated|published|publish_?date|pubDate|aliases|redirect_from|tags|categories|category|keywords|image|images|img|src|href|link|links|icon|cover|thumbnail|file|path|class|className|color|style|lang|language|locale|draft|weight|order|position|sidebar_position|eleventyNavigation|eleventyExcludeFromCollections|theme|outputs|markup|import|imports|component|author|authors|email|phone)$/i;
const address =
  /^(?:[a-z][a-z0-9+.-]*:\S|\/\/|[./#@]\S*$)\S*$|^\d{4}-\d{2}(?:-\d{2})?(?:[T ].*)?$/i;

const roles: Record<string, SlotRole> = {
  title: 'title',
  description: 'description',
  summary: 'description',
  excerpt: 'description',
};

/** The keys that may name an entry of a data file that has no title, the likeliest first. */
const nameKeys = ['name', 'headline', 'heading'];

/** A page with its front matter. */
interface ValuePage {
  path: string;
  frontMatter: FrontMatter | null;
  source: string;
}

/** The slots of the texts in front matter. Codes, dates, addresses and template tags are not. */
export function valuePlaces({ path: pagePath, frontMatter, source }: ValuePage): VerifiedPlace[] {
  const keys = new Set(frontMatter?.entries.map(({ key }) => key));
  const nameKey =
    readEntryPath(pagePath) && !keys.has('title') && nameKeys.find((key) => keys.has(key));
  const roleOf = (key: string) => (key === nameKey ? 'title' : roles[key]);
  return (frontMatter?.values ?? []).flatMap((value, index): VerifiedPlace[] => {
    if (!isForPeople(value)) return [];
    const { path, start, end } = value;
    const text = tidyValue(value, value.value);
    const role = (path.length === 1 && roleOf(String(path[0]))) || 'structured-data';
    const slot: TextSlot = {
      ...createSlot(`s0.${index}`, role, escapeMarks(text)),
      ...(role === 'structured-data' && { jsonPath: pathText(path) }),
    };
    const write: VerifiedPlace['write'] = (sourceEditor, newText, manner) =>
      sourceEditor.overwrite(
        start,
        end,
        writeFrontMatterValue(
          { value, raw: source.slice(start, end), text, isToml: frontMatter?.language === 'toml' },
          plainSlotText(newText),
          manner,
        ),
      );
    const expect = (newText: string) => escapeMarks(tidyValue(value, plainSlotText(newText)));
    return [{ slot, start, end, keys: [], write, expect }];
  });
}

type TextValue = FrontMatterValue & { value: string };

/** Whether a value is a text for people. */
function isForPeople(frontMatterValue: FrontMatterValue): frontMatterValue is TextValue {
  const { path, value } = frontMatterValue;
  if (typeof value !== 'string' || !hasWords(value) || hasGeneratorCode(value)) return false;
  const names = path.filter((step) => typeof step === 'string');
  if (names.some((name) => codeKeys.test(name)) || address.test(value)) return false;
  return textKeys.test(names.at(-1) ?? '') || /\S\s+\S/.test(value);
}

/** Strings of front matter that are not slots and may say something about the page. */
export const opaqueValues = ({ frontMatter }: Pick<ValuePage, 'frontMatter'>): string[] =>
  (frontMatter?.values ?? []).filter(isOpaque).map(describeValue);

/** Those that a new page keeps. */
export const keptValues = ({ frontMatter }: Pick<ValuePage, 'frontMatter'>): string[] =>
  (frontMatter?.values ?? [])
    .filter(isOpaque)
    .filter(({ path, value }) => hasGeneratorCode(value) || !isOwnKey(String(path[0])))
    .map(describeValue);

const isOpaque = (value: FrontMatterValue): value is TextValue =>
  typeof value.value === 'string' && hasWords(value.value) && !isForPeople(value);

const describeValue = ({ path, value }: TextValue) =>
  `${pathText(path)}: ${collapseSpaces(value).trim()}`;
