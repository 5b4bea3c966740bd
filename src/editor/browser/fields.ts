// The list of all texts. Some have no place on the page, such as its title: this is the only place
// to edit them.

import type { EditableText, TypedText } from '../protocol.ts';
import { make } from './dom.ts';
import { groupNames, groupOf, labelOf, ON_PAGE } from './labels.ts';

/** @param name of a tag */
const mark = (name: string) => make('span', { className: 'mark', ariaHidden: 'true' }, `<${name}>`);

/** The fields of a group are made when it is opened: a page may have thousands. */
function group(
  name: string,
  members: EditableText[],
  fill: (members: EditableText[]) => HTMLElement[],
) {
  const isOpen = name === 'Search and sharing' || name === 'Not reached on the page';
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

/** Ids of the lists of what can be chosen, by the role of the text. */
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

/** @param list the id of what can be chosen */
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

interface Handlers {
  edit: (id: string, texts: string[]) => void;
  /** Asked to show a text on the page. */
  show: (id: string) => void;
}

export function createFields(panel: HTMLElement, handlers: Handlers) {
  /** By text id: its inputs, once they were made. */
  const inputs = new Map<string, (HTMLTextAreaElement | HTMLInputElement)[]>();

  /** @param inPlace ids of those that can be edited on the page */
  function list(texts: EditableText[], inPlace: Set<string>, textsOf: (id: string) => string[]) {
    inputs.clear();
    const groups = Map.groupBy(texts, (text) => (inPlace.has(text.id) ? ON_PAGE : groupOf(text)));
    const fill = (members: EditableText[]) =>
      members.map((text) => field(text, textsOf(text.id), inPlace.has(text.id)));
    panel.replaceChildren(
      ...groupNames.flatMap((name) => {
        const members = groups.get(name);
        return members ? [group(name, members, fill)] : [];
      }),
    );
  }

  function field(text: EditableText, values: string[], isInPlace: boolean) {
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
    list,
    /** Leads to a text in the list: its group may be closed, and its field not made yet. */
    focus(group: string, id: string) {
      const details = panel.querySelector(`details[data-name="${CSS.escape(group)}"]`);
      if (!(details instanceof HTMLDetailsElement)) return;
      details.open = true;
      requestAnimationFrame(() => inputs.get(id)?.[0]?.focus());
    },
    /** Shows what was typed elsewhere. */
    set({ id, texts, isChanged }: TypedText) {
      for (const [i, element] of (inputs.get(id) ?? []).entries()) {
        const text = texts[i] ?? '';
        if (element.value !== text) element.value = text;
        element.closest('fieldset')?.classList.toggle('changed', isChanged);
      }
    },
  };
}
