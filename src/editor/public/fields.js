// The list of all texts: the only place for those that are not on the page, such as its title, and another one for all others.

import { make } from './dom.js';
import { groupNames, groupOf, labelOf } from './labels.js';

/**
 * @param {HTMLElement} panel
 * @param {object} handlers
 * @param {(id: string, texts: string[]) => void} handlers.edit
 * @param {(id: string) => void} handlers.show asked to show a text on the page
 */
export function createFields(panel, handlers) {
  /** By text id: its inputs, once they were made. */
  const inputs = new Map();

  /**
   * @param {object[]} texts
   * @param {Set<string>} inPlace ids of those that can be edited on the page
   * @param {(id: string) => string[]} textsOf
   */
  function list(texts, inPlace, textsOf) {
    inputs.clear();
    const groups = Map.groupBy(texts, (text) => groupOf(text, inPlace.has(text.id)));
    const fill = (members) => members.map((text) => field(text, textsOf(text.id), inPlace.has(text.id)));
    panel.replaceChildren(
      ...groupNames.filter((name) => groups.has(name)).map((name) => group(name, groups.get(name), fill)),
    );
  }

  /** The fields of a group are made when it is opened: a page may have thousands. */
  function group(name, members, fill) {
    const isOpen = name === 'Search and sharing' || name === 'Not reached on the page';
    const details = make(
      'details',
      {},
      make('summary', {}, `${name} `, make('span', { className: 'count' }, `${members.length}`)),
    );
    details.addEventListener(
      'toggle',
      () => details.open && details.childElementCount === 1 && details.append(...fill(members)),
    );
    details.open = isOpen;
    if (isOpen) details.append(...fill(members));
    return details;
  }

  function field(text, values, isInPlace) {
    const { id, marks, section } = text;
    const legend = make('legend', {}, labelOf(text), ...(section ? [make('small', {}, ` in “${section}”`)] : []));
    const areas = values.map((value, i) =>
      area(id, value, values.length > 1 ? `${labelOf(text)}, part ${i + 1}` : labelOf(text)),
    );
    inputs.set(id, areas);
    const parts = areas.flatMap((each, i) => (i === 0 ? [each] : [mark(marks[i - 1]), each]));
    const show = make(
      'button',
      { type: 'button', className: 'show', onclick: () => handlers.show(id) },
      'Show on the page',
    );
    return make('fieldset', { dataset: { id } }, legend, ...parts, ...(isInPlace ? [show] : []));
  }

  function area(id, value, label) {
    const element = make('textarea', { value, rows: 1, spellcheck: true, ariaLabel: label });
    element.addEventListener('input', () =>
      handlers.edit(
        id,
        inputs.get(id).map((each) => each.value),
      ),
    );
    return element;
  }

  const mark = (name) => make('span', { className: 'mark', ariaHidden: 'true' }, `<${name}>`);

  return {
    list,
    /** Shows what was typed elsewhere. */
    set(id, texts, isChanged) {
      const areas = inputs.get(id);
      if (!areas) return;
      for (const [i, element] of areas.entries()) if (element.value !== texts[i]) element.value = texts[i];
      areas[0].closest('fieldset').classList.toggle('changed', isChanged);
    },
    /** Leads to a text that stands nowhere else. */
    focus: (id) => inputs.get(id)?.[0].focus(),
  };
}
