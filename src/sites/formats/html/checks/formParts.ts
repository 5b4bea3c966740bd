import { lostPartNames } from '../../lostPartNames.ts';
import {
  attributeName,
  attributeOf,
  childText,
  closest,
  type PageElement,
  textContentOf,
} from '../document.ts';
import { isBlank } from '../../escape.ts';
import { createCounter, type SetupPart, type UsedParts } from './setupPart.ts';

const fieldTags = new Set(['input', 'select', 'textarea']);
const buttonTypes = new Set(['submit', 'reset', 'button', 'image']);
/**
 * Attributes that say where and how a form sends its fields. Services and scripts read its id and
 * its data, too. The values of data may follow the texts of the page.
 */
const sendingAttribute = /^(?:action|method|enctype|name|id|netlify(?:-.*)?|data-.*)$/;

/**
 * What forms send, and how: the names and labels of fields, the values of choices, the attributes
 * of the form, and its button. If a field is removed as a whole, it is not missed, because readers
 * see that it is gone.
 * @param pathOf turns a URL into its path from the site's root; '' for the page itself
 */
export function readFormParts(elements: PageElement[], pathOf: (url: string) => string): UsedParts {
  const forms = elements.filter(({ tagName }) => tagName === 'form');
  const fields = elements.filter(isField);
  const numberKey = createCounter();
  const formUses = forms.map(() => numberKey('form'));
  const fieldUses = fields.map((field) => numberKey(fieldKind(field)));
  const fieldIds = fields.map((field) => `field ${attributeOf(field, 'id') ?? ''}`);
  const choices = readChoices(elements);
  const lastForm = `form ${forms.length}`;
  const buttons = elements
    .filter(isSendingButton)
    .slice(0, forms.length)
    .map((): SetupPart => [numberKey('sending button'), lostPartNames.sendingButton, lastForm]);
  return {
    parts: [
      ...nameParts(fields),
      ...labelParts(elements),
      ...choices.parts,
      ...formParts(forms, pathOf),
      ...buttons,
    ],
    uses: [...formUses, ...fieldUses, ...fieldIds, ...choices.uses],
  };
}

const fieldName = (field: PageElement) => attributeOf(field, 'name') ?? '';

/** The names with which fields are sent. A name is missed if there are as many fields as before. */
function nameParts(fields: PageElement[]): SetupPart[] {
  const numberKey = createCounter();
  const fieldsByKind = Map.groupBy(fields, fieldKind);
  return fields.flatMap((field): SetupPart[] => {
    const name = fieldName(field);
    if (isBlank(name) || typeOf(field) === 'hidden' || !isInForm(field) || isLocked(field))
      return [];
    const kind = fieldKind(field);
    return [
      [
        numberKey(`name ${name}`),
        lostPartNames.field(name),
        `${kind} ${fieldsByKind.get(kind)!.length}`,
      ],
    ];
  });
}

const labelParts = (elements: PageElement[]): SetupPart[] =>
  elements.flatMap((element): SetupPart[] => {
    const id = element.tagName === 'label' ? attributeOf(element, 'for') : undefined;
    return id ? [[`label of ${id}`, lostPartNames.label(id), `field ${id}`]] : [];
  });

/** The values that choices send. A value is missed if its choice still has the same label. */
function readChoices(elements: PageElement[]): UsedParts {
  const choices = elements.flatMap((element) => {
    const isOption = element.tagName === 'option';
    if (!isOption && !/^(?:radio|checkbox)$/.test(typeOf(element))) return [];
    const value = attributeOf(element, 'value');
    const outer = closest(element, ({ tagName }) => tagName === (isOption ? 'select' : 'label'));
    if (value === undefined || !outer) return [];
    const label = (isOption ? childText(element) : textContentOf(outer)).trim();
    return [{ field: fieldName(isOption ? outer : element), label, value }];
  });
  return {
    parts: choices.map(({ field, label, value }): SetupPart => {
      const name = lostPartNames.choice(label);
      return [`choice ${field} ${label} ${value}`, name, `choice ${field} ${label}`];
    }),
    uses: choices.map(({ field, label }) => `choice ${field} ${label}`),
  };
}

function formParts(forms: PageElement[], pathOf: (url: string) => string): SetupPart[] {
  const numberKey = createCounter();
  const valueOf = (name: string, value: string) => {
    if (name.startsWith('data-')) return '';
    return name === 'action' ? pathOf(value) : value.trim();
  };
  return forms.flatMap(({ attrs }) =>
    attrs.flatMap((attribute): SetupPart[] => {
      const name = attributeName(attribute);
      if (!sendingAttribute.test(name)) return [];
      const key = numberKey(`form ${name}=${valueOf(name, attribute.value)}`);
      return [[key, lostPartNames.formAttribute(name), `form ${forms.length}`]];
    }),
  );
}

const typeOf = (element: PageElement) => (attributeOf(element, 'type') ?? '').trim().toLowerCase();

const isField = (element: PageElement) =>
  fieldTags.has(element.tagName) &&
  !(element.tagName === 'input' && buttonTypes.has(typeOf(element)));

const fieldKind = (field: PageElement) =>
  `field of ${field.tagName} ${/^(?:radio|checkbox)$/.test(typeOf(field)) ? typeOf(field) : ''}`;

const isInForm = (element: PageElement) =>
  attributeOf(element, 'form') !== undefined ||
  closest(element, ({ tagName }) => tagName === 'form') !== undefined;

/** Whether visitors cannot fill in a field or use a button. */
const isLocked = (element: PageElement) =>
  attributeOf(element, 'readonly') !== undefined ||
  closest(
    element,
    (outer) =>
      (outer === element || outer.tagName === 'fieldset') &&
      attributeOf(outer, 'disabled') !== undefined,
  ) !== undefined;

function isSendingButton(element: PageElement): boolean {
  const type = typeOf(element);
  const sends =
    (element.tagName === 'button' && type !== 'button' && type !== 'reset') ||
    (element.tagName === 'input' && (type === 'submit' || type === 'image'));
  return sends && isInForm(element) && !isLocked(element);
}
