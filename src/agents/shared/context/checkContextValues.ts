import type { CellRemark } from '../../../contract/checks.ts';
import { withoutUndefined } from '../../../contract/withoutUndefined.ts';
import { truncateText } from '../../../text/text.ts';
import { foldWords } from '../text/foldText.ts';
import { findJunk } from '../text/findJunk.ts';
import { junkNames } from '../text/junkNames.ts';
import { removeMarkup } from '../text/removeMarkup.ts';
import {
  cleanLine,
  type ContextData,
  type ContextField,
  type ContextSection,
  cleanValue,
} from './contextData.ts';
import {
  findValueKind,
  createColumnNameTest,
  findCellValueProblem,
  splitCellValues,
} from './valueKinds.ts';

/** The result of checking a value. */
interface CheckedValue {
  /** The values to use. Empty for junk. */
  values: string[];
  remark?: CellRemark;
}

/** Checks a value, records its remark, and returns the values to use. */
type TakeValue = (key: string, value: string) => string[];

const MAX_QUOTED_LENGTH = 200;

/**
 * Removes junk from a context: spreadsheet errors, unfilled merge fields, invalid telephone numbers
 * and e-mail addresses. Turns HTML into its text. Each such value gets a remark for people in
 * `remarks`: `{ label: 'phone', value: '#REF!', severity: 'error', … }`.
 * @param country ISO 3166-1 code of the country of telephone numbers without a country code
 */
export function checkContextValues(context: ContextData, country?: string): ContextData {
  const isColumnName = createColumnNameTest(context);
  const remarks: CellRemark[] = [];
  const takeValue: TakeValue = (key, value) => {
    const { values, remark } = checkValue(key, value, {
      isKey: isColumnName,
      ...withoutUndefined({ country }),
    });
    if (remark) remarks.push(remark);
    return values;
  };
  const fields = checkFields(context.fields, takeValue);
  const sections = checkSections(context.sections, takeValue);
  const paragraphs = context.paragraphs.flatMap((text) => takeValue('', text));
  return remarks.length === 0 &&
    fields.every((field, index) => hasSameValues(field, context.fields[index]))
    ? context
    : { ...context, fields, sections, paragraphs, remarks: distinctRemarks(remarks) };
}

const hasSameValues = (field: ContextField, other?: ContextField) =>
  field.values.length === other?.values.length &&
  field.values.every((value, index) => value === other.values[index]);

const distinctRemarks = (remarks: CellRemark[]) => [
  ...new Map(
    remarks.map((remark) => [JSON.stringify([remark.label, remark.value]), remark]),
  ).values(),
];

function checkFields(fields: readonly ContextField[], takeValue: TakeValue): ContextField[] {
  return fields.flatMap((field) => {
    const values = field.values.flatMap((value) => takeValue(field.key, value));
    return values.length === 0 && field.values.length > 0 ? [] : [{ ...field, values }];
  });
}

/** Sections without junk. Leaves out a section that has nothing else. */
function checkSections(
  uncheckedSections: readonly ContextSection[],
  takeValue: TakeValue,
): ContextSection[] {
  return uncheckedSections.flatMap((section) => {
    const { name, heading, paragraphs, items, fields } = section;
    const key = foldWords(name);
    const checkedSection: ContextSection = {
      ...section,
      name: removeMarkup(name),
      heading: heading === null ? null : (takeValue(key, heading)[0] ?? null),
      paragraphs: paragraphs.flatMap((text) => takeValue(key, text)),
      items: items.flatMap((text) => takeValue(key, text)),
      sections: checkSections(section.sections, takeValue),
      ...(fields && { fields: checkFields(fields, takeValue) }),
    };
    return isEmptySection(checkedSection) && !isEmptySection(section) ? [] : [checkedSection];
  });
}

const isEmptySection = ({ heading, paragraphs, items, sections, fields = [] }: ContextSection) =>
  heading === null && paragraphs.length + items.length + sections.length + fields.length === 0;

/** Checks one value by the kind of its key. */
function checkValue(
  key: string,
  rawValue: string,
  { isKey, country }: { isKey: (name: string) => boolean; country?: string },
): CheckedValue {
  const valueKind = findValueKind(key);
  const withoutHtml = removeMarkup(rawValue);
  const text = withoutHtml === rawValue ? rawValue : cleanValue(withoutHtml);
  const createRemark = (
    code: string,
    description: string,
    severity: CellRemark['severity'],
  ): CellRemark => {
    const value = truncateText(cleanLine(rawValue), MAX_QUOTED_LENGTH);
    return {
      label: key,
      value,
      fills: valueKind.label,
      code,
      severity,
      message: `"${value}" ${description}`,
    };
  };
  const refuseValue = (code: string, description: string): CheckedValue => ({
    values: [],
    remark: createRemark(code, `${description} and is not used`, 'error'),
  });
  if (text === '') return refuseValue('markup', 'is HTML without any text');
  const junk = findJunk(text, isKey);
  if (junk) return refuseValue(junk, `is ${junkNames[junk]}`);
  const problem = findCellValueProblem(valueKind, text, country);
  if (problem && !problem.isUsed) return refuseValue(problem.code, problem.description);
  if (problem)
    return {
      values: [text],
      remark: createRemark(
        problem.code,
        `${problem.description}. Check whether the page should show it`,
        'warning',
      ),
    };
  const values = splitCellValues(valueKind, text, country);
  return text === rawValue
    ? { values }
    : {
        values,
        remark: createRemark('markup', 'contains HTML, of which only the text is used', 'warning'),
      };
}
