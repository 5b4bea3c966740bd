// The list of all texts. Some texts, such as the page's title, have no place on the page: this is
// the only place to edit them.

import type { EditableText, TypedText } from '../protocol.ts';
import { make } from './dom.ts';
import { groupNames, groupOf, labelOf, ON_PAGE } from './labels.ts';

/** @param name of the tag that is shown between two parts of a text */
const mark = (name: string) => make('span', { className: 'mark', ariaHidden: 'true' }, `<${name}>`);

/** A group's fields are made when the group is opened, because a page may have thousands. */
function group(
  name: string,
  members: EditableText[],
  isOpen: boolean,
  fill: (members: EditableText[]) => HTMLElement[],
) {
  const count = make('span', { className: 'count' }, `${members.length}`);
  const details = make('details', { dataset: { name } }, make('summary', {}, `${name} `, count));
  details.addEventListener('toggle', () => {
    if (details.open && details.childElementCount === 1) details.append(...fill(members));
  });
  details.open = isOpen;
  if (isOpen) details.append(...fill(members));
  return details;
}

const hintOf = ({ isEverywhere }: EditableText) =>
  isEverywhere
    ? [make('p', { className: 'hint' }, 'Stands on other pages too. Only this page changes.')]
    : [];

/** Ids of the lists of suggestions, by the text's role. */
const offerLists = { 'link-target': 'offered-pages', 'image-file': 'offered-images' };

const legendOf = (text: EditableText) =>
  make(
    'legend',
    {},
    labelOf(text),
    ...(text.section ? [make('small', {}, ` in “${text.section}”`)] : []),
  );

const area = (value: string, label: string) =>
  make('textarea', { value, rows: 1, spellcheck: true, ariaLabel: label });

/** @param list the id of the list of suggestions */
function address(value: string, label: string, list: string) {
  const element = make('input', {
    value,
    spellcheck: false,
    autocomplete: 'off',
    ariaLabel: label,
  });
  element.setAttribute('list', list);
  return element;
}

const openAtFirst = ['Search and sharing', 'Not reached on the page'];

interface Handlers {
  edit: (id: string, texts: string[]) => void;
  /** Called when somebody asks to see a text on the page. */
  show: (id: string) => void;
}

export function createFields(panel: HTMLElement, handlers: Handlers) {
  /** The inputs that were made so far, by text id. */
  const inputs = new Map<string, (HTMLTextAreaElement | HTMLInputElement)[]>();

  /**
   * Shows all texts. Groups stay open, and somebody who types goes on typing.
   * @param inPlace ids of the texts that can be edited on the page
   */
  function listFields(texts: EditableText[], inPlace: Set<string>, textsOf: (id: string) => string[]) {
    const typing = fieldWithFocus();
    const placeOf = (text: EditableText) => (inPlace.has(text.id) ? ON_PAGE : groupOf(text));
    const groups = Map.groupBy(texts, placeOf);
    const open = new Set([
      ...openGroups(),
      ...texts.filter(({ id }) => id === typing?.id).map(placeOf),
    ]);
    inputs.clear();
    const fill = (members: EditableText[]) =>
      members.map((text) => createField(text, textsOf(text.id), inPlace.has(text.id)));
    panel.replaceChildren(
      ...groupNames.flatMap((name) => {
        const members = groups.get(name);
        return members ? [group(name, members, open.has(name), fill)] : [];
      }),
    );
    const again = typing && inputs.get(typing.id)?.[typing.part];
    again?.focus({ preventScroll: true });
    again?.setSelectionRange(typing!.start, typing!.end);
  }

  function openGroups(): (string | undefined)[] {
    const all = [...panel.querySelectorAll('details')];
    return all.length === 0
      ? openAtFirst
      : all.filter(({ open }) => open).map(({ dataset }) => dataset['name']);
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
        ? address(value, label, offerLists[role])
        : area(value, values.length > 1 ? `${label}, part ${i + 1}` : label),
    );
    for (const each of areas) each.addEventListener('input', onType(id));
    inputs.set(id, areas);
    const parts = areas.flatMap((each, i) =>
      i === 0 ? [each] : [mark(text.marks[i - 1] ?? ''), each],
    );
    const onclick = () => handlers.show(id);
    const show = make('button', { type: 'button', className: 'show', onclick }, 'Show on the page');
    return make(
      'fieldset',
      { dataset: { id } },
      legendOf(text),
      ...parts,
      ...hintOf(text),
      ...(isInPlace ? [show] : []),
    );
  }

  const onType = (id: string) => () => {
    const texts = inputs.get(id)?.map((each) => each.value);
    if (texts) handlers.edit(id, texts);
  };

  return {
    list: listFields,
    /** Opens a text's group and moves the focus to its field, which may be made only then. */
    focus(group: string, id: string) {
      const details = panel.querySelector(`details[data-name="${CSS.escape(group)}"]`);
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
