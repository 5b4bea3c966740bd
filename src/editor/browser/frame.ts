// The framed page, which has an opaque origin. It talks with the editor through one port; what it says is checked here.

import { frameUrl } from './api.ts';
import { labelOf } from './labels.ts';

/** @import { EditableText, FrameCommand, FrameGreeting, FrameReport } from '../protocol.ts' */

/**
 * The digest in a frame's first message, undefined where it is another message.
 * @param {unknown} message
 */
function digestIn(message) {
  if (message === null || typeof message !== 'object') return undefined;
  const { type, digest } = /** @type {Partial<Record<keyof FrameGreeting, unknown>>} */ (message);
  return type === 'agent-editor-frame' && typeof digest === 'string' ? digest : undefined;
}

/**
 * @param {unknown} value
 * @returns {value is string[]}
 */
const areStrings = (value) => Array.isArray(value) && value.every((each) => typeof each === 'string');

/**
 * A frame's report, undefined for any other message: any code may run in the frame.
 * @param {unknown} message
 * @returns {FrameReport | undefined}
 */
function reportIn(message) {
  if (message === null || typeof message !== 'object') return undefined;
  const { type, id, ids, texts } = /** @type {Record<string, unknown>} */ (message);
  if (type === 'save' || type === 'leave') return { type };
  if (type === 'editable' && areStrings(ids)) return { type, ids };
  if (type === 'edit' && typeof id === 'string' && areStrings(texts)) return { type, id, texts };
  return undefined;
}

/**
 * @param {HTMLIFrameElement} element
 * @param {object} handlers
 * @param {(digest: string) => EditableText[] | null} handlers.texts the texts to edit; null where the frame shows
 * another version of the page
 * @param {(ids: Set<string>) => void} handlers.editable told which texts can be edited in place
 * @param {(id: string, texts: string[]) => void} handlers.edit
 * @param {() => void} handlers.save
 * @param {() => void} handlers.leave told where somebody wants out of the page
 */
export function createFrame(element, handlers) {
  /** @type {MessagePort | undefined} */
  let port;

  addEventListener('message', (/** @type {MessageEvent<unknown>} */ { source, data, ports }) => {
    const digest = digestIn(data);
    const [opened, ...others] = ports;
    if (source !== element.contentWindow || digest === undefined || !opened || others.length > 0) return;
    port?.close();
    port = opened;
    port.onmessage = (/** @type {MessageEvent<unknown>} */ event) => receive(reportIn(event.data));
    const texts = handlers.texts(digest);
    if (texts) send({ type: 'texts', all: texts.map((text) => ({ ...text, label: labelOf(text) })) });
  });

  /** @param {FrameReport | undefined} report */
  function receive(report) {
    if (report?.type === 'editable') handlers.editable(new Set(report.ids));
    else if (report?.type === 'edit') handlers.edit(report.id, report.texts);
    else if (report?.type === 'save') handlers.save();
    else if (report?.type === 'leave') handlers.leave();
  }

  /** @param {FrameCommand} command */
  const send = (command) => port?.postMessage(command);

  return {
    load() {
      port?.close();
      port = undefined;
      element.src = frameUrl();
    },
    /**
     * @param {string} id
     * @param {string[]} texts
     * @param {boolean} isChanged
     */
    set: (id, texts, isChanged) => send({ type: 'set', id, texts, isChanged }),
    /**
     * @param {string} id
     * @param {boolean} isChanged
     */
    mark: (id, isChanged) => send({ type: 'changed', id, isChanged }),
    /** @param {string} id */
    focus(id) {
      element.focus();
      send({ type: 'focus', id });
    },
  };
}
