import { normalizeSlug } from '../../../../sites/pages/slug.ts';
import type { Instruction } from '../instructions.ts';
import { readDeletedPages } from '../pageNames.ts';
import { FIELD, page, quote, rule, value, Match, type Rule } from './phrases.ts';

type Create = Extract<Instruction, { kind: 'create' }>;

const erase = rule(({ groups, quotes }) => {
  const pages = readDeletedPages(groups['pages']!, quotes);
  return pages && { kind: 'delete', pages };
});

/** A slug that is not there yet, quoted or not. */
const slug = `(?:${quote('slug')}|(?<slugPlain>/[^\\s,]*))`;

function slugOf(match: Match): string | null {
  const text = match.text('slug') ?? match.groups['slugPlain']!;
  return text.startsWith('/') ? normalizeSlug(text) : null;
}

const OPTIONS = '(?<options>(?:,| with| called| titled| named| replacing| and) .+)?';

const create = rule((match) => {
  const [slug, from, options] = [slugOf(match), match.page(), readOptions(match)];
  return slug === null || !from || !options ? null : { kind: 'create', slug, from, ...options };
});

const START = '^(?: ?,)? ?(?:and )?';
const GIVEN = new RegExp(
  `${START}(?:with )?(?:the |a |an )?(?<field>${FIELD})(?: of| as)?[:=]? ?${quote('text')}`,
  'iu',
);
const NAMED = new RegExp(`${START}(?:(?:with )?(?:the |a )?name(?: of)?|called|titled|named) ${quote('text')}`, 'iu');
const REPLACED = new RegExp(
  `${START}(?:replacing |changing |with )?${value('from')} (?:with|by|to|replaced (?:with|by)|changed to) ${value('to')}(?=,| and |$)`,
  'iu',
);

/** `, with the title "A", replacing "B" with "C" and "D" with "E"`; null where a part of it is something else. */
function readOptions({ groups, quotes }: Match): Pick<Create, 'name' | 'fields' | 'replacements'> | null {
  const options: Pick<Create, 'name' | 'fields' | 'replacements'> = { fields: [], replacements: [] };
  for (let rest = groups['options'] ?? ''; rest !== '';) {
    const [given, named, replaced] = [GIVEN.exec(rest), NAMED.exec(rest), REPLACED.exec(rest)];
    const found = given ?? named ?? replaced;
    if (!found) return null;
    const match = new Match(found.groups ?? {}, quotes);
    const [from, to] = [replaced && match.value('from'), replaced && match.value('to')];
    if (given) options.fields.push({ field: match.field(), text: match.text('text')! });
    else if (named) options.name = match.text('text')!;
    else if (from && to) options.replacements.push({ from, to });
    else return null;
    rest = rest.slice(found[0].length);
  }
  return options;
}

const move = rule((match) => {
  const [page, to] = [match.page(), slugOf(match)];
  return !page || to === null ? null : { kind: 'move', page, to };
});

const NEW = `(?:(?:a|the|another) )?(?:new )?(?:page )?(?:at |called )?${slug}`;
const AS_TEMPLATE = '(?: as (?:a |the |its )?template)?';
const ADDRESS = '(?:slug|url|address|path|location)';

export const pageRules: Rule[] = [
  erase('(?:delete|remove|drop|take down|get rid of) (?<pages>.+)'),
  create(
    `(?:create|make|add|set up) ${NEW} (?:from|like|based on|modell?ed on|using|out of|by copying|as a copy of) (?:the template )?${page}${AS_TEMPLATE}${OPTIONS}`,
  ),
  create(`(?:copy|duplicate|clone) ${page} (?:to|as|into|at) ${NEW}${OPTIONS}`),
  move(`move ${page} to ${slug}`),
  move(`rename (?<page>(?:the page )?/\\S*|(?:the |our |my )?.+ page) (?:to|as|into) ${slug}`),
  move(`(?:change|set|update|rename) the ${ADDRESS} of ${page} (?:to|as|into) ${slug}`),
];
