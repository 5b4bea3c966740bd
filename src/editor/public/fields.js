// The list of all texts. Some have no place on the page, such as its title: this is the only place to edit them.

import { make } from './dom.js';
import { groupNames, groupOf, labelOf } from './labels.js';

/** @import { EditableText } from '../protocol.ts' */

/** @param {string} name of a tag */
const mark = (name) => make('span', { className: 'mark', ariaHidden: 'true' }, `<${name}>`);

/**
 * The fields of a group are made when it is opened: a page may have thousands.
 * @param {string} name
 * @param {EditableText[]} members
 * @param {(members: EditableText[]) => HTMLElement[]} fill
 */
function group(name, members, fill) {
  const isOpen = name === 'Search and sharing' || name === 'Not reached on the page';
  const count = make('span', { className: 'count' }, `${members.length}`);
  const details = make('details', {}, make('summary', {}, `${name} `, count));
  details.addEventListener('toggle', () => {
    if (details.open && details.childElementCount === 1) details.append(...fill(members));
  });
  details.open = isOpen;
  if (isOpen) details.append(...fill(members));
  return details;
}

/** @param {EditableText} text */
const legendOf = (text) =>
  make('legend', {}, labelOf(text), ...(text.section ? [make('small', {}, ` in “${text.section}”`)] : []));

/**
 * @param {HTMLElement} panel
 * @param {object} handlers
 * @param {(id: string, texts: string[]) => void} handlers.edit
 * @param {(id: string) => void} handlers.show asked to show a text on the page
 */
export function createFields(panel, handlers) {
  /**
   * By text id: its inputs, once they were made.
   * @type {Map<string, HTMLTextAreaElement[]>}
   */
  const inputs = new Map();

  /**
   * @param {EditableText[]} texts
   * @param {Set<string>} inPlace ids of those that can be edited on the page
   * @param {(id: string) => string[]} textsOf
   */
  function list(texts, inPlace, textsOf) {
    inputs.clear();
    const groups = Map.groupBy(texts, (text) => groupOf(text, inPlace.has(text.id)));
    /** @param {EditableText[]} members */
    const fill = (members) => members.map((text) => field(text, textsOf(text.id), inPlace.has(text.id)));
    panel.replaceChildren(
      ...groupNames.flatMap((name) => {
        const members = groups.get(name);
        return members ? [group(name, members, fill)] : [];
      }),
    );
  }

  /**
   * @param {EditableText} text
   * @param {string[]} values
   * @param {boolean} isInPlace
   */
  function field(text, values, isInPlace) {
    const { id } = text;
    const label = labelOf(text);
    const areas = values.map((value, i) => area(id, value, values.length > 1 ? `${label}, part ${i + 1}` : label));
    inputs.set(id, areas);
    const parts = areas.flatMap((each, i) => (i === 0 ? [each] : [mark(text.marks[i - 1] ?? ''), each]));
    const onclick = () => handlers.show(id);
    const show = make('button', { type: 'button', className: 'show', onclick }, 'Show on the page');
    return make('fieldset', { dataset: { id } }, legendOf(text), ...parts, ...(isInPlace ? [show] : []));
  }

  /**
   * @param {string} id
   * @param {string} value
   * @param {string} label
   */
  function area(id, value, label) {
    const element = make('textarea', { value, rows: 1, spellcheck: true, ariaLabel: label });
    element.addEventListener('input', () => {
      const texts = inputs.get(id)?.map((each) => each.value);
      if (texts) handlers.edit(id, texts);
    });
    return element;
  }

  return {
    list,
    /**
     * Shows what was typed elsewhere.
     * @param {string} id
     * @param {string[]} texts
     * @param {boolean} isChanged
     */
    set(id, texts, isChanged) {
      for (const [i, element] of (inputs.get(id) ?? []).entries()) {
        const text = texts[i] ?? '';
        if (element.value !== text) element.value = text;
        element.closest('fieldset')?.classList.toggle('changed', isChanged);
      }
    },
  };
}
