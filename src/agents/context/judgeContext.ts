import type { CellRemark } from '../../contract/check.ts';
import { defined } from '../../contract/defined.ts';
import { cut } from '../../text/text.ts';
import { foldWords } from '../text/fold.ts';
import { junkIn } from '../text/junk.ts';
import { withoutMarkup } from '../text/markup.ts';
import { clean, type ContextData, type Field, type Section, tidy } from './contextData.ts';
import { fillOf, keysOf, unfitFor, valuesFor } from './fillKinds.ts';

/** The result of checking a value. */
interface Judged {
  /** The values to use. Empty for junk. */
  values: string[];
  remark?: CellRemark;
}

/** Checks a value, records its remark, and returns the values to use. */
type Take = (key: string, value: string) => string[];

const LONGEST = 200;

/**
 * Removes junk from a context: spreadsheet errors, unfilled merge fields, invalid telephone numbers
 * and e-mail addresses. Turns HTML into its text.
 * @param country ISO 3166-1 code of the country of telephone numbers without a country code
 */
export function judged(context: ContextData, country?: string): ContextData {
  const isKey = keysOf(context);
  const remarks: CellRemark[] = [];
  const take: Take = (key, value) => {
    const { values, remark } = judgeValue(key, value, { isKey, ...defined({ country }) });
    if (remark) remarks.push(remark);
    return values;
  };
  const fields = fieldsOf(context.fields, take);
  const sections = sectionsOf(context.sections, take);
  const paragraphs = context.paragraphs.flatMap((text) => take('', text));
  return remarks.length === 0 && fields.every((field, i) => isSame(field, context.fields[i]))
    ? context
    : { ...context, fields, sections, paragraphs, remarks: distinct(remarks) };
}

const isSame = (field: Field, other?: Field) =>
  field.values.length === other?.values.length &&
  field.values.every((value, i) => value === other.values[i]);

const distinct = (remarks: CellRemark[]) => [
  ...new Map(
    remarks.map((remark) => [JSON.stringify([remark.label, remark.value]), remark]),
  ).values(),
];

function fieldsOf(fields: readonly Field[], take: Take): Field[] {
  return fields.flatMap((field) => {
    const values = field.values.flatMap((value) => take(field.key, value));
    return values.length === 0 && field.values.length > 0 ? [] : [{ ...field, values }];
  });
}

/** Sections without junk. Drops a section that has nothing else. */
function sectionsOf(all: readonly Section[], take: Take): Section[] {
  return all.flatMap((section) => {
    const { name, heading, paragraphs, items, fields } = section;
    const key = foldWords(name);
    const kept: Section = {
      ...section,
      name: withoutMarkup(name),
      heading: heading === null ? null : (take(key, heading)[0] ?? null),
      paragraphs: paragraphs.flatMap((text) => take(key, text)),
      items: items.flatMap((text) => take(key, text)),
      sections: sectionsOf(section.sections, take),
      ...(fields && { fields: fieldsOf(fields, take) }),
    };
    return isEmpty(kept) && !isEmpty(section) ? [] : [kept];
  });
}

const isEmpty = ({ heading, paragraphs, items, sections, fields = [] }: Section) =>
  heading === null && paragraphs.length + items.length + sections.length + fields.length === 0;

/** Checks one value by the kind of its key. */
function judgeValue(
  key: string,
  given: string,
  { isKey, country }: { isKey: (name: string) => boolean; country?: string },
): Judged {
  const fill = fillOf(key);
  const plain = withoutMarkup(given);
  const text = plain === given ? given : tidy(plain);
  const remark = (code: string, what: string, severity: CellRemark['severity']): CellRemark => {
    const value = cut(clean(given), LONGEST);
    return { label: key, value, fills: fill.label, code, severity, message: `"${value}" ${what}` };
  };
  const refused = (code: string, what: string): Judged => ({
    values: [],
    remark: remark(code, `${what}: it is not used`, 'error'),
  });
  if (text === '') return refused('markup', 'is HTML without any text');
  const junk = junkIn(text, isKey);
  if (junk) return refused(junk.code, `is ${junk.what}`);
  const unfit = unfitFor(fill, text, country);
  if (unfit && !unfit.isUsed) return refused(unfit.code, unfit.says);
  if (unfit)
    return {
      values: [text],
      remark: remark(unfit.code, `${unfit.says}: look whether the page should show it`, 'warning'),
    };
  const values = valuesFor(fill, text, country);
  return text === given
    ? { values }
    : { values, remark: remark('markup', 'has HTML in it: only its text is used', 'warning') };
}
