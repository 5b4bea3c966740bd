// Finds and builds elements. Texts of pages only ever become text nodes and values.

/**
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Partial<Omit<HTMLElementTagNameMap[Name], 'dataset'>> & { dataset?: Record<string, string> }} properties
 * @param {...(Node | string)} children
 */
export function make(name, properties = {}, ...children) {
  const element = document.createElement(name);
  const { dataset = {}, ...others } = properties;
  Object.assign(element.dataset, dataset);
  Object.assign(element, others);
  element.append(...children);
  return element;
}

/**
 * The element with an id of index.html.
 * @template {HTMLElement} Kind
 * @param {string} id
 * @param {new () => Kind} kind
 */
function at(id, kind) {
  const element = document.getElementById(id);
  if (!(element instanceof kind)) throw new Error(`index.html has no ${kind.name} with the id ${id}`);
  return element;
}

/** The elements of index.html that scripts change or listen to. */
export const elements = {
  pages: at('pages', HTMLSelectElement),
  state: at('state', HTMLElement),
  preview: at('preview', HTMLAnchorElement),
  discard: at('discard', HTMLButtonElement),
  publish: at('publish', HTMLButtonElement),
  save: at('save', HTMLButtonElement),
  notice: at('notice', HTMLElement),
  noticeText: at('notice-text', HTMLElement),
  noticeClose: at('notice-close', HTMLButtonElement),
  stage: at('stage', HTMLElement),
  frame: at('frame', HTMLIFrameElement),
  texts: at('texts', HTMLElement),
  fields: at('fields', HTMLElement),
  published: at('published', HTMLElement),
  notes: at('notes', HTMLDetailsElement),
  notesCount: at('notes-count', HTMLElement),
  notesList: at('notes-list', HTMLElement),
  settled: at('settled', HTMLDetailsElement),
  settledCount: at('settled-count', HTMLElement),
  settledList: at('settled-list', HTMLElement),
  offeredPages: at('offered-pages', HTMLDataListElement),
  offeredImages: at('offered-images', HTMLDataListElement),
  sourceNote: at('source-note', HTMLElement),
  code: at('code', HTMLTextAreaElement),
  gate: at('gate', HTMLElement),
  gateTitle: at('gate-title', HTMLElement),
  gateText: at('gate-text', HTMLElement),
  gateEnter: at('gate-enter', HTMLElement),
  signIn: at('sign-in', HTMLAnchorElement),
  gateKey: at('gate-key', HTMLElement),
  gateCode: at('gate-code', HTMLElement),
  conflict: at('conflict', HTMLDialogElement),
  conflictList: at('conflict-list', HTMLElement),
};

/** @type {NodeListOf<HTMLButtonElement>} */
export const viewButtons = document.querySelectorAll('button[data-shows]');
