// The list of all texts. Some texts, such as the page's title, are not shown on the page, and can
// only be edited here. The list is divided into groups by the kind of text, such as "Links".

import type { EditableText, TypedText } from '../protocol.ts';
import { createElement } from './dom.ts';
import { groupNames, groupOf, labelOf, NOT_ON_PAGE, ON_PAGE } from './labels.ts';

/** Shows an inline tag between two parts of a text. @param name such as `a` or `br` */
const createMark = (name: string) =>
  createElement('span', { className: 'mark', ariaHidden: 'true' }, `<${name}>`);

/** A group's fields are made when the group is opened, because a page may have thousands. */
function createGroup(
  name: string,
  members: EditableText[],
  isOpen: boolean,
  fillGroup: (members: EditableText[]) => HTMLElement[],
) {
  const count = createElement('span', { className: 'count' }, `${members.length}`);
  const details = createElement(
    'details',
    { dataset: { name } },
    createElement('summary', {}, `${name} `, count),
  );
  details.addEventListener('toggle', () => {
    if (details.open && details.childElementCount === 1) details.append(...fillGroup(members));
  });
  details.open = isOpen;
  if (isOpen) details.append(...fillGroup(members));
  return details;
}

const createHints = ({ isEverywhere }: EditableText) =>
  isEverywhere
    ? [
        createElement(
          'p',
          { className: 'hint' },
          'This text is also on other pages. Only this page changes.',
        ),
      ]
    : [];

/** Ids of the lists of suggestions, by the text's role. */
const offerLists = { 'link-target': 'offered-pages', 'image-file': 'offered-images' };

const createLegend = (text: EditableText) =>
  createElement(
    'legend',
    {},
    labelOf(text),
    ...(text.section ? [createElement('small', {}, ` in “${text.section}”`)] : []),
  );

const createTextArea = (value: string, label: string) =>
  createElement('textarea', { value, rows: 1, spellcheck: true, ariaLabel: label });

/** @param list the id of the list of suggestions */
function createAddressInput(value: string, label: string, list: string) {
  const element = createElement('input', {
    value,
    spellcheck: false,
    autocomplete: 'off',
    ariaLabel: label,
  });
  element.setAttribute('list', list);
  return element;
}

const initiallyOpenGroups = ['Search and sharing', NOT_ON_PAGE];

interface FieldHandlers {
  edit: (id: string, texts: string[]) => void;
  /** Called when somebody asks to see a text on the page. */
  show: (id: string) => void;
}

export function createFields(panel: HTMLElement, handlers: FieldHandlers) {
  /** The inputs that were made so far, by text id. */
  const inputs = new Map<string, (HTMLTextAreaElement | HTMLInputElement)[]>();

  /**
   * Shows all texts. Groups stay open, and a person who is typing can continue.
   * @param inPlace ids of the texts that can be edited on the page
   * @param textsOf the current parts of a text, also if they are not saved
   */
  function listFields(
    texts: EditableText[],
    inPlace: Set<string>,
    textsOf: (id: string) => string[],
  ) {
    const focusedField = fieldWithFocus();
    const groupNameOf = (text: EditableText) => (inPlace.has(text.id) ? ON_PAGE : groupOf(text));
    const groups = Map.groupBy(texts, groupNameOf);
    const openNames = new Set([
      ...openGroups(),
      ...texts.filter(({ id }) => id === focusedField?.id).map(groupNameOf),
    ]);
    inputs.clear();
    const fillGroup = (members: EditableText[]) =>
      members.map((text) => createField(text, textsOf(text.id), inPlace.has(text.id)));
    panel.replaceChildren(
      ...groupNames.flatMap((name) => {
        const members = groups.get(name);
        return members ? [createGroup(name, members, openNames.has(name), fillGroup)] : [];
      }),
    );
    const sameInput = focusedField && inputs.get(focusedField.id)?.[focusedField.part];
    sameInput?.focus({ preventScroll: true });
    sameInput?.setSelectionRange(focusedField!.start, focusedField!.end);
  }

  function openGroups(): (string | undefined)[] {
    const allDetails = [...panel.querySelectorAll('details')];
    return allDetails.length === 0
      ? initiallyOpenGroups
      : allDetails.filter(({ open: openNames }) => openNames).map(({ dataset }) => dataset['name']);
  }

  /** Where somebody types: which text, which part of it, and what is selected there. */
  function fieldWithFocus() {
    for (const [id, areas] of inputs)
      for (const [part, area] of areas.entries())
        if (area === document.activeElement)
          return { id, part, start: area.selectionStart, end: area.selectionEnd };
    return undefined;
  }

  function createField(text: EditableText, values: string[], isInPlace: boolean) {
    const { id } = text;
    const label = labelOf(text);
    const { role } = text;
    const areas = values.map((value, i) =>
      role === 'link-target' || role === 'image-file'
        ? createAddressInput(value, label, offerLists[role])
        : createTextArea(value, values.length > 1 ? `${label}, part ${i + 1}` : label),
    );
    for (const input of areas) input.addEventListener('input', onType(id));
    inputs.set(id, areas);
    const parts = areas.flatMap((input, i) =>
      i === 0 ? [input] : [createMark(text.marks[i - 1] ?? ''), input],
    );
    const onclick = () => handlers.show(id);
    const showButton = createElement(
      'button',
      { type: 'button', className: 'show', onclick },
      'Show on the page',
    );
    return createElement(
      'fieldset',
      { dataset: { id } },
      createLegend(text),
      ...parts,
      ...createHints(text),
      ...(isInPlace ? [showButton] : []),
    );
  }

  const onType = (id: string) => () => {
    const texts = inputs.get(id)?.map((input) => input.value);
    if (texts) handlers.edit(id, texts);
  };

  return {
    list: listFields,
    /** Opens a text's group and moves the focus to its field, which may be made only then. */
    focus(groupName: string, id: string) {
      const details = panel.querySelector(`details[data-name="${CSS.escape(groupName)}"]`);
      if (!(details instanceof HTMLDetailsElement)) return;
      details.open = true;
      requestAnimationFrame(() => inputs.get(id)?.[0]?.focus());
    },
    /** Shows a text as it was typed, here or on the page. */
    set({ id, texts, isChanged }: TypedText) {
      for (const [i, element] of (inputs.get(id) ?? []).entries()) {
        const text = texts[i] ?? '';
        if (element.value !== text) element.value = text;
        element.closest('fieldset')?.classList.toggle('changed', isChanged);
      }
    },
  };
}
