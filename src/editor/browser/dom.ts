// Finds and builds elements. A page's texts become text nodes and values only, never HTML.

type ElementProperties<Name extends keyof HTMLElementTagNameMap> = Partial<
  Omit<HTMLElementTagNameMap[Name], 'dataset'>
> & {
  dataset?: Record<string, string>;
};

export function createElement<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: ElementProperties<Name> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  const { dataset = {}, ...plainProperties } = properties;
  Object.assign(element.dataset, dataset);
  Object.assign(element, plainProperties);
  element.append(...children);
  return element;
}

/**
 * The element of index.html with an id.
 * @throws Error if there is none, or it is of another kind
 */
function elementWithId<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const element = document.getElementById(id);
  if (!(element instanceof kind))
    throw new Error(`index.html has no ${kind.name} with the id ${id}`);
  return element;
}

/** The elements of index.html that scripts change or listen to. */
export const elements = {
  pages: elementWithId('pages', HTMLSelectElement),
  state: elementWithId('state', HTMLElement),
  preview: elementWithId('preview', HTMLAnchorElement),
  discard: elementWithId('discard', HTMLButtonElement),
  publish: elementWithId('publish', HTMLButtonElement),
  save: elementWithId('save', HTMLButtonElement),
  notice: elementWithId('notice', HTMLElement),
  noticeText: elementWithId('notice-text', HTMLElement),
  noticeClose: elementWithId('notice-close', HTMLButtonElement),
  stage: elementWithId('stage', HTMLElement),
  frame: elementWithId('frame', HTMLIFrameElement),
  texts: elementWithId('texts', HTMLElement),
  fields: elementWithId('fields', HTMLElement),
  published: elementWithId('published', HTMLElement),
  notes: elementWithId('notes', HTMLDetailsElement),
  notesCount: elementWithId('notes-count', HTMLElement),
  notesList: elementWithId('notes-list', HTMLElement),
  settled: elementWithId('settled', HTMLDetailsElement),
  settledCount: elementWithId('settled-count', HTMLElement),
  settledList: elementWithId('settled-list', HTMLElement),
  offeredPages: elementWithId('offered-pages', HTMLDataListElement),
  offeredImages: elementWithId('offered-images', HTMLDataListElement),
  sourceNote: elementWithId('source-note', HTMLElement),
  code: elementWithId('code', HTMLTextAreaElement),
  gate: elementWithId('gate', HTMLElement),
  gateTitle: elementWithId('gate-title', HTMLElement),
  gateText: elementWithId('gate-text', HTMLElement),
  gateEnter: elementWithId('gate-enter', HTMLElement),
  signIn: elementWithId('sign-in', HTMLAnchorElement),
  gateKey: elementWithId('gate-key', HTMLElement),
  gateCode: elementWithId('gate-code', HTMLElement),
};

export const viewButtons = document.querySelectorAll<HTMLButtonElement>('button[data-shows]');
