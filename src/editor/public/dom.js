// Builds elements. Texts of pages only ever become text nodes and values.

/** @param {string} name @param {object} properties @param {...(Node | string)} children */
export function make(name, properties = {}, ...children) {
  const element = document.createElement(name);
  const { dataset = {}, ...others } = properties;
  Object.assign(element.dataset, dataset);
  Object.assign(element, others);
  element.append(...children);
  return element;
}

/** The element with an id of index.html. */
export const at = (id) => document.getElementById(id);
